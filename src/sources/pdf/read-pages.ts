import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { tooMuchText } from '../host/reading-failures.ts';
import { maxCharacters } from '../host/reading-protocol.ts';
import type { FileTask } from '../files/file-task.ts';
import type { PdfPage } from './lines.ts';
import { inReadingOrder } from './reading-order.ts';
import { mendRightToLeft } from './right-to-left.ts';
import { readSegments, type TextItem } from './segments.ts';

export interface ReadPages {
  pages: PdfPage[];
  /** Numbers of pages without text, or with text that says nothing. */
  textless: number[];
  /** Numbers of pages that could not be read. */
  broken: number[];
  /** How many pages there are as far as they could be found. */
  count: number;
}

/** A file may claim two thousand million pages. */
export const maxPages = 10_000;
/** So many in a row that cannot be found are not there. */
const maxBrokenInRow = 20;

export async function readPages(document: PDFDocumentProxy, task: FileTask): Promise<ReadPages> {
  const found: ReadPages = { pages: [], textless: [], broken: [], count: Math.min(document.numPages, maxPages) };
  let characters = 0;
  let brokenInRow = 0;
  for (let number = 1; number <= found.count; number += 1) {
    const page = await readPage(document, number);
    task.progress(number);
    if (page === null) {
      found.broken.push(number);
      brokenInRow += 1;
      if (brokenInRow === maxBrokenInRow) {
        found.broken.splice(-maxBrokenInRow);
        found.count = number - maxBrokenInRow;
      }
      continue;
    }
    brokenInRow = 0;
    characters += page.segments.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > maxCharacters) {
      throw tooMuchText('pdf');
    }
    if (!saysSomething(page)) found.textless.push(number);
    else found.pages.push(page);
  }
  return found;
}

async function readPage(document: PDFDocumentProxy, number: number): Promise<PdfPage | null> {
  let page: PDFPageProxy | undefined;
  try {
    page = await document.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    // Normalised before it is turned around, a ligature would have its letters in the wrong order.
    const { items, styles } = await page.getTextContent({ disableNormalization: true });
    const texts = items.filter((item): item is TextItem & typeof item => 'str' in item);
    const segments = readSegments(
      await mendRightToLeft(page, texts),
      viewport.transform as number[],
      (font) => styles[font]?.vertical === true,
    );
    return { number, height: viewport.height, segments: inReadingOrder(mainTurnFirst(segments)) };
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || isPdfError(error)) return null;
    throw error;
  } finally {
    page?.cleanup();
  }
}

function isPdfError(error: unknown): boolean {
  return error instanceof Error && /Exception$|^Error$|^FormatError$/.test(error.name);
}

/** Text that stands on its side (a stamp in the margin, the labels of an axis) comes after the page's own. */
function mainTurnFirst(segments: PdfPage['segments']): PdfPage['segments'] {
  const weights = [0, 0, 0, 0];
  for (const { turn, text } of segments) weights[turn] = (weights[turn] ?? 0) + text.length;
  const main = weights.indexOf(Math.max(...weights));
  const own = segments.filter(({ turn }) => turn === main);
  return own.length === segments.length ? segments : [...own, ...segments.filter(({ turn }) => turn !== main)];
}

/** Share of characters that are none, beyond which a page's fonts do not say what they show. */
const maxNonsense = 0.3;

/** Whether a page has text, and its fonts tell which: without it the glyphs are numbers that mean nothing. */
function saysSomething({ segments }: PdfPage): boolean {
  const text = segments.map((segment) => segment.text).join('');
  const nonsense = text.match(/[\p{Co}\p{Cn}\p{Cs}\ufffd]/gu)?.length ?? 0;
  return /[\p{L}\p{N}]/u.test(text) && nonsense <= text.length * maxNonsense;
}
