import {
  badWords,
  leaving,
  negators,
  opposites,
  softNegators,
  undoingNegators,
  withoutWords,
} from './instruction-words.ts';
import { isGermanic, isIn, isTelling, isTellingOrGeneric, pairsOf, runsOf } from './instruction-matches.ts';
import { turnsBound, turnsOrder } from './instruction-order.ts';
import { areAkin, stemOfWord, type Token } from './instruction-tokens.ts';

const chineseNegators = '不要 不得 不能 不可 不 别 別 勿 莫 避免 禁止 無 无 没 沒'.split(' ');

/** Whether it asks for what the quote forbids, forbids what the quote asks for, or turns an order or a bound around. */
export function isTurned(tokens: readonly Token[], quote: readonly Token[]): boolean {
  return (
    asksForForbidden(tokens, quote) ||
    forbidsAskedFor(tokens, quote) ||
    turnsRun(tokens, quote) ||
    turnsBound(tokens, quote) ||
    // Never open it is keep it closed.
    (isForbidding(tokens) === isForbidding(quote) && (saysOpposite(tokens, quote) || turnsOrder(tokens, quote)))
  );
}

/** Not after it, with nothing behind, forbids nothing of its own. */
function isForbidding(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ word, clause }) =>
      leaving.has(word) ||
      withoutWords.has(word) ||
      (negators.has(word) && tokens.some((other) => other.clause === clause && isTellingOrGeneric(other))),
  );
}

/** Of an instruction, what it does not say to leave. German says so at the end. */
function askedFor(tokens: readonly Token[]): readonly Token[] {
  const isAround = tokens.some(isGermanic);
  return tokens.filter(
    (token, at) =>
      !tokens.some(({ word, clause }, i) => negators.has(word) && clause === token.clause && (i <= at || isAround)),
  );
}

function asksForForbidden(tokens: readonly Token[], quote: readonly Token[]): boolean {
  // A soft one that the quote has as well says nothing: under three months.
  if (tokens.some(({ word }) => softNegators.has(word) && !quote.some((other) => other.word === word))) return false;
  const asked = askedFor(tokens);
  const telling = asked.filter((token) => isTelling(token) && !token.isRun);
  return quote.some((negator, at) => {
    const isNegation = negators.has(negator.word) && !isComparison(quote[at + 1]);
    // No agenda, no meeting.
    if (quote.filter(({ word }) => word === 'no').length === 2) return false;
    // You cannot improve what you do not measure.
    if (quote.filter(({ word, clause }) => clause === negator.clause && undoingNegators.has(word)).length === 2)
      return false;
    if (!isNegation && (!leaving.has(negator.word) || tokens.some(({ word }) => word === negator.word))) return false;
    const behind = quote.slice(at + 1).filter(({ clause }) => clause === negator.clause);
    // Do not stop paying: to pay is not forbidden, to stop is.
    if (
      behind
        .slice(0, 2)
        .some((other) => softNegators.has(other.word) && !tokens.some(({ word }) => word === other.word))
    )
      return false;
    // Do not mix them without asking: who asks may mix them.
    const condition = behind.findIndex(({ word }) => exceptions.has(word));
    const isLifted =
      condition !== -1 &&
      !tokens.some(({ word }) => word === behind[condition]?.word) &&
      behind.slice(condition).some((token) => isTellingOrGeneric(token) && isIn(token, tokens));
    if (isLifted) return false;
    const [head] = asked;
    const isSameVerb = behind.slice(0, 2).some((token) => head !== undefined && areAkin(token, head));
    // Do not do that: what is forbidden was said before.
    const isRestated = negationsIn(tokens) >= negationsIn(quote.filter((token) => token.clause === negator.clause));
    if (isRestated && tokens.some((token) => !asked.includes(token) && isIn(token, behind))) return false;
    const clause = behind.some(isTelling) ? negator.clause : negator.clause - 1;
    const forbidden = quote.filter((token) => token.clause === clause && isTellingOrGeneric(token));
    const covered = telling.filter((token) => isIn(token, forbidden)).length;
    const things = forbidden.filter(isTelling);
    const isAllOfIt = things.length > 0 && things.every((thing) => isIn(thing, asked));
    return isAllOfIt || (isSameVerb && covered > 0) || (telling.length > 0 && covered >= telling.length * 0.7);
  });
}

