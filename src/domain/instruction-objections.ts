import { addressesIn } from './addresses.ts';
import { actsOnForeign, isAct, isForbidden, isForeignAct, isSameAct, swapsObject } from './instruction-acts.ts';
import { isGermanic, isIn, isTelling, isWord, withExpansions } from './instruction-meaning.ts';
import { countsOtherwise, hasForeignNumber, isTime, numbersIn } from './instruction-numbers.ts';
import { isTurned } from './instruction-polarity.ts';
import type { Support } from './instruction-support.ts';
import { tokensOf, type Token } from './instruction-tokens.ts';
import { genericWords, negators } from './instruction-words.ts';

/*
 * Whether an instruction that an assistant wrote says what the text says where its quote stands. A paraphrase may leave words out, bend
 * them, and bring in words that say little by themselves. It may bring in no number, name, address or act that does harm, it may not
 * turn the quote around, and of its other words most have to stand near the quote: in its paragraph, in the ones before and after, or in
 * the headings above.
 */

/** Why an instruction is refused. */
export type Objection = 'address' | 'number' | 'name' | 'act' | 'turned' | 'object' | 'words';

/** Of the words that carry meaning, those that have to stand near the quote. */
const minShare = { title: 0.4, act: 0.6, clause: 0.3, reason: 0.3 };
/** A shorter reason that names no number, name or act says too little to do harm. */
const minReasonWords = 3;
/** Words in a row at the end of an instruction that the text need not hold. */
const maxForeignEnd = 2;

/**
 * What an instruction says that its quote does not bear; null when it may stand.
 * @param allowed further words of which it may be made: a reason's title and goal
 */
export function objectionTo(
  words: string,
  { near: around, quote, close, far, addresses }: Support,
  kind: 'title' | 'reason',
  allowed = '',
): Objection | null {
  if (words.includes('[…]') || addressesIn(words).some((address) => !addresses.has(address))) return 'address';
  const tokens = tokensOf(words);
  const near = withExpansions([...around, ...tokensOf(allowed)], tokens);
  const numbers = new Set(numbersIn(near));
  if (hasForeignNumber(tokens, numbers)) return 'number';
  if (countsOtherwise(tokens, quote)) return 'number';
  if (kind === 'title' && tokens.some((token, at) => isTime(token, tokens[at - 1]) && !isIn(token, near)))
    return 'number';
  if (tokens.some((token) => token.isCode && !near.some(({ word }) => word === token.word))) return 'name';
  if (tokens.some((token, at) => isName(token, at, tokens) && !isIn(token, near) && !isWord(token, genericWords)))
    return 'name';
  if (tokens.some((token, at) => isForeignAct(token, token.isRun ? close : near) && !isForbidden(tokens[at - 1])))
    return 'act';
  if (kind === 'title' && isTurned(tokens, quote)) return 'turned';
  if (
    kind === 'title' &&
    (actsOnForeign(tokens, near, close) || swapsObject(tokens, withExpansions(far, tokens), quote))
  )
    return 'object';
  const least =
    kind === 'title' && tokens.some(isAct) && !tokens.some(({ word }) => negators.has(word))
      ? minShare.act
      : minShare[kind];
  const telling = tokens.filter(isTelling);
  if (kind === 'reason' && telling.length < minReasonWords) return null;
  if (shareIn(tokens, near) < least) return 'words';
  if (kind === 'reason') return null;
  if (
    telling.length > maxForeignEnd &&
    !telling.slice(-maxForeignEnd - 1).some((token) => token.isRun || isIn(token, near))
  )
    return 'words';
  // What is put behind an honest instruction must not hide in its length.
  const clauses = Map.groupBy(tokens, ({ clause }) => clause).values();
  const isForeign = (clause: Token[]) => clause.filter(isTelling).length > 1 && shareIn(clause, near) < minShare.clause;
  return clauses.some(isForeign) ? 'words' : null;
}

/** A capital letter within an instruction is a name's, unless all its words have them or the language gives them to nouns. */
function isName(token: Token, at: number, tokens: readonly Token[]): boolean {
  if (at === 0 || !token.isCapital || token.word === 'i') return false;
  const inner = tokens.slice(1).filter(({ word }) => /^\p{L}{4,}/u.test(word));
  const capitals = inner.filter(({ isCapital }) => isCapital).length;
  return capitals <= Math.max(2, inner.length * 0.5) && !tokens.some(isGermanic);
}

function shareIn(tokens: readonly Token[], near: readonly Token[]): number {
  let [found, all] = [0, 0];
  let runs: string | undefined;
  for (const token of tokens) {
    if (!isTelling(token)) continue;
    if (token.isRun) {
      runs ??= near.flatMap(({ word, isRun }) => (isRun ? [word] : [])).join(' ');
      for (const pair of pairsOf(token.word)) {
        all += 0.5;
        if (runs.includes(pair)) found += 0.5;
        else found += [...pair].filter((sign) => runs?.includes(sign)).length * 0.15;
      }
      continue;
    }
    all += 1;
    if (isIn(token, near) || isSameAct(token, near)) found += 1;
  }
  return all === 0 ? 1 : found / all;
}

function pairsOf(run: string): string[] {
  const signs = [...run];
  return signs.length < 2 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}
