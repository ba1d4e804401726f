import { badWords, conditions, leaving, negators, opposites, softNegators, withoutWords } from './word-lists.ts';
import { isGermanic, isIn, isKeyword, isContentWord, pairsOf, runsOf } from './keywords.ts';
import { turnsBound, turnsOrder } from './order.ts';
import { areAkin, stemOfWord, type Token } from './tokens.ts';

const chineseNegators = '不要 不得 不能 不可 不 别 別 勿 莫 避免 禁止 無 无 没 沒'.split(' ');
const japaneseNegators = 'てはいけ ではいけ てはなら てはだめ ないで ないよう べきでは'.split(' ');

/** Whether it asks for what the quote forbids, forbids what the quote asks for, or reverses an order or a bound. */
export function isTurned(tokens: readonly Token[], quote: readonly Token[]): boolean {
  return (
    asksForForbidden(tokens, quote) ||
    forbidsAskedFor(tokens, quote) ||
    turnsRun(tokens, quote) ||
    turnsBound(tokens, quote) ||
    // "Never open it" means the same as "keep it closed".
    (isForbidding(tokens) === isForbidding(quote) && (saysOpposite(tokens, quote) || turnsOrder(tokens, quote)))
  );
}

/** A negator with no other meaningful word in its clause ("not after it") forbids nothing by itself. */
function isForbidding(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ word, clause }) =>
      leaving.has(word) ||
      withoutWords.has(word) ||
      (negators.has(word) && tokens.some((other) => other.clause === clause && isContentWord(other))),
  );
}

/**
 * The words of an instruction that it does not negate. A negator applies to the words after it in its clause, or in
 * German to the whole clause. A negator within a condition forbids nothing.
 */
function askedFor(tokens: readonly Token[]): readonly Token[] {
  const isAround = tokens.some(isGermanic);
  return tokens.filter(
    ({ clause }, at) =>
      !tokens.some(
        (other, i) =>
          other.clause === clause && (i <= at || isAround) && isNegator(other, tokens) && !isInCase(tokens, i),
      ),
  );
}

/** Whether a word is within a condition: "when no header is sent". */
const isInCase = (tokens: readonly Token[], at: number) =>
  tokens.slice(0, at).some(({ word, clause }) => conditions.has(word) && clause === tokens[at]?.clause);

/** "no" is a negation, except in Portuguese, where it means "in the". */
function isNegator({ word }: Token, tokens: readonly Token[]): boolean {
  return negators.has(word) && (word !== 'no' || !tokens.some((other) => portuguese.has(other.word)));
}

const portuguese = new Set('nao um uma ao em na nas os'.split(' '));

/** Per quote: a text may consist of nothing but negations. */
const maxNegations = 16;

function asksForForbidden(tokens: readonly Token[], quote: readonly Token[]): boolean {
  // A soft negator may reword a negation of the quote, unless the quote has it as well ("under three months").
  if (tokens.some(({ word }) => softNegators.has(word) && !quote.some((other) => other.word === word))) return false;
  const asked = askedFor(tokens);
  const keywords = asked.filter((token) => isKeyword(token) && !token.isRun);
  let looked = 0;
  return quote.some((negator, at) => {
    const isNegation = isNegator(negator, quote) && !isComparison(quote[at + 1]);
    const isLeaving = !isNegation && (leaving.has(negator.word) || isApart(quote, at));
    if (!isNegation && (!isLeaving || tokens.some(({ word }) => word === negator.word))) return false;
    looked += 1;
    if (looked > maxNegations) return false;
    // "No agenda, no meeting" is a condition and forbids nothing.
    if (quote.filter(({ word }) => word === 'no').length === 2) return false;
    const own = quote.filter(({ clause }) => clause === negator.clause);
    const behind = own.slice(own.indexOf(negator) + 1);
    // "Do not mix them without asking": whoever asks may mix them.
    const condition = behind.findIndex(({ word }) => exceptions.has(word));
    const isLifted =
      condition !== -1 &&
      !tokens.some(({ word }) => word === behind[condition]?.word) &&
      behind.slice(condition).some((token) => isContentWord(token) && isIn(token, tokens));
    if (isLifted) return false;
    const isListed = leaving.has(negator.word) && negator.word !== 'stop';
    const forbidden = forbiddenBy(quote, at, isLeaving, isListed);
    const things = [...forbidden].filter(isKeyword);
    if (tokens.length > asked.length) return false;
    if (things.length > 0 && things.every((thing) => isIn(thing, asked))) return true;
    const rest = quote.filter((token) => !forbidden.has(token));
    const shared = keywords.filter((token) => isIn(token, things)).length;
    const isMostly = shared > keywords.filter((token) => isIn(token, rest)).length;
    return isMostly && shared >= (isListed ? 1 : Math.max(2, keywords.length / 2));
  });
}

/**
 * The words that a negation applies to: those of its clause, up to a condition. "avoid" applies to a whole list, "keep
 * away" also to the words before it. "Do not do that" applies to the clause before.
 */
