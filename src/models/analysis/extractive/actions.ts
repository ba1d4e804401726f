import type { Analysis } from '../../../domain/records/analysis.ts';
import type { Goal } from '../../../domain/records/goal.ts';
import { withoutTrailing } from '../../../domain/text/trailing.ts';
import type { SourceSentence } from './candidates.ts';
import { instructs } from './features.ts';
import { goalReason, matchGoal, wordsOfGoal, type GoalMatch } from './goals.ts';
import { pickUseful } from './pick-useful.ts';
import { findImperative, type Imperative } from './grammar/imperatives.ts';
import { findInstruction } from './grammar/instructions.ts';
import { profileOfPage, scoreInstructions, type ActionModel } from './model.ts';
import type { Pause } from './pause.ts';
import type { ReadSentences } from './reader.ts';
import { speaksOfTrade } from './audience/sellers.ts';
import type { Tagger } from './grammar/tagger.ts';

const maxTitleLength = 160;
const minOfInstruction = 60;
/**
 * At most this many sentences of a document are checked. In a longer one they are sampled evenly, so that a book takes
 * seconds.
 */
const maxSentences = 12_000;

/** An instruction that matches one of the person's goals is kept although its score is this much lower. */
const forItsGoal = 1.5;

type Action = Analysis['actions'][number];

interface FoundAction {
  sentence: SourceSentence;
  title: string;
  reason: string | null;
  match: GoalMatch | null;
  rank: number;
}

/** The parts of a document that are needed to choose its actions. */
export interface SourceOfActions {
  title: string | null;
  sentences: readonly SourceSentence[];
  /** Share of the document's characters that are in code blocks, 0–1. */
  codeShare: number;
}

/** The tools that tell instructions meant for a person from all others. */
export interface ScoringTools {
  tag: Tagger;
  model: ActionModel;
  read: ReadSentences | null;
}

/** Finds the actions in an English text: at most 7, the most useful first. */
export async function findActions(
  { title: documentTitle, sentences, codeShare }: SourceOfActions,
  goals: readonly Goal[],
  { tag, model, read }: ScoringTools,
  pause: Pause,
): Promise<Action[]> {
  const instructions: { at: number; sentence: SourceSentence; imperative: Imperative }[] = [];
  const stride = Math.max(1, sentences.length / maxSentences);
  for (let n = 0; n * stride < sentences.length; n += 1) {
    await pause();
    const at = Math.floor(n * stride);
    const sentence = sentences[at];
    const imperative = sentence === undefined ? null : findInstruction(sentence, tag);
    if (sentence !== undefined && imperative !== null) instructions.push({ at, sentence, imperative });
  }
  // The profile takes a fifth of an analysis, and most texts instruct nobody.
  if (instructions.length === 0) return [];
  const profile = profileOfPage(documentTitle, sentences, codeShare);
  const scored = await scoreInstructions(instructions, profile, model, read);
  const goalWords = goals.map(wordsOfGoal);
  const found = scored.flatMap(({ sentence, imperative, score }, i): FoundAction[] => {
    const at = instructions[i]?.at ?? 0;
    if (score < -forItsGoal || leans(sentence.plain)) return [];
    const next = sentences[at + 1];
    const reason = next !== undefined && next.block === sentence.block && givesReason(next, tag) ? next.plain : null;
    const paragraph = sentences
      .slice(Math.max(0, at - 6), at + 7)
      .filter(({ block }) => block === sentence.block)
      .map(({ plain }) => plain);
    const subject = `${documentTitle ?? ''} ${sentence.heading}`;
    const match = matchGoal({ instruction: sentence.plain, paragraph: paragraph.join(' '), subject }, goalWords);
    if (score < (match === null ? 0 : -forItsGoal)) return [];
    const title = titleOf(sentence.plain, imperative);
    // Above 3, a higher score no longer counts; usefulness decides.
    const rank = Math.min(score, 3) + usefulness(sentence, reason !== null, match !== null);
    return [{ sentence, title, reason, match, rank }];
  });
  return pickUseful(found).map(({ sentence, title, reason, match }) => ({
    title,
    reason,
    goalReason: match === null ? null : goalReason(match),
    quote: { start: sentence.start, end: sentence.end },
    goalId: match?.goal.id ?? null,
  }));
}

