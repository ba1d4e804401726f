import type { PDFDocumentProxy } from 'pdfjs-dist';

/** Number of pages without text to examine; the others are assumed to be alike. */
const sampledPages = 3;
/** Letters drawn as outlines take many paths. */
const minPaths = 40;

/** Whether one of the pages has visible content: a picture, glyphs, or as many paths as writing takes. */
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
