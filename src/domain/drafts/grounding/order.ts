import { isIn, isContentWord } from './keywords.ts';
import { isSameQuantity, quantitiesIn, type Quantity } from './quantities.ts';
import { conditions, negators } from './word-lists.ts';
import { areAkin, type Token } from './tokens.ts';

/* Compares order ("before", "rather than") and bounds ("at most") of an instruction with those of its quote. */

/** `one` comes before `other`, or is preferred to it. */
interface Order {
  one: readonly Token[];
  other: readonly Token[];
  isPreference: boolean;
}

const befores = new Set('before prior bevor vor ehe avant antes'.split(' '));
const afters = new Set('after following nach nachdem apres despues tras'.split(' '));
const thens = new Set('then afterwards later dann danach anschliessend puis ensuite luego'.split(' '));
/** Words of preference, each with the word that must follow. */
const preferences = new Map([
  ['instead', 'of'],
  ['rather', 'than'],
  ['plutot', 'que'],
  ['beats', undefined],
  ['statt', undefined],
]);
/** Per text: it may consist of nothing but such words. */
const maxOrders = 8;

/** Whether the instruction reverses an order or preference of the quote. */
export function turnsOrder(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const asked = ordersIn(quote);
  return ordersIn(tokens).some(({ one, other, isPreference }) => {
    const balances = asked
      .filter((order) => order.isPreference === isPreference)
      .map(
        (order) =>
          shared(one, order.one, isPreference) +
          shared(other, order.other, isPreference) -
          shared(one, order.other, isPreference) -
          shared(other, order.one, isPreference),
      );
    return balances.some((balance) => balance < 0) && !balances.some((balance) => balance > 0);
  });
}

function ordersIn(tokens: readonly Token[]): Order[] {
  const orders: Order[] = [];
  for (const [at, token] of tokens.entries()) {
    if (orders.length >= maxOrders) break;
    const isNot = negators.has(token.word) && at > 0 && tokens[at - 1]?.clause !== token.clause;
    // "Not after it" asks for another order.
    if (!isNot && (!isMarker(token, tokens[at + 1]) || negators.has(tokens[at - 1]?.word ?? ''))) continue;
    const own = tokens.slice(0, at).filter(({ clause }) => clause === token.clause);
    const earlier = lastClause(tokens.slice(0, at - own.length));
    const before = own.some(isContentWord) ? own : earlier;
    const behind = clauseBehind(tokens, at);
    const isPreference = isNot || preferences.has(token.word);
    if (isPreference || thens.has(token.word)) orders.push({ one: before, other: behind, isPreference });
    else {
      // "Before it rains, close it": the other half follows the clause.
      const all = before.length > 0 ? before : clauseBehind(tokens, at + behind.length);
      // Words on both sides say nothing about the order.
      const outside = tokens.filter((word) => !behind.includes(word));
      const other = behind.filter((word) => !outside.some((said) => areAkin(word, said)));
      const rest = all.filter((word) => !behind.some((said) => areAkin(word, said)));
      orders.push(
        afters.has(token.word) ? { one: other, other: rest, isPreference } : { one: rest, other, isPreference },
      );
    }
  }
  return orders.filter(({ one, other }) => one.length > 0 && other.length > 0);
}

function isMarker({ word }: Token, next: Token | undefined): boolean {
  if (preferences.has(word)) return [undefined, next?.word].includes(preferences.get(word));
  return befores.has(word) || afters.has(word) || thens.has(word);
}

/** The words after a place, up to the end of the clause, another word of order or a condition. */
function clauseBehind(tokens: readonly Token[], at: number): readonly Token[] {
  const behind = tokens.slice(at + 1);
  const end = behind.findIndex(
    (token, i) => token.clause !== behind[0]?.clause || isMarker(token, behind[i + 1]) || conditions.has(token.word),
  );
  return end === -1 ? behind : behind.slice(0, end);
}

function lastClause(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLast(isContentWord);
  return tokens.filter(({ clause }) => clause === last?.clause);
}

/** The number of words of `some` that `others` has. */
function shared(some: readonly Token[], others: readonly Token[], isPreference: boolean): number {
  // The first word is the verb, which counts twice.
  const [head, other] = [some.find(isContentWord), others.find(isContentWord)];
  const isSameVerb = !isPreference && head !== undefined && other !== undefined && areAkin(head, other);
  return some.filter((token) => isContentWord(token) && isIn(token, others)).length + (isSameVerb ? 1 : 0);
}

interface Bound {
  quantity: Quantity;
  isUpper: boolean;
  /** A "more than" that may be an observation, such as "more than ten percent", and no request. */
  isFound: boolean;
}

/* Phrases before a number that make it an upper or a lower bound. */
const phrases = (text: string) => text.split(',').map((phrase) => ` ${phrase} `);
const atMost = phrases(
  'at most,no more than,not more than,no later than,up to,maximum,maximum of,max,hochstens,maximal,au plus,au maximum,como maximo,a lo sumo',
);
const atLeast = phrases(
  'at least,no less than,not less than,no fewer than,minimum,minimum of,mindestens,au moins,au minimum,al menos,por lo menos,como minimo',
);
const less = phrases('less than,fewer than,under,below,weniger als,unter,moins de,menos de');
const more = phrases('more than,longer than,later than,over,above,mehr als,uber,plus de,mas de');
const forbidding = new Set([...negators, ...'avoid refuse decline reject eviter evitar vermeiden'.split(' ')]);

/** Whether it makes an upper bound of a lower bound in the quote, or the reverse. */
export function turnsBound(tokens: readonly Token[], quote: readonly Token[]): boolean {
  // An observation in the quote ("more than ten percent") is not a bound that it asks for.
  const asked = boundsIn(quote).filter(({ isFound }) => !isFound);
  return boundsIn(tokens).some(({ quantity, isUpper }) =>
    asked.some((other) => isSameQuantity(other.quantity, quantity) && other.isUpper !== isUpper),
  );
}

function boundsIn(tokens: readonly Token[]): Bound[] {
  const isConditional = tokens.some(({ word }) => conditions.has(word));
  return quantitiesIn(tokens).flatMap((quantity): Bound[] => {
    const { at } = quantity;
    const words = tokens.slice(Math.max(0, at - 4), at).map(({ word }) => word);
    const before = ` ${words.join(' ')} `;
    const has = (some: readonly string[]) => some.some((phrase) => before.includes(phrase));
    if (has(atMost) || has(atLeast)) return [{ quantity, isUpper: has(atMost), isFound: false }];
    const isMore = has(more);
    if (isConditional || (!isMore && !has(less))) return [];
    const isForbidden = tokens.slice(Math.max(0, at - 9), at).some(({ word }) => forbidding.has(word));
    return [{ quantity, isUpper: isMore === isForbidden, isFound: isMore && !isForbidden }];
  });
}
