import { readFileSync } from 'node:fs';
import type { Transcript } from '../../src/domain/records/texts/document.ts';
import { plainText } from '../../src/domain/text/plain-text.ts';
import { sentences } from '../../src/domain/text/sentences.ts';
import { hash16, readLines, type Split } from './material.ts';

export interface LabelledSentence {
  page: string;
  split: Split;
  /** What the two labellers said. */
  labels: string[];
  /** The share of them who found it useful. */
  useful: number;
  /** Where it is in the text of its page; null when the page is read in another way now. */
  spanIn(transcript: Transcript): { start: number; end: number } | null;
}

/** The rows of `sentences.jsonl` with their labels. */
export function labelledSentences(): LabelledSentence[] {
  const labellers = ['one', 'two'].map(
    (name) =>
      new Map(
        readFileSync(new URL(`labels/sentences-${name}.tsv`, import.meta.url), 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split('\t') as [string, string]),
      ),
  );
  return readLines<{ id: string; page: string; sentence: string; split: Split }>(
    new URL('sentences.jsonl', import.meta.url),
  ).map(({ id, page, sentence, split }) => {
    const labels = labellers.flatMap((labeller) => labeller.get(id) ?? []);
    return {
      page,
      split,
      labels,
      useful: labels.filter((label) => label === 'useful').length / labels.length,
      spanIn: ({ text, blocks }) => {
        for (const { start, end, kind } of blocks) {
          if (kind === 'heading' || kind === 'code' || kind === 'table') continue;
          const source = text.slice(start, end);
          for (const span of sentences(source))
            if (hash16(plainText(source.slice(span.start, span.end)).trim()) === sentence)
              return { start: start + span.start, end: start + span.end };
        }
        return null;
      },
    };
  });
}