function forbiddenBy(quote: readonly Token[], at: number, isLeaving: boolean, isListed: boolean): ReadonlySet<Token> {
  const clause = quote[at]?.clause ?? 0;
  const isSaid = (token: Token, place: number) =>
    place !== at && token.clause === clause && (token.numbers.length > 0 || isKeyword(token));
  const of = isLeaving || quote.some(isSaid) ? clause : clause - 1;
  const first = quote.findIndex((token, i) => i > at && isKeyword(token));
  const end = quote.findIndex(({ word }, i) => i > first && first !== -1 && cases.has(word));
  const listEnd = quote.findIndex(({ isFirst, word }, i) => i > at && (isFirst || relatives.has(word)));
  return new Set(
    quote.filter((token, place) => {
      if (place === at || (end !== -1 && place >= end) || !isContentWord(token)) return false;
      const isInList = isListed && place > at && (listEnd === -1 || place < listEnd);
      return token.clause === of || isInList || (isApart(quote, at) && place < at);
    }),
  );
}

const cases = new Set([...conditions, ...'while mientras wahrend pendant during durante enquanto'.split(' ')]);
const relatives = new Set('which who qui que die das welche'.split(' '));

/** Whether the word ends "keep it away" or "leave it alone". */
function isApart(quote: readonly Token[], at: number): boolean {
  const word = quote[at]?.word;
  return (
    (word === 'away' || word === 'alone') &&
    quote.slice(Math.max(0, at - 9), at).some((verb) => ['keep', 'leav', 'stai'].includes(verb.stem))
  );
}

const exceptions = new Set('without unless until before ohne sans sin sem'.split(' '));

/** Whether a negator with this next word is a comparison: "no more than", "nicht wärmer als", "no más de". */
function isComparison(next: Token | undefined): boolean {
  return (
    next !== undefined &&
    /^(?:more|less|later|longer|mehr|mas|plus|solo|only|nur)$|...er$/.test(next.word) &&
    next.word !== 'never'
  );
}

/**
 * Whether it negates what the quote asks for: "do not open" for "open". Not when the quote has a negation itself, or
 * calls the thing bad in the same clause.
 */
function forbidsAskedFor(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const isNegative = (token: Token) =>
    isNegator(token, quote) || withoutWords.has(token.word) || leaving.has(token.word);
  if (quote.some((token) => isNegative(token) && !tokens.some(({ word }) => leaving.has(word) && word === token.word)))
    return false;
  const callsBad = ({ word, stem }: Token) =>
    (badWords.has(word) || badWords.has(stem)) && !tokens.some((token) => token.stem === stem);
  return tokens.some((token, at) => {
    const isWithout = withoutWords.has(token.word);
    const isNot = isNegator(token, tokens) && !isInCase(tokens, at) && !isComparison(tokens[at + 1]);
    if (!isWithout && !isNot) return false;
    const left = tokens.slice(at + 1, at + 6).filter(isContentWord);
    const isLeft = (other: Token) =>
      isWithout ? left.slice(0, 3).some((token) => areAkin(token, other)) : other.word === left[0]?.word;
    return quote.some((one) => isLeft(one) && !quote.some((other) => other.clause === one.clause && callsBad(other)));
  });
}

/** Verbs that "on" and "off" turn into opposites; elsewhere "on" is a preposition. */
const switching = new Set(['turn', 'switch', 'leave', 'keep'].map(stemOfWord));

/** Whether it has the opposite of a word in the quote ("on" for "off"), in a clause with another word of the quote. */
function saysOpposite(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const isOfQuote = (place: Token) =>
    tokens.some(
      (token) => token !== place && token.clause === place.clause && isContentWord(token) && isIn(token, quote),
    );
  const turned = (one: string, other: string) =>
    placesOf(tokens, one).some(isOfQuote) &&
    placesOf(quote, other).length > 0 &&
    placesOf(tokens, other).length === 0 &&
    placesOf(quote, one).length === 0;
  return opposites.some(([one, other]) => turned(one, other) || turned(other, one));
}

function placesOf(tokens: readonly Token[], word: string): Token[] {
  const isParticle = word === 'on' || word === 'off';
  const stem = stemOfWord(word);
  return tokens.filter((token, at) => {
    if (!isParticle) return token.word === word || token.stem === stem;
    const before = tokens.slice(Math.max(0, at - 3), at);
    // "Turn it off on the wall": the first particle belongs to the verb.
    if (before.some((other) => other.word === 'on' || other.word === 'off')) return false;
    return token.word === word && before.some((verb) => switching.has(verb.stem));
  });
}

/** The same check for Chinese, which negates before the verb, and Japanese, which negates after it. */
function turnsRun(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const [said, asked] = [runsOf(tokens), runsOf(quote)];
  const signs = [...chineseNegators, ...japaneseNegators];
  if (said === '' || signs.some((sign) => said.includes(sign))) return false;
  return signs.some((sign) => {
    const isBehind = japaneseNegators.includes(sign);
    for (let at = asked.indexOf(sign); at !== -1; at = asked.indexOf(sign, at + 1)) {
      const [behind = ''] = asked.slice(at + sign.length, at + sign.length + 40).split(' ');
      const forbidden = isBehind
        ? (asked
            .slice(Math.max(0, at - 40), at)
            .split(' ')
            .at(-1) ?? '')
        : behind;
      const pairs = forbidden.length < 2 ? [] : pairsOf(forbidden);
      const shared = pairs.filter((pair) => said.includes(pair)).length;
      if (isBehind ? shared > 1 && shared >= pairs.length / 2 : shared > pairs.length / 2) return true;
    }
    return false;
  });
}
