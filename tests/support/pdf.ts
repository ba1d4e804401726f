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

export const pageHeight = 792;

/** A PDF with these pieces on its pages, drawn in this order. */
export async function makePdf(
  pages: readonly (readonly Piece[])[],
  facts: { title?: string; author?: string } = {},
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const plain = await document.embedFont(StandardFonts.TimesRoman);
  const bold = await document.embedFont(StandardFonts.TimesRomanBold);
  if (facts.title !== undefined) document.setTitle(facts.title);
  if (facts.author !== undefined) document.setAuthor(facts.author);
  document.setCreationDate(new Date('2024-03-05T10:15:00Z'));
  for (const pieces of pages) {
    const page = document.addPage([612, pageHeight]);
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
