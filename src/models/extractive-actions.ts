import { mostActions, type Analysis } from '../domain/analysis.ts';
import type { Goal } from '../domain/goal.ts';
import type { SourceSentence } from './extractive-candidates.ts';
import { goalReason, matchGoal, wordsOfGoal, type GoalMatch } from './extractive-goals.ts';
import { findImperative } from './extractive-imperatives.ts';
import type { Pause } from './extractive-pause.ts';
import type { Tagger } from './extractive-tagger.ts';
import { countShared, termsOf, wordsOf } from './extractive-words.ts';

const longestTitle = 120;
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
    found.push({ sentence, title, reason, match, score: usefulness(sentence, reason !== null, match !== null) });
  }
  return mostUseful(found).map(({ sentence, title, reason, match }) => ({
    title,
    reason,
    goalReason: match === null ? null : goalReason(match),
    quote: { start: sentence.start, end: sentence.end },
    goalId: match?.goal.id ?? null,
  }));
}

function mayInstruct({ plain, kind, quoted }: SourceSentence): boolean {
  if (quoted || kind === 'quote' || plain.length < 12 || plain.length > 400 || wordsOf(plain).length < 3) return false;
  if (
    /["”]\s*(?:,\s*)?(?:\p{L}+\s){0,4}(?:says|said|told|writes|wrote|adds|added|explains|explained|advises|recommends)\b/iu.test(
      plain,
    )
  )
    return false;
  return kind === 'list' ? !plain.endsWith(':') : /[.!;]["”’)\]]?$/.test(plain);
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
 * The instruction as a title: a capital first, no full stop, at most 120 characters. What is longer loses the
 * condition before it, then its last clauses, at worst words.
 */
export function titleOf(sentence: string, { start, clause }: { start: number; clause: number }): string {
  let title = sentence.slice(start).trim();
  if (title.length > longestTitle) title = sentence.slice(clause).trim();
  if (title.length > longestTitle) {
    const end = [...title.matchAll(clauseBoundary)]
      .map(({ index }) => index)
      .findLast((index) => index >= 30 && index <= longestTitle);
    title =
      end === undefined
        ? `${title.slice(0, title.lastIndexOf(' ', longestTitle - 1)).trimEnd()}…`
        : title.slice(0, end);
  }
  title = title.replace(/(?<!\.)[.;,:]+$/, '').trimEnd();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Where what follows can be left out. Commas may part the members of a list, whose last "and" would be missed. */
const clauseBoundary =
  /;|:\s|\s[—–-]\s|—|\s\(|,?\s(?:because|so that|until|but|while|unless|although|since)\s|,\s(?:and|or|then|as|so|if|when|where|which|with|such)\s/g;
