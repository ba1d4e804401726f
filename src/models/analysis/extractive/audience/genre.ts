import type { AnalysisInput } from '../../analyst.ts';
import type { SourceSentence } from '../candidates.ts';
import { minOfPage } from '../model.ts';
import { countSelling } from './sellers.ts';

/**
 * Whether a document is about programming: it instructs, but not in things to do later, for it is followed at the
 * keyboard. This is judged by the whole document, because a single sentence of it looks like advice.
 */
export function isProgrammingTutorial({ text, blocks }: Pick<AnalysisInput, 'text' | 'blocks'>): boolean {
  const code = blocks.filter(({ kind }) => kind === 'code');
  const characters = code.reduce((sum, { start, end }) => sum + end - start, 0);
  return code.length >= 3 || characters > 0.2 * text.length;
}

/** Whether a text that is too short for the model to tell what kind of page it is wants its readers to buy. */
export function isShortPitch(sentences: readonly SourceSentence[]): boolean {
  if (sentences.length >= minOfPage) return false;
  return sentences.reduce((sum, { plain }) => sum + countSelling(plain), 0) >= 3;
}
