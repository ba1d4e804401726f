import { mostActions, type Analysis } from '../domain/analysis.ts';
import type { Goal } from '../domain/goal.ts';
import type { SourceSentence } from './extractive-candidates.ts';
import { goalReason, matchGoal, wordsOfGoal, type GoalMatch } from './extractive-goals.ts';
import { findImperative } from './extractive-imperatives.ts';
import { speaksToMachines } from './extractive-machines.ts';
import type { Pause } from './extractive-pause.ts';
import type { Tagger } from './extractive-tagger.ts';
import { countShared, termsOf, wordsOf } from './extractive-words.ts';

const longestTitle = 160;
/** Sentences of a document that are looked at; of a longer one evenly spread ones, so that a book takes seconds. */
const mostSentences = 12_000;

type Action = Analysis['actions'][number];

interface Found {
  sentence: SourceSentence;
  title: string;
  reason: string | null;
  match: GoalMatch | null;
  score: number;
}

/** The instructions that a text in English gives its reader: at most 7, in the order of the text. */
export async function findActions(
  documentTitle: string | null,
  sentences: readonly SourceSentence[],
  goals: readonly Goal[],
  tag: Tagger,
  pause: Pause,
): Promise<Action[]> {
  const goalWords = goals.map(wordsOfGoal);
  const found: Found[] = [];
  const stride = Math.max(1, sentences.length / mostSentences);
  for (let n = 0; n * stride < sentences.length; n += 1) {
    await pause();
    const at = Math.floor(n * stride);
    const sentence = sentences[at];
    if (sentence === undefined || !mayInstruct(sentence)) continue;
    const imperative = findImperative(sentence.plain, tag);
    if (imperative === null) continue;
    const next = sentences[at + 1];
    const reason = next !== undefined && next.block === sentence.block && givesReason(next, tag) ? next.plain : null;
    const paragraph = sentences
      .slice(Math.max(0, at - 6), at + 7)
      .filter(({ block }) => block === sentence.block)
      .map(({ plain }) => plain);
    const subject = `${documentTitle ?? ''} ${sentence.heading}`;
    const match = matchGoal({ instruction: sentence.plain, paragraph: paragraph.join(' '), subject }, goalWords);
    const title = titleOf(sentence.plain, imperative);
    const score = usefulness(sentence, reason !== null, match !== null);
    if (score >= 0) found.push({ sentence, title, reason, match, score });
  }
  return mostUseful(found).map(({ sentence, title, reason, match }) => ({
    title,
    reason,
    goalReason: match === null ? null : goalReason(match),
    quote: { start: sentence.start, end: sentence.end },
    goalId: match?.goal.id ?? null,
  }));
}

