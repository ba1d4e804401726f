import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText } from '../src/sources/decoding/charset.ts';
import { encodeText } from './encode-text.ts';

/*
 * Whether the encoding of text that does not declare it is found: `node bench/charset.ts <folder> [samples] [--misses]`. The
 * folder holds texts in UTF-8, named by their language: `es.txt`, `es-news.txt`. Each is cut, recoded to every encoding in
 * which its language is or was written, and read without a declaration: as a text file, as a page, and as a page with
 * `lang`. A text counts as read if every character is right.
 */

const latin = ['windows-1252', 'iso-8859-15', 'macintosh', 'ibm850'];
const central = ['windows-1250', 'iso-8859-2', 'ibm852'];
const cyrillic = ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866', 'ibm855'];
const encodings: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries('es fr de it pt nl sv da no fi is ca eu gl'.split(' ').map((language) => [language, latin])),
  ...Object.fromEntries('pl cs sk hu sl hr'.split(' ').map((language) => [language, central])),
  ro: central,
  ...Object.fromEntries('ru bg sr be'.split(' ').map((language) => [language, cyrillic])),
  uk: ['windows-1251', 'koi8-u', 'iso-8859-5'],
  tr: ['windows-1254', 'ibm857'],
  lt: ['windows-1257', 'iso-8859-13', 'ibm775'],
  lv: ['windows-1257', 'iso-8859-13', 'ibm775'],
  et: ['windows-1257', 'windows-1252'],
  el: ['windows-1253', 'iso-8859-7', 'ibm737'],
  he: ['windows-1255', 'iso-8859-8', 'ibm862'],
  ar: ['windows-1256', 'iso-8859-6'],
  fa: ['windows-1256'],
  th: ['windows-874'],
  vi: ['windows-1258'],
  ja: ['shift_jis', 'euc-jp'],
  ko: ['euc-kr', 'johab'],
  'zh-cn': ['gb18030'],
  'zh-tw': ['big5'],
};
/** Characters of a text. */
const sizes = [150, 600, 4_000];
const samples = Number(process.argv[3] ?? 20) || 20;

const args = process.argv.slice(2);
const [folder] = args;
if (folder === undefined) throw new Error('Give a folder of texts: node bench/charset.ts <folder>');

/** Pieces of about `size` characters that begin with a line and are spread over the text. */
function pieces(text: string, size: number): string[] {
  const step = Math.max(size, Math.floor(text.length / samples));
  const found: string[] = [];
  for (let at = 0; at + size <= text.length && found.length < samples; at += step) {
    const start = at === 0 ? 0 : text.indexOf('\n', at) + 1;
    if (start > 0 || at === 0) found.push(text.slice(start, start + size));
  }
  return found;
}

const forms = {
  text: (text: string) => text,
  page: (text: string) => `<!doctype html><html><body><h1>Home</h1><p>${text}</p></body></html>`,
  'page with lang': (text: string, language: string) =>
    `<!doctype html><html lang="${language}"><body><h1>Home</h1><p>${text}</p></body></html>`,
};

interface Count {
  right: number;
  all: number;
}
const rows = new Map<string, Record<string, Count>>();
const totals: Record<string, Count> = {};
let cpu = process.cpuUsage();
let calls = 0;
for (const file of readdirSync(folder).toSorted()) {
  const language = /^([a-z]{2}(?:-(?:cn|tw))?)(?:-\w+)?\.txt$/.exec(file)?.[1] ?? '';
  const text = readFileSync(join(folder, file), 'utf8').normalize('NFC');
  for (const charset of encodings[language] ?? []) {
    const row: Record<string, Count> = {};
    for (const size of sizes) {
      for (const piece of pieces(text, size)) {
        // What the encoding lacks is left out.
        const { known } = encodeText(piece, charset);
        for (const [form, wrap] of Object.entries(forms)) {
          const whole = wrap(known, language);
          const { bytes } = encodeText(whole, charset);
          if (bytes.every((byte) => byte < 0x80)) continue;
          calls += 1;
          const got = await decodeText(bytes, null);
          const isRight = got.text.normalize('NFC') === whole.normalize('NFC');
          if (!isRight && args.includes('--misses')) console.log(file, charset, form, size, got.charset);
          for (const counts of [row, totals]) {
            const count = (counts[`${form} ${size}`] ??= { right: 0, all: 0 });
            count.all += 1;
            if (isRight) count.right += 1;
          }
        }
      }
    }
    rows.set(`${file.replace('.txt', '')} ${charset}`, row);
  }
}
const { user, system } = process.cpuUsage(cpu);
const share = ({ right, all }: Count): string => (right / all).toFixed(3);
rows.set('all', totals);
console.table(
  Object.fromEntries(
    [...rows].map(([name, row]) => [
      name,
      Object.fromEntries(Object.entries(row).map(([key, count]) => [key, share(count)])),
    ]),
  ),
);
console.log(`${((user + system) / 1_000 / calls).toFixed(1)} ms CPU a text, encoding the texts included`);
