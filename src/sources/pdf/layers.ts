import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { TextItem } from './text-segment.ts';

type Operators = { fnArray: number[]; argsArray: unknown[] };
type Content = TextItem | { type: string; tag?: unknown };

/** Tells which layers of a document are shown; null when all are. */
export async function readLayers(document: PDFDocumentProxy): Promise<((group: unknown) => boolean) | null> {
  const layers = await document.getOptionalContentConfig().catch(() => null);
  if (layers === null || [...layers].every(([, { visible }]: [string, { visible: boolean }]) => visible)) return null;
  return (group) => layers.isVisible(group);
}

/**
 * The texts of a page without those on layers that are off. A text says that it is on a layer, and the drawing operators
 * say on which: both have the layers in the same order.
 */
export async function onShownLayers(
  items: readonly Content[],
  { fnArray, argsArray }: Operators,
  isShown: (group: unknown) => boolean,
): Promise<TextItem[]> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const shown: boolean[] = [];
  for (const [i, operator] of fnArray.entries()) {
    // The texts do not say that a form is on a layer.
    if (operator !== OPS.beginMarkedContentProps || fnArray[i + 1] === OPS.paintFormXObjectBegin) continue;
    const [tag, group] = argsArray[i] as [unknown, unknown];
    if (tag === 'OC') shown.push(group === null || isShown(group));
  }
  const open: boolean[] = [];
  let layer = 0;
  let hidden = 0;
  const texts: TextItem[] = [];
  for (const item of items) {
    if ('str' in item) {
      if (hidden === 0) texts.push(item);
    } else if (item.type.startsWith('beginMarkedContent')) {
      const isHidden = item.tag === 'OC' && item.type === 'beginMarkedContentProps' && shown[layer++] === false;
      open.push(isHidden);
      if (isHidden) hidden += 1;
    } else if (item.type === 'endMarkedContent' && open.pop() === true) hidden -= 1;
  }
  return texts;
}