function mayInstruct({ plain, kind, quoted, linked }: SourceSentence): boolean {
  // What is a link for the most part leads to other pages.
  if (linked > 0.5 || speaksToMachines(plain)) return false;
  if (quoted || kind === 'quote' || plain.length < 12 || plain.length > 400 || wordsOf(plain).length < 3) return false;
  if (
    /["”]\s*(?:,\s*)?(?:\p{L}+\s){0,4}(?:says|said|told|writes|wrote|adds|added|explains|explained|advises|recommends)\b/iu.test(
      plain,
    )
  )
    return false;
  if (/[.!;]["”’)\]]?$/.test(plain)) return !/\b(?:says|said|writes|wrote|adds|added|explains)\.$/.test(plain);
  // A list of things has no stops either: "Load balancers and connection pools".
  return kind === 'list' && !plain.endsWith(':') && functionWord.test(plain);
}

const functionWord =
  /\s(?:an?|the|your?|all|any|every|each|both|no|to|in|on|at|of|off|out|up|down|over|for|from|with|without|before|after|until|by|into|as|if|when|while|more|less|once|twice|not|instead)\s/i;

/** Says what to do with something that an earlier sentence names: by itself nobody knows with what. */
function leans(plain: string): boolean {
  return (
    /^(?:if|when|once|unless|after|before|until|since|because|as|while) (?:they|it|this|that|these|those|he|she|so|not|your answer|none|neither)\b|^(?:during|after|at|in|from|for|with|by|on) (?:this|that|these|those)\b/i.test(
      plain,
    ) ||
    /^(?:\p{L}+,? ){0,3}(?:it|them|this|these|those|him|her|so)(?: (?:all|out|up|off|down|in|on|again|yourself))?[.!;,]?(?:$| (?:and|or)\b)/iu.test(
      plain,
    )
  );
}

function givesReason({ plain }: SourceSentence, tag: Tagger): boolean {
  return (
    plain.length <= 300 &&
    !plain.endsWith('?') &&
    /^(?:because|that(?:'s| is) because|this (?:is because|will|way|helps|keeps|makes|lets|prevents|gives|ensures|allows)|that way|that (?:helps|keeps|makes|gives|prevents)|otherwise|it (?:will|helps|keeps|prevents)|doing (?:so|this))\b|\b(?:because|so that)\b/i.test(
      plain.replaceAll('’', "'"),
    ) &&
    findImperative(plain, tag) === null
  );
}

/** Said to the person, of a decent length, in a list of steps, with a reason, for a goal: each makes it worth keeping. */
function usefulness({ plain, kind, heading }: SourceSentence, reasoned: boolean, forGoal: boolean): number {
  let score = forGoal ? 3 : 0;
  if (leans(plain)) score -= 3;
  else if (/^\p{L}+ (?:it|them|this|that|these|those)\b|\bthe same(?: way)?[.!]$/iu.test(plain)) score -= 1;
  if (reasoned || /\b(?:because|so that)\b/i.test(plain)) score += 1;
  if (kind === 'list') score += 0.5;
  if (
    /\b(?:what (?:to|you can) do|steps?|how to|tips?|instructions|method|directions|checklist|to[- ]do|action|advice|recommendations?)\b/i.test(
      heading,
    )
  )
    score += 1;
  if (/\b(?:your|yourself|you)\b/i.test(plain)) score += 0.5;
  if (/\b(?:\d+|once|twice|every|daily|week|month|minutes?|hours?|before|after|until)\b/i.test(plain)) score += 0.5;
  if (plain.length >= 30 && plain.length <= 160) score += 1;
  if (plain.endsWith('!')) score -= 1;
  return score;
}

function mostUseful(found: readonly Found[]): Found[] {
  const chosen: { entry: Found; terms: Set<string> }[] = [];
  // A stable sort: of equally useful ones those that come first.
  for (const entry of [...found].sort((x, y) => y.score - x.score)) {
    if (chosen.length >= mostActions) break;
    const terms = new Set(termsOf(entry.title));
    const repeated = chosen.some(
      ({ terms: other }) => countShared(terms, other) > 0.6 * Math.min(terms.size, other.size),
    );
    if (!repeated || terms.size === 0) chosen.push({ entry, terms });
  }
  return chosen.map(({ entry }) => entry).sort((x, y) => x.sentence.index - y.sentence.index);
}

/**
 * The instruction as a title: a capital first, no full stop, at most 160 characters. What is longer loses its last
 * clauses, at worst words. A purpose before it goes first; a condition goes behind it, for it says whether to do it at all.
 */
export function titleOf(sentence: string, { start, clause }: { start: number; clause: number }): string {
  const whole = sentence.slice(start).trim();
  if (whole.length <= longestTitle) return asTitle(whole);
  const instruction = sentence.slice(clause).trim();
  const condition = /^(?:if|when|whenever|unless|until|before|after|once|while)\s[^,]+/i.exec(whole)?.[0] ?? '';
  if (
    clause === start ||
    condition === '' ||
    (shorten(instruction, longestTitle - 60).endsWith('…') && !/^(?:if|unless)/i.test(condition))
  )
    return asTitle(shorten(instruction, longestTitle));
  const short = shorten(instruction, longestTitle - 60).replace(/[.;,:]+$/, '');
  const behind = `${condition.charAt(0).toLowerCase()}${condition.slice(1)}`;
  return asTitle(`${short} ${shorten(behind, longestTitle - short.length - 1)}`);
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = [...text.matchAll(clauseBoundary)].map(({ index }) => index).findLast((at) => at >= 30 && at <= most);
  return end === undefined ? `${text.slice(0, text.lastIndexOf(' ', most - 1)).trimEnd()}…` : text.slice(0, end);
}

function asTitle(text: string): string {
  const title = text.replace(/(?<!\.)[.;,:]+$/, '').trimEnd();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Where what follows can be left out. Commas may part the members of a list, whose last "and" would be missed. */
const clauseBoundary =
  /;|:\s|\s[—–-]\s|—|\s\(|,?\s(?:because|so that|until|but|while|unless|although|since)\s|,\s(?:then|as|so|if|when|where|which|with|such)\s|(?<!,[^,]{1,60}),\s(?:and|or)\s/g;
