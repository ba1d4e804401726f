import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { Block } from '../../domain/records/texts/document.ts';
import type { FileTask } from '../source.ts';
import { createRecogniser, recognisedParagraph } from '../files/read-image.ts';
import { imageOperators } from './layers.ts';

/** Pixels of the longer side: 200 dots per inch for a letter page. */
const maxSide = 2_200;

/**
 * Renders pages and runs text recognition on them. Returns the blocks by page, without pages on which no text was
 * found.
 * @param finished pages that were read before; the time limit grows with all finished pages
 * @throws {ProcessingError} `ocr_unavailable`
 */
export async function recognisePages(
  document: PDFDocumentProxy,
  numbers: readonly number[],
  task: FileTask,
  finished: number,
): Promise<Map<number, Block[]>> {
  let done = finished;
  let begun = 1;
  const recogniser = await createRecogniser(() => task.progress(done, begun));
  const found = new Map<number, Block[]>();
  try {
    const { createCanvas } = await import('@napi-rs/canvas');
    for (const number of numbers) {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: maxSide / Math.max(1, width, height) });
      const canvas = createCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
      const texts = await draw(page, canvas, viewport).then(
        () => recogniser.read(canvas),
        // A page that cannot be rendered is left out, and the warning lists it with the others that have no text.
        () => [],
      );
      page.cleanup();
      const locator = { kind: 'page', page: number } as const;
      const blocks = texts.map((text) => ({ kind: 'paragraph' as const, text: recognisedParagraph(text), locator }));
      if (blocks.length > 0) found.set(number, blocks);
      done += 1;
      begun = Math.min(numbers.length, begun + 1);
      task.progress(done, begun);
    }
  } finally {
    await recogniser.close();
  }
  return found;
}

type RenderedPage = Awaited<ReturnType<PDFDocumentProxy['getPage']>>;
type Canvas = NonNullable<Parameters<RenderedPage['render']>[0]['canvas']>;

async function draw(
  page: RenderedPage,
  canvas: object,
  viewport: ReturnType<RenderedPage['getViewport']>,
): Promise<void> {
  // The types of pdf.js allow only the browser's canvas, but in Node.js it renders to this one.
  await page.render({ canvas: canvas as Canvas, viewport }).promise;
}

/** The others are assumed to be alike. */
const sampledPages = 3;
/** Letters drawn as outlines take many paths. */
const minPaths = 40;

/** Whether one of the pages has visible content: a picture, glyphs, or as many paths as writing takes. */
export async function showsPictures(document: PDFDocumentProxy, numbers: readonly number[]): Promise<boolean> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const pictures = imageOperators(OPS);
  const glyphs = new Set<number>([OPS.showText, OPS.showSpacedText]);
  for (const number of numbers.slice(0, sampledPages)) {
    // A page that cannot be rendered counts as empty.
    const operators = await document
      .getPage(number)
      .then((page) => page.getOperatorList())
      .catch(() => null);
    const functions = operators?.fnArray ?? [];
    if (functions.some((one) => pictures.has(one) || glyphs.has(one))) return true;
    if (functions.filter((one) => one === OPS.constructPath).length >= minPaths) return true;
  }
  return false;
}
