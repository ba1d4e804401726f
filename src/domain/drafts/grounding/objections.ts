import { addressesIn } from '../../links/addresses.ts';
import { sharesWord } from './keywords.ts';
import { countsOtherwise, hasForeignDate, hasForeignNumber } from './numbers.ts';
import { isTurned } from './prohibitions.ts';
import {
  disclosesSecret,
  hasForeignAct,
  hasForeignIdentifier,
  hasForeignName,
  hasForeignSubstance,
} from './specifics.ts';
import type { Support } from './support.ts';
import { tokensOf, type Token } from './tokens.ts';

/*
 * Checks that an instruction written by an assistant says what the text says at its quote. Anything specific (numbers,
 * dates, addresses, names, acts that can do harm, secrets, medicines) must occur near the quote, and the instruction
 * must not contradict the quote. Ordinary words are free, as long as some show that it is about the same thing. "Near"
 * means the paragraph of the quote, the paragraphs before and after, the headings above, and the start of the text.
 */

/** Why an instruction is refused. */
export type Objection = 'address' | 'number' | 'name' | 'act' | 'turned' | 'object' | 'words';

/** "Pay attention" is not a payment. */
const idiom = /\bpay (?:close |special |careful )?attention\b/gi;

/**
 * What an instruction says that its quote does not support; null when it is accepted.
 * @param beside for a reason, its title and goal, whose words it may use; for a title, its reason, which may show what
 *   the title is about
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

/** A reason may report what something does ("it kills", "deleting"): words with these endings are not acts. */
const isNoReport = ({ word }: Token) => !['s', 'ing', 'ed'].some((end) => word.endsWith(end));
