import type { PDFDocumentProxy } from 'pdfjs-dist';

/** Pages without text that are looked at: what holds of these holds of the others. */
const sampledPages = 3;
/** Letters that are drawn as outlines are many paths. */
const minPaths = 40;

/** Whether one of the pages shows something: a picture, or as many lines and curves as writing has. */
export async function showsPictures(document: PDFDocumentProxy, numbers: readonly number[]): Promise<boolean> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const pictures = new Set<number>([
    OPS.paintImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintInlineImageXObject,
    OPS.paintInlineImageXObjectGroup,
    OPS.paintImageXObjectRepeat,
    OPS.paintImageMaskXObjectRepeat,
    OPS.paintSolidColorImageMask,
  ]);
  const glyphs = new Set<number>([OPS.showText, OPS.showSpacedText]);
  for (const number of numbers.slice(0, sampledPages)) {
    // A page that cannot be drawn shows nothing.
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