/** Whether the instruction depends on an earlier sentence: it refers to something that only that sentence names. */
function leans(plain: string): boolean {
  return (
    /^(?:if|when|once|unless|after|before|until|since|because|as|while) (?:they|it|this|that|these|those|he|she|so|not|your answer|none|neither)\b|^(?:during|after|at|in|from|for|with|by|on) (?:this|that|these|those)\b/i.test(
      plain,
    ) ||
    /^(?:\p{L}+,? ){0,3}(?:it|them|this|these|those|him|her|so)(?: (?:all|out|up|off|down|in|on|again|yourself))?[.!;,]?(?:$| (?:and|or)\b)/iu.test(
      plain,
    ) ||
    /^(?:(?:then|and|just|simply|also|next|finally),? )?(?:keep |try |continue |start )?(?!make )\p{L}+ (?:it|them)\b/iu.test(
      plain,
    ) ||
    // References to another part of the page, and instructions to repeat earlier steps.
    /\b(?:calculator|form|table|list|chart|map|link|button|video|figure|hints|tips|steps|ideas) below\b|\bwith these (?:hints|tips|steps|ideas)\b|^repeat\b.{0,30}\btimes\b/i.test(
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

/**
 * Scores how useful an action is: higher when it addresses the reader, has a suitable length, stands in a list of
 * steps, gives a reason or serves a goal; lower when only a business would do it.
 */
function usefulness({ plain, kind, heading }: SourceSentence, reasoned: boolean, forGoal: boolean): number {
  let score = forGoal ? 3 : 0;
  if (/^\p{L}+ (?:it|them|this|that|these|those)\b|\bthe same(?: way)?[.!]$/iu.test(plain)) score -= 1;
  if (reasoned || /\b(?:because|so that)\b/i.test(plain)) score += 1;
  if (kind === 'list') score += 0.5;
  if (instructs.test(heading)) score += 1;
  if (/\b(?:your|yourself|you)\b/i.test(plain)) score += 0.5;
  if (/\b(?:\d+|once|twice|every|daily|week|month|minutes?|hours?|before|after|until)\b/i.test(plain)) score += 0.5;
  if (plain.length >= 30 && plain.length <= 160) score += 1;
  if (plain.endsWith('!')) score -= 1;
  if (speaksOfTrade(plain)) score -= 3;
  return score;
}

/**
 * The instruction as a title: a capital first, no full stop, at most 160 characters. A longer one loses its last
 * clauses, or else its last words. An introductory purpose is dropped first. A condition is moved to the end, because
 * it says whether to do the action at all.
 */
function titleOf(sentence: string, { start, clause }: { start: number; clause: number }): string {
  const whole = sentence.slice(start).trim();
  if (whole.length <= maxTitleLength) return asTitle(whole);
  const instruction = sentence.slice(clause).trim();
  const condition = /^(?:if|when|whenever|unless|until|before|after|once|while)\s[^,]+/i.exec(whole)?.[0] ?? '';
  const isCut = shorten(instruction, maxTitleLength - 60).endsWith('…');
  if (clause === start || condition === '' || (isCut && !/^(?:if|unless)/i.test(condition)))
    return asTitle(shorten(instruction, maxTitleLength));
  // When the instruction has to be cut between words, nothing can be added after it. Keep the original order if enough
  // of the instruction remains after the condition.
  const inOrder = shorten(whole, maxTitleLength);
  if (isCut && inOrder.length >= clause - start + minOfInstruction) return asTitle(inOrder);
  const short = withoutTrailing(shorten(instruction, maxTitleLength - 60), '.;,:');
  const behind = `${condition.charAt(0).toLowerCase()}${condition.slice(1)}`;
  return asTitle(`${short} ${shorten(behind, maxTitleLength - short.length - 1)}`);
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = [...text.matchAll(clauseBoundary)]
    .map(({ index }) => index)
    .findLast((at) => at >= 30 && at <= maxLength);
  return end === undefined ? `${text.slice(0, text.lastIndexOf(' ', maxLength - 1)).trimEnd()}…` : text.slice(0, end);
}

function asTitle(text: string): string {
  const title = withoutTrailing(text, '.;,:').trimEnd();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/**
 * Places from which the rest can be left out. A comma before "and" or "or" does not count when an earlier comma is
 * close: the text may be a list, which would lose its last member.
 */
const clauseBoundary =
  /;|:\s|\s[—–-]\s|—|\s\(|,?\s(?:because|so that|until|but|while|unless|although|since)\s|,\s(?:then|as|so|if|when|where|which|with|such)\s|(?<!,[^,]{1,60}),\s(?:and|or)\s/g;
