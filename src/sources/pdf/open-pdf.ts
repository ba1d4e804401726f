import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { ProcessingError } from '../../errors.ts';

/** Bytes in which the `%PDF-` signature is searched for: mail and download programs may put data before it. */
const prefixBytes = 65_536;
const maxPixels = 100_000_000;

export interface OpenedPdf {
  document: PDFDocumentProxy;
  /** Whether the list of pages was missing and has been rebuilt. More of the file may be missing. */
  isMended: boolean;
}

/**
 * Opens a PDF. pdf.js repairs broken cross-reference tables; a missing list of pages is rebuilt here.
 * @throws {ProcessingError} `password_required`, or `extraction_failed` for a file that is too damaged to read
 */
export async function openPdf(bytes: Uint8Array, password: string | null): Promise<OpenedPdf> {
  const whole = withoutPrefix(bytes);
  try {
    // pdf.js takes ownership of the bytes, so pass a copy.
    const document = await load(whole.slice(), password);
    await document.getPage(1);
    return { document, isMended: false };
  } catch (error) {
    if (isPasswordError(error)) throw locked(password !== null);
    const mended = salvagePages(whole);
    if (mended === null) throw damaged(error);
    const document = await load(mended, password).catch((cause: unknown) => {
      throw damaged(cause);
    });
    return { document, isMended: true };
  }
}

async function load(data: Uint8Array, password: string | null): Promise<PDFDocumentProxy> {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')) + sep;
  return pdfjs.getDocument({
    data,
    // The paths need a trailing slash: pdf.js appends file names to them.
    cMapUrl: `${folder}cmaps${sep}`,
    cMapPacked: true,
    standardFontDataUrl: `${folder}standard_fonts${sep}`,
    wasmUrl: `${folder}wasm${sep}`,
    maxImageSize: maxPixels,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: 0,
    ...(password !== null && { password }),
  }).promise;
}

function withoutPrefix(bytes: Uint8Array): Uint8Array {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, prefixBytes)).search(/%PDF-\d/);
  return start > 0 ? bytes.subarray(start) : bytes;
}

function isPasswordError(error: unknown): boolean {
  return error instanceof Error && error.name === 'PasswordException';
}

function locked(hadPassword: boolean): ProcessingError {
  return new ProcessingError(
    'password_required',
    hadPassword
      ? 'The password does not open this PDF. Try again with the right one.'
      : 'This PDF is locked with a password. Give it on the command line: `commonplace retry <id> --password <password>`, or `commonplace save <file> --password <password>`.',
  );
}

export function damaged(cause?: unknown): ProcessingError {
  return new ProcessingError(
    'extraction_failed',
    'This PDF is damaged beyond repair: no page of it can be read. Download it again, or open it and print it to a new PDF.',
    { cause },
  );
}

const maxPages = 10_000;
const objectHead = 4_000;

/** Appends a list of the remaining pages to a file without its end. Null when none can be found. */
export function salvagePages(bytes: Uint8Array): Uint8Array | null {
  const text = new TextDecoder('latin1').decode(bytes);
  const pages: string[] = [];
  let highest = 0;
  for (const found of text.matchAll(/\b(\d{1,9}) (\d{1,5}) obj\b/g)) {
    const [mark, number = '0', generation = '0'] = found;
    highest = Math.max(highest, Number(number));
    const start = found.index + mark.length;
    const rest = text.slice(start, start + objectHead);
    // Stop at the next object. Otherwise a file of objects without ends would be read four thousand times.
    const end = rest.search(/\b(?:endobj|stream|obj)\b/);
    const head = end === -1 ? rest : rest.slice(0, end);
    if (/\/Type\s*\/Page\b(?!s)/.test(head) && pages.length < maxPages) pages.push(`${number} ${generation} R`);
  }
  if (pages.length === 0) return null;
  const [list, catalog] = [highest + 1, highest + 2];
  const end = [
    '',
    `${list} 0 obj<</Type/Pages/Kids[${pages.join(' ')}]/Count ${pages.length}/MediaBox[0 0 612 792]>>endobj`,
    `${catalog} 0 obj<</Type/Catalog/Pages ${list} 0 R>>endobj`,
    `trailer<</Root ${catalog} 0 R/Size ${catalog + 1}>>`,
    '%%EOF',
  ].join('\n');
  const mended = new Uint8Array(bytes.length + end.length);
  mended.set(bytes);
  mended.set(new TextEncoder().encode(end), bytes.length);
  return mended;
}
