import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeText } from '../src/sources/decoding/charset.ts';
import { encodeText } from './encode-text.ts';

/*
 * Measures whether the encoding of real pages is detected when it is not declared: `node bench/charset-pages.ts <folder>
 * [--misses]`. The folder and its subfolders hold pages in UTF-8 (`.html`, `.html.gz`). Declarations are removed, and each page
 * is converted to three Western encodings. A page counts as read if every character is right. Pages without a character
 * outside ASCII, and pages garbled before (UTF-8 read as windows-1252), are left out.
 */

const charsets = ['windows-1252', 'iso-8859-15', 'macintosh'];
const garbled = /[ÂÃâ][\u0080-\u00bf€™œ“”]/;
const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) throw new Error('Give a folder of pages: node bench/charset-pages.ts <folder>');

/** The page without declarations of its encoding; null when it is not UTF-8. */
function withoutDeclaration(path: string): string | null {
  const bytes = readFileSync(path);
  try {
    const html = new TextDecoder('utf-8', { fatal: true }).decode(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    return html.replaceAll(/charset\s*=\s*["']?[\w-]+/gi, 'data-was').replaceAll(/encoding\s*=\s*["'][\w-]+["']/gi, '');
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const rows = new Map<string, { read: number; pages: number; share?: string }>();
let leftOut = 0;
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.html?(?:\.gz)?$/.test(name),
);
for (const name of names.toSorted()) {
  const html = withoutDeclaration(join(folder, name));
  if (html === null || garbled.test(html)) {
    leftOut += 1;
    continue;
  }
  const language = /<html\b[^>]{0,500}?\slang\s*=\s*["']?([a-z]{2})/i.exec(html)?.[1]?.toLowerCase() ?? 'en';
  for (const charset of charsets) {
    const { bytes, known } = encodeText(html, charset);
    if (bytes.every((byte) => byte < 0x80)) continue;
    const key = `${language === 'en' ? 'English' : 'other languages'}, ${charset}`;
    const row = rows.get(key) ?? { read: 0, pages: 0 };
    rows.set(key, row);
    row.pages += 1;
    const got = await decodeText(bytes, null);
    if (got.text === known) row.read += 1;
    else if (flags.includes('--misses')) console.log(name, charset, 'was read as', got.charset);
  }
}
for (const row of rows.values()) row.share = (row.read / row.pages).toFixed(3);
console.table(Object.fromEntries(rows));
console.log(`${names.length} pages, ${leftOut} of them left out`);
