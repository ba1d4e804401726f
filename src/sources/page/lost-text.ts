import { countRoughly } from './blocks/page-blocks.ts';

/** Shorter sentences are labels, and stand on a page more than once by chance. */
const minWords = 10;

/** The sentences of a text of at least ten words, as their letters alone, with their words. */
export function longSentences(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const sentence of text.split(/[.!?。！？…\n]+/)) {
    const words = countRoughly(sentence);
    if (words >= minWords) found.set(bare(sentence), words);
  }
  return found;
}

function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}]/gu, '')
    .toLowerCase();
}
