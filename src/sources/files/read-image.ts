import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Canvas } from '@napi-rs/canvas';
import { ProcessingError } from '../../errors.ts';
import { missingPackages } from '../host/recognition-packages.ts';
import type { Document } from '../../domain/records/texts/document.ts';
import { detectLanguage } from '../language/language.ts';
import { fileName, textDocument } from '../text/read-text.ts';
import type { FileTask } from '../source.ts';

/** Percent. Below this the recogniser has taken something else for letters. */
const minConfidence = 30;

/**
 * Starts the recogniser with its English data from the package, without network access.
 * @param alive called repeatedly while it works
 * @throws {ProcessingError} `ocr_unavailable` naming the missing packages
 */
export async function createRecogniser(alive: () => void) {
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
    async read(picture: Canvas): Promise<string[]> {
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

/** Pixels of the longer side for recognition. Larger pictures are scaled down; smaller ones are not enlarged. */
const maxSide = 3_000;
/** Pixels; decoding takes four bytes for each. */
const maxPixels = 60_000_000;

/**
 * Reads the text in a picture.
 * @throws {ProcessingError} `empty`, `too_large`, `ocr_unavailable` or `extraction_failed`
 */
export async function readImage(bytes: Uint8Array, task: FileTask): Promise<Document> {
  const recogniser = await createRecogniser(() => task.progress(0, 1));
  try {
    const { createCanvas, loadImage } = await import('@napi-rs/canvas');
    const image = await loadImage(Buffer.from(bytes)).catch((cause: unknown) => {
      throw new ProcessingError('extraction_failed', 'This image is damaged and cannot be opened. Save it again.', {
        cause,
      });
    });
    const { width, height } = image;
    if (width * height > maxPixels)
      throw new ProcessingError('too_large', 'This image has more than 60 million pixels. Save a smaller one.');
    const scale = Math.min(1, maxSide / Math.max(width, height));
    const canvas = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
    const context = canvas.getContext('2d');
    // Transparent parts become white, like paper.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const paragraphs = (await recogniser.read(canvas)).map(recognisedParagraph);
    if (paragraphs.length === 0)
      throw new ProcessingError(
        'empty',
        'No text could be recognised in this image. If it has text, save that as text.',
      );
    return textDocument(
      paragraphs.map((text) => ({ kind: 'paragraph', text })),
      {
        contentType: 'image',
        title: fileName(task.url),
        language: await detectLanguage(paragraphs.join('\n')),
        warnings: [
          { code: 'recognised_text', message: 'This text was recognised in a picture and may have mistakes.' },
        ],
      },
    );
  } finally {
    await recogniser.close();
  }
}
