import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { tooMuchText } from '../host/reading-failures.ts';
import { maxCharacters } from '../host/reading-protocol.ts';
import type { FileTask } from '../source.ts';
import { lazily } from '../../domain/lazily.ts';
import { withAnnotations } from './annotations.ts';
import { joinBullets, withBullets, withoutLetterSpacing } from './letters/drawn-letters.ts';
import { onShownLayers, readLayers } from './layers.ts';
import type { PdfPage } from './lines.ts';
import { withoutMarginText } from './page-margins.ts';
import { inReadingOrder } from './reading-order.ts';
import { reorderRightToLeft } from './letters/right-to-left.ts';
import { readSegments } from './segments.ts';
import type { TextItem } from './letters/join-runs.ts';
import { findGrids, linesBetween } from './tables/grids.ts';
import { gatherTables, mayHoldTable } from './tables/ruled-tables.ts';
import { readRulings } from './tables/rulings.ts';

export interface ReadPages {
  pages: PdfPage[];
  /** Comments and notes, by the number of their page. */
  notes: Map<number, string[]>;
  /** Characters on layers that are off, which are left out. */
  hidden: number;
  /** Numbers of pages of which it is not sure which text is on layers that are off. */
  unsure: number[];
  /** Numbers of pages without text, or whose text has no usable character map. */
  textless: number[];
  broken: number[];
  /** Number of pages that could be found, at most `maxPages`. */
  count: number;
}

/** Limit on pages, since a file may claim two billion of them. */
export const maxPages = 10_000;
/** After this many unreadable pages in a row, the file is assumed to end before them. */
const maxBrokenInRow = 20;

export async function readPages(document: PDFDocumentProxy, task: FileTask): Promise<ReadPages> {
  const count = Math.min(document.numPages, maxPages);
  const found: ReadPages = { pages: [], notes: new Map(), textless: [], broken: [], hidden: 0, unsure: [], count };
  const isShown = await readLayers(document);
  let characters = 0;
  let brokenInRow = 0;
  for (let number = 1; number <= found.count; number += 1) {
    const read = await readPage(document, number, isShown);
    task.progress(number);
    if (read === null) {
      found.broken.push(number);
      brokenInRow += 1;
      if (brokenInRow === maxBrokenInRow) {
        found.broken.splice(-maxBrokenInRow);
        found.count = number - maxBrokenInRow;
      }
      continue;
    }
    brokenInRow = 0;
    const { page, notes, hidden, isSure } = read;
    found.hidden += hidden;
    if (!isSure) found.unsure.push(number);
    if (notes.length > 0) found.notes.set(number, notes);
    characters += [...page.segments.map(({ text }) => text), ...notes].reduce((sum, { length }) => sum + length, 0);
    if (characters > maxCharacters) throw tooMuchText('pdf');
    if (!saysSomething(page)) found.textless.push(number);
    else found.pages.push(page);
  }
  return found;
}

interface ReadPage {
  page: PdfPage;
  notes: string[];
  hidden: number;
  isSure: boolean;
}

function lengthOf(texts: readonly TextItem[]): number {
  return texts.reduce((sum, { str }) => sum + str.length, 0);
}

async function readPage(
  document: PDFDocumentProxy,
  number: number,
  isShown: ((group: unknown) => boolean) | null,
): Promise<ReadPage | null> {
  let page: PDFPageProxy | undefined;
  try {
    page = await document.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    // Without this option, pdf.js normalises ligatures before it reverses right-to-left text, which puts their letters
    // in the wrong order.
    const { items, styles } = await page.getTextContent({
      disableNormalization: true,
      includeMarkedContent: isShown !== null,
    });
    const all = items.filter((item): item is TextItem & typeof item => 'str' in item);
    const opened = page;
    const view = viewport.transform as number[];
    const operators = lazily(() => opened.getOperatorList());
    const { texts, isSure } =
      isShown === null ? { texts: all, isSure: true } : await onShownLayers(items, await operators.get(), isShown);
    const grids = mayHoldTable(texts) ? findGrids(await readRulings(await operators.get(), view)) : [];
    const own = withBullets(withoutLetterSpacing(await reorderRightToLeft(operators.get, texts)));
    const { items: written, notes } = await withAnnotations(page, own);
    const segments = readSegments(written, view, (font) => styles[font]?.vertical === true, linesBetween(grids));
    const pieces = joinBullets(gatherTables(mainTurnFirst(withoutMarginText(segments)), grids));
    const hidden = lengthOf(all) - lengthOf(texts);
    return { page: { number, height: viewport.height, segments: inReadingOrder(pieces) }, notes, hidden, isSure };
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

/** Puts rotated text (a stamp in the margin, the labels of an axis) after the page's own text. */
function mainTurnFirst(segments: PdfPage['segments']): PdfPage['segments'] {
  const weights = [0, 0, 0, 0];
  for (const { turn, text } of segments) weights[turn] = (weights[turn] ?? 0) + text.length;
  const main = weights.indexOf(Math.max(...weights));
  const own = segments.filter(({ turn }) => turn === main);
  return own.length === segments.length ? segments : [...own, ...segments.filter(({ turn }) => turn !== main)];
}

/** Above this share of invalid characters, the page's fonts have no usable character map. */
const maxNonsense = 0.3;

/** Without a usable character map, glyphs are only meaningless numbers. */
function saysSomething({ segments }: PdfPage): boolean {
  const text = segments.map((segment) => segment.text).join('');
  const nonsense = text.match(/[\p{Co}\p{Cn}\p{Cs}\ufffd]/gu)?.length ?? 0;
  return /[\p{L}\p{N}]/u.test(text) && nonsense <= text.length * maxNonsense;
}
