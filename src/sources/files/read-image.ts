import type { Document } from '../../domain/records/document.ts';
import { ProcessingError } from '../../errors.ts';
import { detectLanguage } from '../language/language.ts';
import { fileName, textDocument } from '../text/read-plain-text.ts';
import type { FileTask } from '../source.ts';
import { createRecogniser, recognisedParagraph } from './text-recognition.ts';

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
