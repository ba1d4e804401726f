import { badWords, negators, opposites, softNegators, withoutWords } from './instruction-words.ts';
import { isIn, isTelling, isTellingOrGeneric } from './instruction-meaning.ts';
import { areAkin, stemOfWord, type Token } from './instruction-tokens.ts';

const chineseNegators = [
  '不要',
  '不得',
  '不能',
  '不可',
  '不',
  '别',
  '別',
  '勿',
  '莫',
  '避免',
  '禁止',
  '無',
  '无',
  '没',
  '沒',
];

/** Whether it asks for what the quote forbids, or forbids what the quote asks for. */
export function isTurned(tokens: readonly Token[], quote: readonly Token[]): boolean {
  return (
    asksForForbidden(tokens, quote) ||
    forbidsAskedFor(tokens, quote) ||
    saysOpposite(tokens, quote) ||
    turnsRun(tokens, quote)
  );
}

function asksForForbidden(tokens: readonly Token[], quote: readonly Token[]): boolean {
  // A soft one that the quote has as well says nothing: under three months.
  const isOwn = ({ word }: Token) => softNegators.has(word) && !quote.some((other) => other.word === word);
  if (tokens.some((token) => negators.has(token.word) || isOwn(token))) return false;
  const telling = tokens.filter((token) => isTelling(token) && !token.isRun);
  return quote.some((negator, at) => {
    const isNegation = negators.has(negator.word) && !isComparison(quote[at + 1]);
    if (!isNegation && negator.word !== 'avoid') return false;
    const behind = quote.slice(at + 1).filter(({ clause }) => clause === negator.clause);
    // Do not stop paying: to pay is not forbidden, to stop is.
    if (
      behind
        .slice(0, 2)
        .some((other) => softNegators.has(other.word) && !tokens.some(({ word }) => word === other.word))
    )
      return false;
    // Do not mix them without asking: who asks may mix them.
    const condition = behind.findIndex(({ word }) => conditions.has(word));
    const isLifted =
      condition !== -1 &&
      !tokens.some(({ word }) => word === behind[condition]?.word) &&
      behind.slice(condition).some((token) => isTellingOrGeneric(token) && isIn(token, tokens));
    if (isLifted) return false;
    const [head] = tokens;
    const isSameVerb = behind.slice(0, 2).some((token) => head !== undefined && areAkin(token, head));
    // Do not do that: what is forbidden was said before.
    const clause = behind.some(isTelling) ? negator.clause : negator.clause - 1;
    const forbidden = quote.filter((token) => token.clause === clause && isTellingOrGeneric(token));
    const covered = telling.filter((token) => isIn(token, forbidden)).length;
    const things = forbidden.filter(isTelling);
    const isAllOfIt = things.length > 0 && things.every((thing) => isIn(thing, tokens));
    return isAllOfIt || (isSameVerb && covered > 0) || (telling.length > 0 && covered >= telling.length * 0.7);
  });
}

const conditions = new Set('without unless until before ohne sans sin sem'.split(' '));

/** No more than, nicht wärmer als, no más de. */
function isComparison(next: Token | undefined): boolean {
  return (
    next !== undefined &&
    /^(?:more|less|later|longer|mehr|mas|plus|solo|only|nur)$|...er$/.test(next.word) &&
    next.word !== 'never'
  );
}

function forbidsAskedFor(tokens: readonly Token[], quote: readonly Token[]): boolean {
  if (quote.some(({ word }) => negators.has(word) || withoutWords.has(word))) return false;
  const callsBad = ({ word, stem }: Token) =>
    (badWords.has(word) || badWords.has(stem)) && !tokens.some((token) => token.stem === stem);
  return tokens.some(({ word }, at) => {
    const isWithout = withoutWords.has(word);
    if (!isWithout && (!negators.has(word) || isComparison(tokens[at + 1]))) return false;
    const behind = tokens.slice(at + 1, at + 6).filter(isTellingOrGeneric);
    return behind
      .slice(0, isWithout ? 3 : 1)
      .flatMap((token) => quote.filter((other) => areAkin(token, other)))
      .some(({ clause }) => isWithout || !quote.some((other) => other.clause === clause && callsBad(other)));
  });
}

/** Their particle turns them around; elsewhere on is a preposition. */
const switching = new Set(['turn', 'switch', 'leave', 'keep'].map(stemOfWord));

function saysOpposite(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const isForbidding = (list: readonly Token[]) =>
    list.some(({ word }) => negators.has(word) || word === 'avoid' || word === 'stop');
  // Never open it is keep it closed.
  if (isForbidding(tokens) !== isForbidding(quote)) return false;
  const turned = (one: string, other: string) => {
    const [said, asked] = [placesOf(one, tokens), placesOf(other, quote)];
    if (
      said.length === 0 ||
      asked.length === 0 ||
      placesOf(other, tokens).length > 0 ||
      placesOf(one, quote).length > 0
    )
      return false;
    if (!relations.has(one)) return true;
    // After the test you may and before you may, do the test: only before and after the same thing are opposites.
    const behind = (list: readonly Token[], at: number) => list.slice(at + 1).find(isTelling);
    const things = asked.flatMap((at) => behind(quote, at) ?? []);
    return said.flatMap((at) => behind(tokens, at) ?? []).some((thing) => isIn(thing, things));
  };
  return opposites.some(([one, other]) => turned(one, other) || turned(other, one));
}

const relations = new Set('before after above below inside outside vor nach avant apres antes despues'.split(' '));

function placesOf(word: string, tokens: readonly Token[]): number[] {
  const isParticle = word === 'on' || word === 'off';
  return tokens.flatMap((token, at) => {
    if (isParticle) {
      const verb = tokens.slice(Math.max(0, at - 3), at).some(({ stem }) => switching.has(stem));
      return token.word === word && verb ? [at] : [];
    }
    return token.word === word || token.stem === stemOfWord(word) ? [at] : [];
  });
}

function turnsRun(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const said = tokens.flatMap(({ word, isRun }) => (isRun ? [word] : [])).join(' ');
  const asked = quote.flatMap(({ word, isRun }) => (isRun ? [word] : [])).join(' ');
  if (said === '' || asked === '' || chineseNegators.some((sign) => said.includes(sign))) return false;
  return chineseNegators.some((sign) => {
    for (let at = asked.indexOf(sign); at !== -1; at = asked.indexOf(sign, at + 1)) {
      const verb = asked.slice(at + sign.length, at + sign.length + 2);
      if (verb.length === 2 && said.includes(verb)) return true;
    }
    return false;
  });
}
