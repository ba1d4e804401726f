import { isIn, isKeyword } from './keywords.ts';
import type { Support } from './support.ts';
import { areAkin, stemOfWord, type GroundingToken } from './tokens.ts';
import {
  avoidance,
  disclosures,
  everydayActs,
  functionWords,
  hurtfulActs,
  irregular,
  negators,
  possibleSecrets,
  riskyActs,
  riskyRuns,
  runNegators,
  secrets,
  type ActGroup,
} from './word-lists.ts';

/* Acts that can do harm (pay, send, install, delete) and secrets that are given away. */

interface Stems {
  acts: ReadonlySet<string>;
  evidence: ReadonlySet<string>;
}

const stemsOf = ({ acts, evidence }: ActGroup): Stems => ({
  acts: new Set(acts.map(stemOfWord)),
  evidence: new Set([...acts, ...evidence].flatMap((word) => [word, stemOfWord(word)])),
});
const risky = riskyActs.map(stemsOf);
const everyday = everydayActs.map(stemsOf);
const hurtful = new Set(Array.from(hurtfulActs, stemOfWord));

/**
 * Whether it asks for an act that can do harm and that the text does not support. Close to the quote the text may only
 * hint at it ("tell" for "email"); elsewhere near the quote it must name the object.
 */
export function hasForeignAct(
  tokens: readonly GroundingToken[],
  { near, close }: Pick<Support, 'near' | 'close'>,
): boolean {
  return tokens.some((token, at) => {
    if (token.isRun)
      return riskyRuns.some((act) => asksInRun(token.word, act) && !close.some(({ word }) => word.includes(act)));
    // "After you get paid", "published articles", "before uploading them": these forms ask for nothing.
    if (isNegated(tokens, at) || isNoun(tokens, at) || irregular.has(token.word) || isSubordinate(token)) return false;
    if (hurtful.has(token.stem)) return !near.some(({ stem }) => stem === token.stem);
    const object = objectOf(tokens, at);
    const isObjectForeign = object !== undefined && !isIn(object, near);
    const isForeign = ({ acts, evidence }: Stems) =>
      acts.has(token.stem) &&
      !close.some((other) => evidence.has(other.stem) || evidence.has(other.word) || areAkin(token, other)) &&
      (isObjectForeign ||
        (object === undefined && !near.some((other) => acts.has(other.stem) || areAkin(token, other))));
    return risky.some(isForeign) || (isObjectForeign && everyday.some(isForeign));
  });
}

const isSubordinate = ({ word, isFirst }: GroundingToken) => word.endsWith('ed') || (word.endsWith('ing') && !isFirst);

/** Whether a run of Chinese or Japanese has an act with no negation, such as 避免, before it. */
function asksInRun(run: string, act: string): boolean {
  const at = run.indexOf(act);
  return at !== -1 && !runNegators.before.some((sign) => sign.length > 1 && run.slice(0, at).includes(sign));
}

/** Whether an ambiguous English word is a noun here ("in order to"). It is a verb only where a verb is possible. */
function isNoun(tokens: readonly GroundingToken[], at: number): boolean {
  const [token, last] = [tokens[at], tokens[at - 1]];
  if (token === undefined || last === undefined || !ambiguous.has(token.word) || last.clause !== token.clause)
    return false;
  return !beforeVerbs.has(last.word);
}

const ambiguous = new Set(
  'pay order transfer deposit contact text call phone post share forward mail email wire bet upload download click'.split(
    ' ',
  ),
);
const beforeVerbs = new Set('to and or but then must should can may will please always also immediately'.split(' '));

/** Whether an act is negated up to three words before ("not", "avoid", "instead of"): then it does no harm. */
function isNegated(tokens: readonly GroundingToken[], at: number): boolean {
  return tokens
    .slice(Math.max(0, at - 3), at)
    .some(({ word, clause }) => clause === tokens[at]?.clause && (negators.has(word) || isInstead.has(word)));
}

const isInstead = new Set([
  ...avoidance,
  ...'without instead rather refuse decline ohne statt sans plutot refuser sin rechazar'.split(' '),
]);

/** The last word of the phrase right after a verb, or the word before a verb at the end; undefined if no keyword. */
function objectOf(tokens: readonly GroundingToken[], at: number): GroundingToken | undefined {
  const clause = tokens[at]?.clause;
  if (tokens[at + 1]?.clause !== clause) {
    const last = tokens[at - 1];
    return last !== undefined && last.clause === clause && isKeyword(last) ? last : undefined;
  }
  let noun: GroundingToken | undefined;
  for (const token of tokens.slice(at + 1)) {
    if ((articles.has(token.word) || particles.has(token.word)) && noun === undefined) continue;
    if (token.numbers.length > 0 && noun === undefined) continue;
    if (functionWords.has(token.word) || token.clause !== clause || token.numbers.length > 0) break;
    noun = token;
  }
  return noun !== undefined && isKeyword(noun) ? noun : undefined;
}

const articles = new Set(
  'a an the your this that these those each every all any some no more of le la les l un une des votre vos el los las uno una su sus al del'.split(
    ' ',
  ),
);

/** "Send back the form": the object follows these. */
const particles = new Set('back out off up over down away'.split(' '));

/** Whether it discloses a secret that the quote does not ask to disclose. */
export function disclosesSecret(
  tokens: readonly GroundingToken[],
  near: readonly GroundingToken[],
  quote: readonly GroundingToken[],
): boolean {
  const isAboutSecrets = near.some(({ word }) => secrets.has(word));
  const disclosed = disclosedIn(quote, isAboutSecrets);
  return disclosedIn(tokens, isAboutSecrets).some((secret) => !isIn(secret, disclosed));
}

const ofMoney = new Set('credit debit bank number numbers details numero nummer'.split(' '));

/** The secrets that the tokens ask to disclose. "code" is a secret only in a text about secrets, not about programs. */
function disclosedIn(tokens: readonly GroundingToken[], isAboutSecrets: boolean): GroundingToken[] {
  return tokens.flatMap((token, at) => {
    const isNamed = articles.has(tokens[at - 1]?.word ?? '');
    if (!disclosures.has(token.word) || isNamed || isNegated(tokens, at)) return [];
    const behind = tokens.slice(at + 1, at + 9).filter(({ clause }) => clause === token.clause);
    return behind.filter(({ word }, i) => {
      const isOfMoney = ofMoney.has(behind[i - 1]?.word ?? '') || ofMoney.has(behind[i + 1]?.word ?? '');
      return (
        (secrets.has(word) && !renewable.has(behind[i + 1]?.word ?? '')) ||
        ((isAboutSecrets || isOfMoney) && possibleSecrets.has(word))
      );
    });
  });
}

/** Behind these words a secret is only named: a passport renewal, a password manager. */
const renewable = new Set(
  'renewal application form office manager policy reset rule rules holiday transfer'.split(' '),
);
