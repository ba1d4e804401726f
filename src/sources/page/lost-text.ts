import type { Warning } from '../../domain/records/content.ts';
import type { Choice } from './blocks/choose-blocks.ts';
import { countRoughly, type TextBlock } from './blocks/page-blocks.ts';

/** Shorter sentences are labels, and stand on a page more than once by chance. */
const minWords = 10;

/** The sentences of a text that have at least ten words: the letters of each, and its number of words. */
export function longSentences(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const sentence of text.split(/[.!?。！？…\n]+/)) {
    const words = countRoughly(sentence);
    if (words >= minWords)
      found.set(
        sentence
          .normalize('NFKC')
          .replaceAll(/[^\p{L}]/gu, '')
          .toLowerCase(),
        words,
      );
  }
  return found;
}

/**
 * A page has a warning if the model expects less than this word F1 of its choice. `any`: whatever was left out. `sentences`: if
 * this share of the sentences that may be content was left out. `words`: if this share of such words was. Of 478 labelled pages,
 * 79 % of those with a recall below .8 have the warning, and 3 % of those with an F1 of .9.
 */
const doubtful = { any: 0.65, sentences: { expected: 0.85, share: 0.2 }, words: { expected: 0.83, share: 0.4 } };
/** Likelihood from which on a sentence, or any block, may be content. */
const minLikelihood = { sentence: 0.1, block: 0.05 };
/** A smaller share is not worth a number. */
const minShare = 0.1;
const places = ['before', 'between the parts of', 'behind'] as const;

/**
 * A warning if text of a page that may be content is not in what was kept of it.
 * @param reader what chose the text; the model's own choice has all the blocks that it keeps
 */
export function lossWarning(
  blocks: readonly TextBlock[],
  { likely, kept, expected }: Choice,
  text: string,
  reader: 'model' | 'rules' | 'kind',
): Warning[] {
  const said = longSentences(text);
  const words = countRoughly(text);
  const lost = [0, 0, 0];
  let others = 0;
  const [first, last] = [kept.indexOf(true), kept.lastIndexOf(true)];
  for (const [i, block] of blocks.entries()) {
    const likelihood = likely[i] ?? 0;
    if (kept[i] !== true && likelihood > minLikelihood.block) others += block.words;
    if (likelihood <= minLikelihood.sentence || (reader === 'model' && kept[i] === true)) continue;
    for (const [sentence, count] of longSentences(block.text)) {
      if (said.has(sentence)) continue;
      said.set(sentence, count);
      const place = i < first ? 0 : i > last ? 2 : 1;
      lost[place] = (lost[place] ?? 0) + count;
    }
  }
  const sentences = lost.reduce((sum, count) => sum + count, 0);
  const share = sentences / Math.max(1, sentences + words);
  const isLost =
    (reader !== 'kind' && expected < doubtful.any) ||
    (expected < doubtful.sentences.expected && share > doubtful.sentences.share) ||
    (expected < doubtful.words.expected && others > (others + words) * doubtful.words.share);
  if (!isLost || words === 0) return [];
  const where = places[lost.indexOf(Math.max(...lost))] ?? places[1];
  const message =
    share < minShare
      ? 'It is not clear which part of the page is its text, so some of it may be missing. The saved copy has all of it.'
      : `About ${sentences} words that may belong to the text (${Math.round(share * 100)} % of it), most of them ${where} what was kept, were left out. The saved copy has them.`;
  return [{ code: 'text_left_out', message }];
}
