import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { TextItem } from './letters/join-runs.ts';

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
 * say on which: both have the layers in the same order. Not sure where the operators have other layers, too.
 */
export async function onShownLayers(
  items: readonly Content[],
  { fnArray, argsArray }: Operators,
  isShown: (group: unknown) => boolean,
): Promise<{ texts: TextItem[]; isSure: boolean }> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const images = imageOperators(OPS);
  const layers = [...fnArray.keys()]
    .filter((i) => fnArray[i] === OPS.beginMarkedContentProps && (argsArray[i] as unknown[])[0] === 'OC')
    .map((i) => {
      const [, group] = argsArray[i] as [unknown, unknown];
      const drawn = fnArray[fnArray[i + 1] === OPS.beginGroup ? i + 2 : i + 1];
      const isForm = drawn === OPS.paintFormXObjectBegin;
      return { isHidden: group !== null && !isShown(group), isForm, isObject: isForm || images.has(drawn ?? -1) };
    });
  const count = items.filter(isOnLayer).length;
  // The texts do not say that a form or picture is itself on a layer.
  const own = layers.filter(({ isObject }) => !isObject);
  const order = [layers, own].find(({ length }) => length === count) ?? [];
  const isSure = !layers.some(
    (layer) => layer.isHidden && !order.includes(layer) && (layer.isForm || order.length < count),
  );
  const open: boolean[] = [];
  let layer = 0;
  let hidden = 0;
  const texts: TextItem[] = [];
  for (const item of items) {
    if ('str' in item) {
      if (hidden === 0) texts.push(item);
    } else if (item.type.startsWith('beginMarkedContent')) {
      const isHidden = isOnLayer(item) && order[layer++]?.isHidden === true;
      open.push(isHidden);
      if (isHidden) hidden += 1;
    } else if (item.type === 'endMarkedContent' && open.pop() === true) hidden -= 1;
  }
  return { texts, isSure };
}

function isOnLayer(item: Content): boolean {
  return 'type' in item && item.type === 'beginMarkedContentProps' && item.tag === 'OC';
}

export function imageOperators(operators: Readonly<Record<string, number>>): ReadonlySet<number> {
  return new Set(Object.entries(operators).flatMap(([name, code]) => (/^paint.*Image/.test(name) ? [code] : [])));
}