/** French says ne and pas. */
const negationsIn = (tokens: readonly Token[]) =>
  tokens.filter(({ word }) => word !== 'ne' && (negators.has(word) || leaving.has(word))).length;

const exceptions = new Set('without unless until before ohne sans sin sem'.split(' '));

/** No more than, nicht wärmer als, no más de. */
function isComparison(next: Token | undefined): boolean {
  return (
    next !== undefined &&
    /^(?:more|less|later|longer|mehr|mas|plus|solo|only|nur)$|...er$/.test(next.word) &&
    next.word !== 'never'
  );
}

function forbidsAskedFor(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const isSaid = (word: string) => tokens.some((token) => token.word === word);
  if (quote.some(({ word }) => negators.has(word) || withoutWords.has(word) || (leaving.has(word) && !isSaid(word))))
    return false;
  const callsBad = ({ word, stem }: Token) =>
    (badWords.has(word) || badWords.has(stem)) && !tokens.some((token) => token.stem === stem);
  const leavesOut = ({ word }: Token) => omitting.has(word);
  return tokens.some(({ word }, at) => {
    const isWithout = withoutWords.has(word);
    if (!isWithout && (!negators.has(word) || isComparison(tokens[at + 1]))) return false;
    const behind = tokens.slice(at + 1, at + 6).filter(isTellingOrGeneric);
    return (
      behind
        .slice(0, isWithout ? 3 : 1)
        // Skipping it makes hungry is no call to skip it.
        .flatMap((token) => quote.filter((other) => (isWithout ? areAkin(token, other) : token.word === other.word)))
        .some(
          ({ clause }) =>
            !quote.some((other) => other.clause === clause && (isWithout ? leavesOut(other) : callsBad(other))),
        )
    );
  });
}

const omitting = new Set('ignore skip omit drop'.split(' '));

/** Their particle turns them around; elsewhere on is a preposition. */
const switching = new Set(['turn', 'switch', 'leave', 'keep'].map(stemOfWord));

function saysOpposite(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const turned = (one: string, other: string) =>
    has(tokens, one) && has(quote, other) && !has(tokens, other) && !has(quote, one);
  return opposites.some(([one, other]) => turned(one, other) || turned(other, one));
}

function has(tokens: readonly Token[], word: string): boolean {
  const isParticle = word === 'on' || word === 'off';
  const stem = stemOfWord(word);
  const isAdverb = word === 'first' || word === 'last';
  return tokens.some((token, at) => {
    if (isAdverb) return token.word === word && tokens[at + 1]?.clause !== token.clause;
    if (!isParticle) return token.word === word || token.stem === stem;
    const before = tokens.slice(Math.max(0, at - 3), at);
    // Turn it off on the wall: the first of them is the verb's.
    if (before.some((other) => other.word === 'on' || other.word === 'off')) return false;
    return token.word === word && before.some((verb) => switching.has(verb.stem));
  });
}

function turnsRun(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const [said, asked] = [runsOf(tokens), runsOf(quote)];
  if (said === '' || asked === '' || chineseNegators.some((sign) => said.includes(sign))) return false;
  return chineseNegators.some((sign) => {
    for (let at = asked.indexOf(sign); at !== -1; at = asked.indexOf(sign, at + 1)) {
      const [forbidden = ''] = asked.slice(at + sign.length, at + sign.length + 40).split(' ');
      const pairs = forbidden.length < 2 ? [] : pairsOf(forbidden);
      if (pairs.length > 0 && pairs.filter((pair) => said.includes(pair)).length > pairs.length / 2) return true;
    }
    return false;
  });
}
