import { destructiveWords, functionWords, negators, riskyRuns, riskyWords, softNegators } from './instruction-words.ts';
import { isGermanic, isIn, isTelling } from './instruction-meaning.ts';
import { areAkin, stemOfWord, type Token } from './instruction-tokens.ts';

/* What an instruction has done, and to what. */

export function isAct({ stem, word, isRun }: Token): boolean {
  return isRun ? riskyRuns.some((act) => word.includes(act)) : acts.has(stem);
}

const acts = new Map(
  [...riskyWords].map(([word, others]) => [stemOfWord(word), [word, ...others].map(stemOfWord)] as const),
);

export function isSameAct(token: Token, near: readonly Token[]): boolean {
  const same = acts.get(token.stem);
  return same !== undefined && near.some((other) => same.includes(other.stem) || other.word === token.word);
}

/** To leave an act alone does no harm. */
export function isForbidden(before: Token | undefined): boolean {
  return before !== undefined && (negators.has(before.word) || before.word === 'avoid');
}

export function isForeignAct(token: Token, near: readonly Token[]): boolean {
  if (token.isRun)
    return riskyRuns.some((act) => token.word.includes(act) && !near.some(({ word }) => word.includes(act)));
  return acts.has(token.stem) && !isSameAct(token, near);
}

/** Whether it does what harms to something that is not named near the quote. */
export function actsOnForeign(tokens: readonly Token[], near: readonly Token[], close: readonly Token[]): boolean {
  if (!tokens.some(isAct) || !hasHeadFirst(tokens)) return false;
  const noun = nounBehind(tokens, 0);
  const place = destructiveWords.has(tokens[0]?.word ?? '') ? close : near;
  return noun !== undefined && isTelling(noun) && !isIn(noun, place);
}

/**
 * Whether it puts another thing in the place of one that the quote names: behind the same verb or the same preposition. Of a setting
 * the value has to stand in the text.
 */
export function swapsObject(tokens: readonly Token[], near: readonly Token[], quote: readonly Token[]): boolean {
  if (!hasHeadFirst(tokens)) return false;
  return tokens.some((token, at) => {
    if (negators.has(token.word)) return false;
    const noun = nounBehind(tokens, at);
    if (noun === undefined || !isTelling(noun) || isIn(noun, near)) return false;
    const isContrast = tokens
      .slice(Math.max(0, at - 2), at)
      .some(({ word }) => negators.has(word) || softNegators.has(word));
    if (at === 0 || (towards.has(token.word) && !isContrast))
      return quote.some(
        (other, i) => areAkin(token, other) && (nounBehind(quote, i) ?? pronoun(quote[i + 1])) !== undefined,
      );
    return token.word === 'to' && noun === tokens.at(-1) && settingVerbs.has(tokens[0]?.word ?? '');
  });
}

const hasHeadFirst = (tokens: readonly Token[]) => !tokens.some((token) => token.isRun || isGermanic(token));
const pronoun = (token: Token | undefined) => (pronouns.has(token?.word ?? '') ? token : undefined);
const pronouns = new Set('it them one'.split(' '));
const settingVerbs = new Set('set change rename switch'.split(' '));

/** The last word of what comes right behind a verb or preposition. */
function nounBehind(tokens: readonly Token[], at: number): Token | undefined {
  let noun: Token | undefined;
  for (const token of tokens.slice(at + 1)) {
    if (articles.has(token.word) && noun === undefined) continue;
    if (functionWords.has(token.word) || token.clause !== tokens[at]?.clause || articles.has(token.word)) break;
    noun = token;
  }
  return noun;
}

const towards = new Set('with at from via into avec chez con'.split(' '));
const articles = new Set(
  'a an the your this that these those each every all any some no more le la les l un une des votre vos el los las uno una su sus al del'.split(
    ' ',
  ),
);
