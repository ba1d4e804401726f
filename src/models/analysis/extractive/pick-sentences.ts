import type { Analysis } from '../../../domain/records/analysis.ts';
import type { AnalysisInput } from '../analyst.ts';
import type { SourceSentence } from './candidates.ts';
import { centrality, countTerms, pickDiverse, type InverseFrequency, type TermCounts } from './rank.ts';
import type { Pause } from './pause.ts';
import type { LanguageTable } from './languages/language-table.ts';
import { wordsOf } from './words.ts';

const summarySentences = 3;
const summaryCharacters = 600;

/** Text about the page instead of its subject. */
const boilerplate =
  /\b(?:subscribe|newsletter|sign(?:ing)? up|log ?in|cookies?|privacy policy|terms of (?:use|service)|all rights reserved|copyright|©|affiliate|commissions?\b.*\b(?:links?|purchase)|click here|read more|continue reading|advertis(?:ement|ing)|this (?:article|story|post) (?:was|is|originally|first)|originally published|follow us|share this|leave a comment|getty images|shutterstock|photo(?:graph)?(?: by|:)|image credit|photo credit|javascript)\b/i;

/** Leftover Markdown syntax, bylines and picture captions: these are not sentences of the text. */
const leftovers =
  /\]\(|!\[|(?:^|\s)#{2,}|\*\*|^(?:(?:written|posted|published|reviewed|photographed|edited|updated|illustrated) (?:by|on)\b|last (?:updated|modified|reviewed)\b|(?:image|photo|photograph|picture|credit|source|figure \d+)s?\s?[:|(])/i;

/** Greetings of a host to viewers, readers or listeners. */
const greetings =
  /(?:^|[,!.] ?|\band )welcome (?:back\b|to (?:the|my|our|this|another)\b.{0,40}\b(?:blog|channel|episode|podcast|series|show|video)\b)|\bthank(?:s| you)(?: so much)? for (?:joining|listening|reading|stopping by|tuning in|watching)\b|\b(?:link|links) (?:is |are )?in the (?:bio|description)\b|\bsee you (?:all )?(?:next (?:time|week)|in the next)\b/i;

/** Line beginnings that are not sentences: list markers, and the dates of a change log. */
const entry = /^(?:[-–—•·*]\s|\d{4}-\d{2}-\d{2}\b)/;

interface ScoredSentence {
  sentence: SourceSentence;
  terms: TermCounts;
  score: number;
}

/**
 * Chooses the most representative sentences: some are joined into a summary, others become insights with their
 * positions.
 * @param table of the text's language; null for English and for languages that have none
 */
export async function extract(
  input: AnalysisInput,
  found: readonly SourceSentence[],
  table: LanguageTable | null,
  pause: Pause,
): Promise<Pick<Analysis, 'summary' | 'insights'>> {
  const usable = found.filter(
    (sentence) =>
      isStatement(sentence.plain) && !isMenuEntry(sentence) && !(table?.boilerplate.test(sentence.plain) ?? false),
  );
  const pool = saidOnce(
    usable.length > 0 ? usable : found.filter(({ plain }) => /\p{L}/u.test(plain) && !isLeftover(plain)),
  );
  if (pool.length === 0) return { summary: null, insights: [] };
  const terms: TermCounts[] = [];
  for (const { plain } of pool) {
    await pause();
    terms.push(countTerms(plain, table?.stopWords));
  }
  const { scores, idf } = await centrality(terms, pause);
  const title = countTerms(input.title ?? '', table?.stopWords);
  const highest = scores.reduce((most, score) => Math.max(most, score), 1e-9);
  const scored = pool.map((sentence, i): ScoredSentence => {
    const own = terms[i] ?? countTerms('');
    return {
      sentence,
      terms: own,
      score: 0.3 * ((scores[i] ?? 0) / highest) + lead(i) + titleShare(own, title) + 0.5 * fullness(sentence),
    };
  });

  const summary = summarise(best(scored), idf);
  const rest = scored.filter(
    (entry) => !summary.includes(entry) && isWholeThought(entry.sentence.plain, table?.continues),
  );
  return {
    summary: joinSentences(summary),
    insights: insights(rest, pool.length, idf).map(({ sentence }) => ({
      text: sentence.plain,
      quote: { start: sentence.start, end: sentence.end },
    })),
  };
}

/** Writers state their subject first. After about a dozen sentences the position says nothing more. */
function lead(i: number): number {
  return 1 / (1 + i / 3);
}

/** A short sentence says little; beyond 200 characters, length adds nothing. */
function fullness({ plain }: SourceSentence): number {
  return Math.min(1, plain.length / 200);
}

function titleShare(own: TermCounts, title: TermCounts): number {
  if (title.counts.size === 0) return 0;
  let shared = 0;
  for (const term of title.counts.keys()) if (own.counts.has(term)) shared += 1;
  return shared / title.counts.size;
}

/** The choice takes quadratic time in the number of candidates; the top 200 are more than enough. */
function best(scored: readonly ScoredSentence[]): ScoredSentence[] {
  return [...scored].sort((x, y) => y.score - x.score).slice(0, 200);
}

function summarise(candidates: readonly ScoredSentence[], idf: InverseFrequency): ScoredSentence[] {
  const size = (i: number): number => stopped(candidates[i]?.sentence.plain ?? '').length + 1;
  const picked = pickDiverse(candidates, idf, {
    limit: summarySentences,
    penalty: 0.4,
    accept: (i, before) => size(i) + before.reduce((sum, j) => sum + size(j), 0) <= summaryCharacters + 1,
  });
  return inOrder(picked.flatMap((i) => candidates[i] ?? []));
}

function joinSentences(entries: readonly ScoredSentence[]): string | null {
  const text = entries.map(({ sentence }) => stopped(sentence.plain)).join(' ');
  return text === '' ? null : text;
}

const endsWithoutStop = /(?<![.!?。！？…][\p{Pe}\p{Pf}"']{0,3})(?:[\p{L}\p{N}]|[\p{Pe}\p{Pf}"])$/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

/** Adds a full stop where there is none, as in a list item; otherwise the next sentence would run on from it. */
function stopped(plain: string): string {
  return endsWithoutStop.test(plain) && !unspaced.test(plain) ? `${plain}.` : plain;
}

/** Removes sentences that repeat the words of an earlier one: shop pages and lists repeat themselves. */
function saidOnce(sentences: readonly SourceSentence[]): SourceSentence[] {
  const said = new Set<string>();
  return sentences.filter(({ plain }) => {
    const words = wordsOf(plain).join(' ');
    if (words !== '' && said.has(words)) return false;
    said.add(words);
    return true;
  });
}

function insights(rest: readonly ScoredSentence[], total: number, idf: InverseFrequency): ScoredSentence[] {
  if (total < 8) return [];
  const candidates = best(rest);
  const limit = Math.min(7, 3 + Math.floor(total / 25));
  const picked = pickDiverse(candidates, idf, { limit, penalty: 0.6 });
  return inOrder(picked.flatMap((i) => candidates[i] ?? []));
}

function inOrder(entries: readonly ScoredSentence[]): ScoredSentence[] {
  return [...entries].sort((x, y) => x.sentence.index - y.sentence.index);
}

/**
 * Longer texts are not statements. The patterns for leftovers check only this many characters: some restart at every
 * word, and a text without full stops is one long sentence.
 */
const maxStatement = 450;

function isStatement(plain: string): boolean {
  if (plain.length < 15 || plain.length > maxStatement) return false;
  const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(plain);
  if (!dense && wordsOf(plain).length < 6) return false;
  if (/[?？:：]["'”’)]*$/u.test(plain) || /^[\p{Ll}…|]/u.test(plain) || entry.test(plain)) return false;
  const letters = plain.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters / plain.length >= 0.7 && !isLeftover(plain);
}

function isLeftover(plain: string): boolean {
  const looked = plain.slice(0, maxStatement);
  return boilerplate.test(looked) || leftovers.test(looked) || greetings.test(looked);
}

/**
 * Whether the text is only a link and not a sentence. Such entries belong to a menu or a table of contents; the
 * latter's words appear again as headings.
 */
function isMenuEntry({ plain, linked }: SourceSentence): boolean {
  return linked > 0.9 && endsWithoutStop.test(plain);
}

const continuesInEnglish =
  /^(?:let's|let’s|in (?:this|our) (?:article|post|guide|video|episode)|and|but|or|so|yet|because|however|this|that|these|those|it|they|he|she|him|her|such|then|also|instead|again|therefore|thus|still|for example|for instance)\b/i;

/** Whether a sentence can be understood by itself: it does not depend on the one before and is complete. */
function isWholeThought(plain: string, continues = continuesInEnglish): boolean {
  return (
    plain.length >= 40 &&
    plain.length <= 320 &&
    !/^[([]/.test(plain) &&
    /[.!。！।…]["'”’»)\]]*$/u.test(plain) &&
    !continues.test(plain)
  );
}
