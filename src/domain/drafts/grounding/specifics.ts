import {
  disclosures,
  functionWords,
  gravelyRisky,
  hurtful,
  medicineEndings,
  mildlyRisky,
  negators,
  possibleSecrets,
  riskyRuns,
  secrets,
  softNegators,
  substances,
  type RiskyGroup,
} from './word-lists.ts';
import { isGeneric, isGermanic, isIn, isKeyword } from './keywords.ts';
import { stemOfWord, type Token } from './tokens.ts';

/*
 * Specifics, apart from numbers, that an instruction must not add to the text: names, acts that can do harm, secrets,
 * medicines and other substances.
 */

/**
 * Whether it has a name that is not near the quote. A capitalized word within an instruction is a name, unless most of
 * its words are capitalized or the language (German) capitalizes nouns.
 */
export function hasForeignName(tokens: readonly Token[], near: readonly Token[]): boolean {
  const inner = tokens.slice(1).filter(({ word }) => /^\p{L}{4,}/u.test(word));
  const capitals = inner.filter(({ isCapital }) => isCapital).length;
  const hasNames = capitals <= Math.max(2, inner.length * 0.5) && !tokens.some(isGermanic);
  return tokens.some((token) => {
    const isWritten = token.isCode || (/^\d/.test(token.word) && token.numbers.length === 0);
    if (isWritten) return !near.some(({ word }) => word === token.word);
    if (token.isFirst || !hasNames || !token.isCapital || token.isAcronym || token.word.length === 1) return false;
    return !isIn(token, near) && !isGeneric(token);
  });
}

/** Identifiers of programs, with symbols or inner capitals: `pg_dump`, `--force`, `maxSize`. */
const identifier = /[_~\\{}|]|^--?\p{L}|\p{Ll}\p{Lu}/u;

export function hasForeignIdentifier(words: string, written: string): boolean {
  return words
    .split(/[\s,;:()"'`]/u)
    .some((word) => identifier.test(word) && !written.includes(word.toLowerCase().replace(/[.!?]$/, '')));
}

interface Stems {
  acts: ReadonlySet<string>;
  all: ReadonlySet<string>;
}
const stemsOf = ({ acts, evidence }: RiskyGroup): Stems => {
  const stems = acts.map(stemOfWord);
  return { acts: new Set(stems), all: new Set([...stems, ...evidence.map(stemOfWord)]) };
};
const grave = gravelyRisky.map(stemsOf);
const mild = mildlyRisky.map(stemsOf);

/** Whether it asks for an act that can do harm and that nothing near the quote supports. */
export function hasForeignAct(tokens: readonly Token[], near: readonly Token[], close: readonly Token[]): boolean {
  const isBorne = ({ all }: Stems) => near.some(({ stem, word }) => all.has(stem) || all.has(word));
  return tokens.some((token, at) => {
    if (token.isRun) {
      return riskyRuns.some((act) => token.word.includes(act) && !close.some(({ word }) => word.includes(act)));
    }
    if (isLeft(tokens, at) || isNoun(tokens, at)) return false;
    const isOf = ({ acts }: Stems) => acts.has(token.stem);
    if (hurtfulStems.has(token.stem)) return !near.some(({ stem }) => stem === token.stem);
    const noun = nounBehind(tokens, at);
    const isOnForeign = noun !== undefined && !isIn(noun, near);
    const isOnOther = ({ all }: Stems) => isOnForeign && !all.has(noun.stem);
    if (grave.some((group) => isOf(group) && (!isBorne(group) || isOnOther(group)))) return true;
    return isOnForeign && mild.some((group) => isOf(group) && !isBorne(group));
  });
}

const hurtfulStems = new Set(Array.from(hurtful, stemOfWord));

/** Whether an ambiguous English word is a noun here ("in order to"). It is a verb only where a verb can stand. */
function isNoun(tokens: readonly Token[], at: number): boolean {
  const [token, last] = [tokens[at], tokens[at - 1]];
  if (token === undefined || last === undefined || !ambiguous.has(token.word) || last.clause !== token.clause)
    return false;
  return !beforeVerbs.has(last.word);
}

const ambiguous = new Set(
  'order transfer deposit contact text call phone post share forward mail email wire bet upload download log register click'.split(
    ' ',
  ),
);
const beforeVerbs = new Set('to and or but then must should can may will please always also immediately'.split(' '));

/** Whether an act is negated ("not", "avoid", "instead of" up to three words before): then it does no harm. */
function isLeft(tokens: readonly Token[], at: number): boolean {
  return tokens
    .slice(Math.max(0, at - 3), at)
    .some(({ word, clause }) => (negators.has(word) || softNegators.has(word)) && clause === tokens[at]?.clause);
}

/** Whether it discloses a secret that the quote does not ask to disclose. */
export function disclosesSecret(tokens: readonly Token[], near: readonly Token[], quote: readonly Token[]): boolean {
  const isAboutSecrets = near.some(({ word }) => secrets.has(word));
  const disclosed = disclosedIn(quote, isAboutSecrets);
  return disclosedIn(tokens, isAboutSecrets).some((secret) => !isIn(secret, disclosed));
}

const ofMoney = new Set('credit debit bank number numbers details numero nummer'.split(' '));

/** The secrets that the tokens ask to disclose. "code" is a secret only in a text about secrets, not about programs. */
function disclosedIn(tokens: readonly Token[], isAboutSecrets: boolean): Token[] {
  return tokens.flatMap((token, at) => {
    if (!disclosures.has(token.word) || isLeft(tokens, at)) return [];
    const behind = tokens.slice(at + 1, at + 9).filter(({ clause }) => clause === token.clause);
    return behind.filter(({ word }, i) => {
      const isOfMoney = ofMoney.has(behind[i - 1]?.word ?? '') || ofMoney.has(behind[i + 1]?.word ?? '');
      return secrets.has(word) || ((isAboutSecrets || isOfMoney) && possibleSecrets.has(word));
    });
  });
}

export function hasForeignSubstance(
  tokens: readonly Token[],
  near: readonly Token[],
  quote: readonly Token[],
): boolean {
  // If the quote names a substance, other substances near it are not accepted.
  const named = quote.some(isSubstance) ? quote : near;
  return tokens.some(
    (token, at) => isSubstance(token) && !isLeft(tokens, at) && !named.some(({ stem }) => stem === token.stem),
  );
}

const substanceStems = new Set(Array.from(substances, stemOfWord));
const isSubstance = ({ word, stem }: Token) =>
  substanceStems.has(stem) || (word.length >= 7 && medicineEndings.some((end) => word.replace(/s$/, '').endsWith(end)));

/** The last word of the phrase right after a verb; undefined when it is not a keyword. */
function nounBehind(tokens: readonly Token[], at: number): Token | undefined {
  let noun: Token | undefined;
  for (const token of tokens.slice(at + 1)) {
    if (articles.has(token.word) && noun === undefined) continue;
    if (functionWords.has(token.word) || token.clause !== tokens[at]?.clause) break;
    noun = token;
  }
  return noun !== undefined && isKeyword(noun) ? noun : undefined;
}

const articles = new Set(
  'a an the your this that these those each every all any some no more of le la les l un une des votre vos el los las uno una su sus al del'.split(
    ' ',
  ),
);
