import type { Analysis } from '../../../../domain/records/analysis.ts';
import type { Goal } from '../../../../domain/records/goal.ts';
import { shortened } from '../../../../domain/text/shortened.ts';
import { withoutTrailing } from '../../../../domain/text/trailing.ts';
import type { SourceSentence } from '../candidates.ts';
import { goalReason, matchGoal, wordsOfGoal } from '../goals.ts';
import type { Pause } from '../pause.ts';
import { pickUseful } from '../pick-useful.ts';
import { instructs } from './foreign-instructions.ts';
import type { LanguageTable } from './language-table.ts';

const maxTitleLength = 160;
/** At most this many sentences of a document are checked, evenly spread. */
const maxSentences = 12_000;

/** Finds the actions in a text whose language has a table: at most 7, the most useful first. */
export async function findForeignActions(
  documentTitle: string | null,
  sentences: readonly SourceSentence[],
  goals: readonly Goal[],
  table: LanguageTable,
  pause: Pause,
): Promise<Analysis['actions']> {
  const goalWords = goals.map(wordsOfGoal);
  const found = [];
  const stride = Math.max(1, sentences.length / maxSentences);
  for (let n = 0; n * stride < sentences.length; n += 1) {
    await pause();
    const sentence = sentences[Math.floor(n * stride)];
    if (sentence === undefined || !instructs(sentence, table)) continue;
    const subject = `${documentTitle ?? ''} ${sentence.heading}`;
    const match = matchGoal({ instruction: sentence.plain, paragraph: '', subject, isForeign: true }, goalWords);
    found.push({
      title: titleOf(sentence.plain),
      rank: usefulness(sentence) + (match === null ? 0 : 3),
      sentence,
      match,
    });
  }
  return pickUseful(found, table.stopWords).map(({ title, sentence: { start, end }, match }) => ({
    title,
    reason: null,
    goalReason: match === null ? null : goalReason(match),
    quote: { start, end },
    goalId: match?.goal.id ?? null,
  }));
}

/** Higher for a step of a list, for a number or a time, and for a sentence that says enough without being long. */
function usefulness({ plain, kind }: SourceSentence): number {
  let score = 0;
  if (kind === 'list') score += 0.5;
  if (/\d/.test(plain)) score += 0.5;
  if (plain.length >= 30 && plain.length <= 160) score += 1;
  if (plain.endsWith('!')) score -= 1;
  return score;
}

function titleOf(plain: string): string {
  return shortened(withoutTrailing(plain, '.;,:').trimEnd(), maxTitleLength);
}
