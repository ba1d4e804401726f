import type { Warning } from '../../domain/records/content.ts';
import type { Choice } from './blocks/choose-blocks.ts';
import { createPaths } from './blocks/block-elements.ts';
import { countRoughly, type TextBlock } from './blocks/page-blocks.ts';

/** Shorter sentences are labels, and may be repeated on a page by chance. */
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
 * A page has a warning if the model expects to have kept less than `recall` of its text, or expects less word F1 than
 * `expected` while at least `share` of the words were left out that may be content (`words`), or that are built like
 * kept ones (`alike`).
 */
const doubtful = { recall: 0.7, words: { expected: 0.82, share: 0.32 }, alike: { expected: 0.85, share: 0.08 } };
/** Likelihood from which on a sentence, or any block, may be content. */
const minLikelihood = { sentence: 0.1, block: 0.05 };
/** A smaller share is not worth a number. */
const minShare = 0.1;
const places = ['before', 'between the parts of', 'behind'] as const;

/**
 * A warning if text of a page that may be content was not kept.
 * @param reader the extractor: the model's own choice has all the blocks that it keeps
 */
export function lossWarning(
  blocks: readonly TextBlock[],
  { likely, kept, expected }: Choice,
  text: string,
  reader: 'model' | 'rules' | 'kind',
): Warning[] {
  const words = countRoughly(text);
  if (words === 0) return [];
  const isIn = reader === 'model' ? kept : (stand(blocks, text) ?? kept);
  const said = longSentences(text);
  const lost = [0, 0, 0];
  const [first, last] = [kept.indexOf(true), kept.lastIndexOf(true)];
  const pathOf = createPaths();
  const paths = new Set(blocks.flatMap(({ box }, i) => (isIn[i] === true ? [pathOf(box)] : [])));
  let [likelyIn, likelyAll, others, alike, all] = [0, 0, 0, 0, 0];
  for (const [i, block] of blocks.entries()) {
    const likelihood = likely[i] ?? 0;
    likelyAll += likelihood * block.words;
    if (isIn[i] === true) [likelyIn, all] = [likelyIn + likelihood * block.words, all + block.words];
    else if (paths.has(pathOf(block.box))) [alike, all] = [alike + block.words, all + block.words];
    if (kept[i] !== true && likelihood > minLikelihood.block) others += block.words;
    if (likelihood <= minLikelihood.sentence || (reader === 'model' && kept[i] === true)) continue;
    for (const [sentence, count] of longSentences(block.text)) {
      if (said.has(sentence)) continue;
      said.set(sentence, count);
      const place = i < first ? 0 : i > last ? 2 : 1;
      lost[place] = (lost[place] ?? 0) + count;
    }
  }
  const isLost =
    (expected < doubtful.words.expected && others > (others + words) * doubtful.words.share) ||
    // A reader of a known kind leaves out whole boxes on purpose.
    (reader !== 'kind' &&
      (likelyIn < likelyAll * doubtful.recall ||
        (expected < doubtful.alike.expected && alike > all * doubtful.alike.share)));
  if (!isLost) return [];
  const sentences = lost.reduce((sum, count) => sum + count, 0);
  const share = sentences / (sentences + words);
  const where = places[lost.indexOf(Math.max(...lost))] ?? places[1];
  const message =
    share < minShare
      ? 'It is not clear which part of the page is its text, so some of it may be missing. The saved copy has all of it.'
      : `About ${sentences} words that may belong to the text (${Math.round(share * 100)} % of it), most of them ${where} what was kept, were left out. The saved copy has them.`;
  return [{ code: 'text_left_out', message }];
}

/** Characters that are compared, at most: some tenths of a second. */
const maxCompared = 1_000_000_000;

/** Whether each block occurs in a text; null if there are too many of them in a text too long. */
function stand(blocks: readonly TextBlock[], text: string): boolean[] | null {
  if (text.length * blocks.length > maxCompared) return null;
  const letters = lettersOf(text);
  return blocks.map((block) => letters.includes(lettersOf(block.text)));
}

/** From this share of the words on, two readers agree. */
const minShared = 0.95;

export function agree(one: string, other: string): boolean {
  const left = new Map<string, number>();
  const [words, others] = [one, other].map((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  for (const word of words ?? []) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of others ?? []) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared += 1;
    left.set(word, count - 1);
  }
  return shared * 2 >= ((words?.length ?? 0) + (others?.length ?? 0)) * minShared;
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
