import { addressesIn } from '../links/addresses.ts';
import { sharesWord } from './instruction-matches.ts';
import { countsOtherwise, hasForeignDate, hasForeignNumber } from './instruction-numbers.ts';
import { isTurned } from './instruction-polarity.ts';
import {
  disclosesSecret,
  hasForeignAct,
  hasForeignIdentifier,
  hasForeignName,
  hasForeignSubstance,
} from './instruction-specifics.ts';
import type { Support } from './instruction-support.ts';
import { tokensOf, type Token } from './instruction-tokens.ts';

/*
 * Whether an instruction that an assistant wrote says what the text says where its quote stands. One principle: what is specific has to
 * stand near the quote - numbers, dates, addresses, names, acts that can do harm, secrets, medicines - and the quote must not be turned
 * around. Its ordinary words are free, as long as some show that it is about the same thing. Near is the paragraph of the quote with the
 * ones before and after, the headings above, and the beginning of the text.
 */

/** Why an instruction is refused. */
export type Objection = 'address' | 'number' | 'name' | 'act' | 'turned' | 'object' | 'words';

/** To pay attention costs nothing. */
const idiom = /\bpay (?:close |special |careful )?attention\b/gi;

/**
 * What an instruction says that its quote does not bear; null when it may stand.
 * @param beside of a reason its title and goal, whose words it may use; of a title its reason, which may show what it is about
 */
export function objectionTo(
  words: string,
  { near: around, quote, close, addresses, written }: Support,
  kind: 'title' | 'reason',
  beside = '',
): Objection | null {
  if (words.includes('[…]') || addressesIn(words).some((address) => !addresses.has(address))) return 'address';
  const tokens = tokensOf(words.replace(idiom, 'attend'));
  const others = tokensOf(beside);
  const near = kind === 'reason' ? [...around, ...others] : around;
  if (hasForeignNumber(tokens, near, quote)) return 'number';
  if (
    hasForeignName(tokens, near) ||
    hasForeignIdentifier(words, kind === 'reason' ? written + beside.toLowerCase() : written)
  )
    return 'name';
  if (
    hasForeignAct(kind === 'title' ? tokens : tokens.filter(isNoReport), near, close) ||
    disclosesSecret(tokens, near, quote)
  )
    return 'act';
  if (hasForeignSubstance(tokens, near, quote)) return 'object';
  if (kind === 'reason') return null;
  if (hasForeignDate(tokens, near) || countsOtherwise(tokens, quote)) return 'number';
  if (isTurned(tokens, quote)) return 'turned';
  return sharesWord([...tokens, ...others], near, quote) ? null : 'words';
}

/** Of what something does, a reason may tell: it kills, deleting. */
const isNoReport = ({ word }: Token) => !['s', 'ing', 'ed'].some((end) => word.endsWith(end));
