import { isGermanic, isIn, isKeyword, isContentWord, isNegatedRun, pairsOf, runsOf } from './keywords.ts';
import type { GroundingToken } from './tokens.ts';
import { avoidance, badWords, comparisons, conditions, negators, rewordings, runNegators } from './word-lists.ts';

/*
 * Finds an instruction that asks for what its quote forbids, or forbids what its quote asks for. Only plain cases count:
 * the word that the negation governs must stand on the other side, and no word there may reword a negation.
 */

/** Per text: it may consist of nothing but negations. */
const maxNegations = 16;

export function contradicts(tokens: readonly GroundingToken[], quote: readonly GroundingToken[]): boolean {
  return (
    asksFor(tokens, prohibitionsIn(quote), quote) ||
    // To avoid what a quote only speaks about is no contradiction.
    asksFor(
      quote,
      prohibitionsIn(tokens).filter(({ isAvoidance }) => !isAvoidance),
      tokens,
    ) ||
    asksForRun(tokens, quote)
  );
}

interface Prohibition {
  /** The words that the negation governs. The first one, usually a verb, leads. */
  words: readonly GroundingToken[];
  isAvoidance: boolean;
}

/** Whether a text asks for something that another one forbids. */
function asksFor(
  tokens: readonly GroundingToken[],
  prohibitions: readonly Prohibition[],
  other: readonly GroundingToken[],
): boolean {
  if (prohibitions.length === 0 || tokens.some(isNegation)) return false;
  const isNew = (token: GroundingToken) => !other.some(({ stem }) => stem === token.stem);
  if (tokens.some((token) => mayReword(token) && isNew(token))) return false;
  return prohibitions.some(
    ({ words }) => tokens.some(({ stem }) => stem === words[0]?.stem) && words.every((word) => isIn(word, tokens)),
  );
}

const isNegation = ({ word }: GroundingToken) => negators.has(word) || avoidance.has(word);
const mayReword = ({ word, stem }: GroundingToken) => rewordings.has(word) || badWords.has(word) || badWords.has(stem);

/** A negation governs the words behind it in its clause, in German the whole clause. */
function prohibitionsIn(tokens: readonly GroundingToken[]): Prohibition[] {
  // "No agenda, no meeting" forbids nothing.
  if (tokens.filter(({ word }) => word === 'no').length > 1) return [];
  const found: Prohibition[] = [];
  let negations = 0;
  for (const [at, { word, clause }] of tokens.entries()) {
    if (!negators.has(word) && !avoidance.has(word)) continue;
    negations += 1;
    if (negations > maxNegations) break;
    const before = tokens.slice(0, at).filter((token) => token.clause === clause);
    const behind = tokens.slice(at + 1).filter((token) => token.clause === clause);
    const end = behind.findIndex((token) => conditions.has(token.word));
    const governed = end === -1 ? behind : behind.slice(0, end);
    // "No more than", "when no header is sent": these forbid nothing.
    if ([...before, ...governed].some((token) => comparisons.has(token.word) || conditions.has(token.word))) continue;
    const words = (tokens.some(isGermanic) ? [...governed, ...before] : governed).filter(isContentWord);
    // "A cleaner, not a lubricant", "to file, but not to pay": a single word may be a contrast.
    if (!avoidance.has(word) && words.length < 2) continue;
    if (words.some(isKeyword)) found.push({ words, isAvoidance: avoidance.has(word) });
  }
  return found;
}

const maxReach = 40;

/** The same for Chinese, which negates before the verb, and Japanese, which negates behind it. */
function asksForRun(tokens: readonly GroundingToken[], quote: readonly GroundingToken[]): boolean {
  const [said, asked] = [runsOf(tokens), runsOf(quote)];
  if (said === '' || isNegatedRun(said)) return false;
  const isAskedFor = (forbidden: string, verb: string | undefined) => {
    const pairs = pairsOf(forbidden);
    return (
      verb !== undefined && said.includes(verb) && pairs.filter((pair) => said.includes(pair)).length > pairs.length / 2
    );
  };
  return (
    placesOf(asked, runNegators.before).some(({ end }) => {
      const [forbidden = ''] = asked.slice(end, end + maxReach).split(' ');
      return isAskedFor(forbidden, pairsOf(forbidden)[0]);
    }) ||
    placesOf(asked, runNegators.behind).some(({ start }) => {
      const forbidden =
        asked
          .slice(Math.max(0, start - maxReach), start)
          .split(' ')
          .at(-1) ?? '';
      return isAskedFor(forbidden, pairsOf(forbidden).at(-1));
    })
  );
}

function placesOf(run: string, signs: readonly string[]): { start: number; end: number }[] {
  return signs.flatMap((sign) => {
    const start = run.indexOf(sign);
    return start === -1 ? [] : [{ start, end: start + sign.length }];
  });
}
