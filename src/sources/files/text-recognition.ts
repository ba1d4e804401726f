import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Canvas } from '@napi-rs/canvas';
import { ProcessingError } from '../../errors.ts';
import { missingPackages } from '../host/recognition-packages.ts';

export interface Recogniser {
  /** Paragraphs of the text in a picture. */
  read(picture: Canvas): Promise<string[]>;
  close(): Promise<void>;
}

/** Percent. Below this the recogniser has taken something else for letters. */
const minConfidence = 30;

/**
 * Starts the recogniser with its English data from the package, without network access.
 * @param alive called repeatedly while it works
 * @throws {ProcessingError} `ocr_unavailable` naming the missing packages
 */
export async function createRecogniser(alive: () => void): Promise<Recogniser> {
  const missing = missingPackages();
  if (missing.length > 0) {
    throw new ProcessingError(
      'ocr_unavailable',
      `Text recognition is turned on, but not installed: npm install ${missing.join(' ')} beside Commonplace, then retry.`,
    );
  }
  const { createWorker } = await import('tesseract.js');
  const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));
  const worker = await createWorker('eng', 1, {
    langPath: join(data, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    logger: alive,
    errorHandler: () => undefined,
  });
  return {
    async read(picture) {
      const { data } = await worker.recognize(picture.toBuffer('image/png'), {}, { text: true, blocks: true });
      const paragraphs = (data.blocks ?? []).flatMap((block) => block.paragraphs);
      return paragraphs
        .filter(({ confidence }) => confidence >= minConfidence)
        .map(({ lines }) => lines.map(({ text }) => text.trim()).join('\n'))
        .filter((text) => /[\p{L}\p{N}]/u.test(text));
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

/** Joins the lines of a recognised paragraph and rejoins words that are hyphenated at line ends. */
export function recognisedParagraph(text: string): string {
  return text
    .replaceAll(/(\p{Ll})[-‐]\n(?=\p{Ll})/gu, '$1')
    .replaceAll('\n', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
