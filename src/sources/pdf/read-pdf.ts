import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { Block, Document } from '../../domain/records/texts/document.ts';
import type { Warning } from '../../domain/records/content.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { ProcessingError } from '../../errors.ts';
import type { FileTask } from '../source.ts';
import { languageOfBlocks } from '../language/language.ts';
import { fileName, textDocument, warningsOf } from '../text/read-text.ts';
import { collectWords, joinRows, type Line, type PdfPage } from './lines.ts';
import { damaged, openPdf } from './open-pdf.ts';
import { buildBlocks, guarded } from './paragraphs.ts';
import { readMetadata, readOutline } from './pdf-metadata.ts';
import { showsPictures, recognisePages } from './recognise-pages.ts';
import { maxPages, readPages, type ReadPages } from './read-pages.ts';
import { dropRunningLines } from './page-margins.ts';
import { measureStyles, outlineTitles, type Styles } from './styles.ts';

/**
 * Reads a PDF: its text in reading order, with the page of every block. A hostile file may take unlimited time and
 * memory, so this runs in a process that can be killed.
 * @throws {ProcessingError} `password_required`, `scanned`, `empty`, `too_large` or `extraction_failed`
 */
export async function readPdf(bytes: Uint8Array, task: FileTask): Promise<Document> {
  const { document, isMended } = await openPdf(bytes, task.password);
  task.progress(0);
  const metadata = await readMetadata(document);
  const outline = await readOutline(document);
  const read = await readPages(document, task);
  const isScanned = read.textless.length > 0 && (await showsPictures(document, read.textless));
  const recognised =
    task.ocr && isScanned
      ? await recognisePages(document, read.textless, task, read.pages.length)
      : new Map<number, Block[]>();
  if (read.pages.length === 0 && read.notes.size === 0 && recognised.size === 0)
    throw noTextAtAll(read, isScanned, task.ocr);

  const pages = dropRunningLines(read.pages).map(joinRows);
  const lines = pages.flat();
  const styles = measureStyles(lines);
  const written = buildBlocks(pages, { styles, outline: outlineTitles(outline), words: collectWords(lines) });
  const notes = [...read.notes].flatMap(([page, texts]) => texts.map((text) => noteBlock(text, page)));
  const blocks = inPageOrder(written, [...[...recognised.values()].flat(), ...notes]);
  return textDocument(blocks, {
    contentType: 'pdf',
    title: metadata.title ?? titleOnPage(read.pages[0], styles) ?? firstHeading(blocks) ?? fileName(task.url),
    author: metadata.author,
    publishedAt: metadata.publishedAt,
    language: (await languageOfBlocks(blocks)) ?? metadata.language,
    pageCount: read.count,
    warnings: await lossesIn(document, isMended, read, recognised),
  });
}

function noteBlock(text: string, page: number): Block {
  return { kind: 'paragraph', text: guarded(text), locator: { kind: 'page', page } };
}

/** Merges further blocks by page. The sort is stable, so blocks of one page keep their order. */
function inPageOrder(written: Block[], further: readonly Block[]): Block[] {
  if (further.length === 0) return written;
  const pageOf = ({ locator }: Block): number => (locator?.kind === 'page' ? locator.page : 0);
  return [...written, ...further].toSorted((a, b) => pageOf(a) - pageOf(b));
}

function noTextAtAll({ textless }: ReadPages, isScanned: boolean, ocr: boolean): ProcessingError {
  if (textless.length === 0) return damaged();
  if (!isScanned) {
    return new ProcessingError(
      'empty',
      'There is no text in this PDF, and nothing else on its pages. Check that it is the right file.',
    );
  }
  if (ocr) {
    return new ProcessingError(
      'scanned',
      'The pages of this PDF are pictures, and no text could be recognised on them: only printed English is. Save a version with text, or its text as a file.',
    );
  }
  return new ProcessingError(
    'scanned',
    'The pages of this PDF are pictures, as from a scanner, without text. Turn on text recognition (setting `ocr`; `commonplace doctor` says what it needs) and retry, or save a version with text.',
  );
}

async function lossesIn(
  document: PDFDocumentProxy,
  isMended: boolean,
  { textless: unread, broken, count, hidden, unsure }: ReadPages,
  recognised: ReadonlyMap<number, Block[]>,
): Promise<Warning[]> {
  const textless = unread.filter((number) => !recognised.has(number));
  const hasPictures = textless.length > 0 && (await showsPictures(document, textless));
  const attached = Object.keys((await document.getAttachments().catch(() => null)) ?? {}).length;
  const [are, ofText] = [broken.length === 1 ? 'is' : 'are', textless.length === 1 ? 'is a picture' : 'are pictures'];
  return warningsOf(
    [
      isMended,
      'damaged',
      'The end of this PDF is missing. What is left of it was read; pages are missing, and words may be broken.',
    ],
    [
      recognised.size > 0,
      'recognised_text',
      `${named([...recognised.keys()])} of ${count} were pictures; their text was recognised and may have mistakes.`,
    ],
    [broken.length > 0, 'pages_unreadable', `${named(broken)} could not be read and ${are} missing from the text.`],
    [
      hasPictures,
      'pages_without_text',
      `${named(textless)} of ${count} ${ofText} without text. Text recognition (setting \`ocr\`) can read such pages.`,
    ],
    [hidden > 0, 'hidden_text', `${hidden} characters on layers that are turned off were left out.`],
    [
      unsure.length > 0,
      'hidden_text',
      `${named(unsure)} may have text on layers that are turned off: which text that is could not be told, so it was kept.`,
    ],
    [
      attached > 0,
      'attachments_not_read',
      `Files inside this PDF were not read (${attached}). Save them as files of their own to keep their text.`,
    ],
    [document.numPages > count && count === maxPages, 'truncated', `Only the first ${count} pages were read.`],
  );
}

/** `Page 3`, `Pages 3, 5–9 and 12 more`. */
function named(numbers: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  const shown = spans.slice(0, 8).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const rest = spans.slice(8).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return `Page${numbers.length === 1 ? '' : 's'} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function titleOnPage(page: PdfPage | undefined, styles: Styles): string | null {
  if (page === undefined || page.number !== 1) return null;
  const upper: Line[] = joinRows(page).filter(
    ({ y, text, turn }) => turn === 0 && y < page.height * 0.55 && /\p{L}{2}|[\p{Script=Han}]/u.test(text),
  );
  const size = Math.max(0, ...upper.map((line) => line.size));
  if (size < styles.bodySize * 1.1) return null;
  const first = upper.findIndex((line) => line.size > size - 0.3);
  const title: string[] = [];
  for (const line of upper.slice(first)) {
    if (line.size < size - 0.3 || title.length === 4) break;
    title.push(line.text);
  }
  return (
    title
      .join(' ')
      .replaceAll(/\[\^\d+\]/g, '')
      .trim() || null
  );
}

function firstHeading(blocks: readonly Block[]): string | null {
  const heading = blocks.slice(0, 20).find(({ kind }) => kind === 'heading');
  return heading === undefined ? null : plainText(heading.text);
}
