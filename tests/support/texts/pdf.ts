import { createHash } from 'node:crypto';
import { PDFDocument, StandardFonts, degrees, type PDFFont } from 'pdf-lib';

/** Where and how a piece of text stands; y counts from the top of the page, in points. */
export interface Piece {
  text: string;
  x: number;
  y: number;
  size?: number;
  bold?: boolean;
  turn?: number;
}

/** A straight line from one point to another; y counts from the top of the page. */
export type Rule = readonly [fromX: number, fromY: number, toX: number, toY: number];

const pageHeight = 792;

/** A PDF with these pieces on its pages, drawn in this order, and the same lines on each page. */
export async function makePdf(
  pages: readonly (readonly Piece[])[],
  facts: { title?: string; author?: string } = {},
  rules: readonly Rule[] = [],
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const plain = await document.embedFont(StandardFonts.TimesRoman);
  const bold = await document.embedFont(StandardFonts.TimesRomanBold);
  if (facts.title !== undefined) document.setTitle(facts.title);
  if (facts.author !== undefined) document.setAuthor(facts.author);
  document.setCreationDate(new Date('2024-03-05T10:15:00Z'));
  for (const pieces of pages) {
    const page = document.addPage([612, pageHeight]);
    for (const [fromX, fromY, toX, toY] of rules) {
      page.drawLine({ start: { x: fromX, y: pageHeight - fromY }, end: { x: toX, y: pageHeight - toY } });
    }
    for (const { text, x, y, size = 10, bold: isBold = false, turn = 0 } of pieces) {
      const font: PDFFont = isBold ? bold : plain;
      page.drawText(text, { x, y: pageHeight - y, size, font, rotate: degrees(turn) });
    }
  }
  return document.save({ useObjectStreams: false });
}

/** Lines of prose under each other. */
export function column(lines: readonly string[], x: number, y: number, size = 10): Piece[] {
  return lines.map((text, i) => ({ text, x, y: y + i * size * 1.2, size }));
}

/** A PDF written out by hand: `objects` from number 1 on, the first of them the catalog. */
export function rawPdf(objects: readonly string[]): Uint8Array {
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  return new Uint8Array(
    Buffer.from(`%PDF-1.7\n${body}trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`, 'latin1'),
  );
}

const padding = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Array.from({ length: 256 }, (_, i) => i);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b]!, state[a]!];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  const mixed = data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + state[i]!) & 255;
    swap(i, j);
    return byte ^ state[(state[i]! + state[j]!) & 255]!;
  });
  return Buffer.from(mixed);
}

/** A page that says `text`, locked with a password in the oldest way that there is (PDF 1.7, 7.6, revision 2). */
export function lockedPdf(text: string, password: string): Uint8Array {
  const md5 = (...parts: Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
  const id = Buffer.from('0123456789abcdef');
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const key = md5(padded, owner, permissions, id).subarray(0, 5);
  const content = rc4(
    md5(key, Buffer.from([4, 0, 0, 0, 0])).subarray(0, 10),
    Buffer.from(`BT /F1 12 Tf 40 300 Td (${text}) Tj ET`),
  );
  const plain = rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>\nstream\n${content.toString('latin1')}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Filter/Standard/V 1/R 2/P -4/O<${owner.toString('hex')}>/U<${rc4(key, padding).toString('hex')}>>>`,
  ]);
  const hex = id.toString('hex');
  const file = Buffer.from(plain)
    .toString('latin1')
    .replace('/Root 1 0 R', `/Root 1 0 R/Encrypt 6 0 R/ID[<${hex}><${hex}>]`);
  return new Uint8Array(Buffer.from(file, 'latin1'));
}

/** Glyphs in a row from `x` to the right, each half as wide as the type is high. */
export interface GlyphRow {
  /** What each glyph stands for; none of a glyph that its font gives no letters. */
  glyphs: readonly string[];
  x: number;
  y: number;
}

/** A page of single glyphs, in the order in which they stand on it: what programs make of right-to-left scripts. */
export function glyphPdf(rows: readonly GlyphRow[], size = 10): Uint8Array {
  const known = [...new Set(rows.flatMap(({ glyphs }) => glyphs))];
  const hex = (number: number): string => number.toString(16).padStart(4, '0');
  // From the middle of the Latin block on: a glyph without letters must not look like white space.
  const codeOf = (glyph: string): string => hex(0x100 + known.indexOf(glyph));
  const letters = (glyph: string): string =>
    Array.from({ length: glyph.length }, (_, i) => hex(glyph.charCodeAt(i))).join('');
  const content = rows
    .map(
      ({ glyphs, x, y }) =>
        `BT /F1 ${size} Tf 1 0 0 1 ${x} ${pageHeight - y} Tm <${glyphs.map(codeOf).join('')}> Tj ET`,
    )
    .join('\n');
  const map = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    `${known.length} beginbfchar`,
    ...known.map((glyph) => `<${codeOf(glyph)}> <${letters(glyph)}>`),
    'endbfchar endcmap end end',
  ].join('\n');
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 ${pageHeight}]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>',
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/FontDescriptor 8 0 R>>',
    `<</Length ${map.length}>>\nstream\n${map}\nendstream`,
    '<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 0 500 700]/ItalicAngle 0/Ascent 700/Descent 0/CapHeight 700/StemV 80>>',
  ]);
}
