import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextItem } from './letters/join-runs.ts';

export interface PageAnnotations {
  /** The page's texts, with the values of form fields and typed texts behind their labels. */
  items: TextItem[];
  notes: string[];
}

/** An annotation of pdf.js, as far as it is used here. Everything in it comes from the file. */
interface Annotation {
  subtype?: string;
  annotationFlags?: number;
  rect?: number[];
  fieldType?: string;
  fieldValue?: unknown;
  options?: { exportValue?: unknown; displayValue?: unknown }[];
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: unknown;
  buttonValue?: unknown;
  defaultAppearanceData?: { fontSize?: number };
  contentsObj?: { str?: string };
  titleObj?: { str?: string };
  textContent?: string[];
}

/** Each field is compared with each text. */
const maxAnnotations = 3_000;
const maxLabels = 5_000;
const maxLength = 100_000;
/** Flags of annotations that are hidden (2), or not shown on the screen (32). */
const notShown = 2 | 32;
/** A line of a form, in points, where its font has no size. */
const usualSize = 11;
/** How far a label may be above its field, in font sizes. */
const maxAbove = 2.5;
const silent = new Set(['Link', 'Popup', 'Widget']);

export async function withAnnotations(page: PDFPageProxy, texts: readonly TextItem[]): Promise<PageAnnotations> {
  // A damaged list of annotations must not cost the page's text.
  const found = await page.getAnnotations().catch(() => []);
  const annotations = (found as Annotation[])
    .filter(({ annotationFlags = 0 }) => (annotationFlags & notShown) === 0)
    .slice(0, maxAnnotations);
  const isFilled = annotations.some((one) => valueOf(one) !== null && valueOf(one) !== unticked);
  const notes: string[] = [];
  const behind = new Map<TextItem | null, TextItem[]>();
  const labels = texts.filter(({ str }) => str.trim() !== '').slice(0, maxLabels);
  const written = squeezed(texts.map(({ str }) => str).join(''));
  for (const annotation of annotations) {
    const value = isFilled ? valueOf(annotation) : null;
    const typed = annotation.subtype === 'FreeText' ? contentsOf(annotation) : '';
    const label = value === null && typed === '' ? null : findLabel(annotation, labels);
    if (value !== null || (typed !== '' && label?.isBeside === true)) {
      const place = label?.item ?? null;
      const items = behind.get(place) ?? [];
      items.push(...itemsFor(annotation, value ?? typed, label));
      behind.set(place, items);
    } else if (!silent.has(annotation.subtype ?? '')) {
      const contents = contentsOf(annotation);
      const author = clean(annotation.titleObj?.str ?? '');
      // Programs repeat the words that are marked.
      const isNothingNew =
        contents === '' || (annotation.subtype !== 'FreeText' && written.includes(squeezed(contents)));
      if (!isNothingNew) notes.push(author === '' ? `Note: ${contents}` : `Note by ${author}: ${contents}`);
    }
  }
  if (behind.size === 0) return { items: [...texts], notes };
  return {
    items: [...texts.flatMap((text) => [text, ...(behind.get(text) ?? [])]), ...(behind.get(null) ?? [])],
    notes,
  };
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

const unticked = '[ ]';

/** The value of a form field as text; null for an empty one, and for anything else. */
function valueOf({ subtype, fieldType, fieldValue, ...field }: Annotation): string | null {
  if (subtype !== 'Widget' || field.password === true) return null;
  if (fieldType === 'Btn') {
    if (field.checkBox !== true && field.radioButton !== true) return null;
    const on = field.radioButton === true ? field.buttonValue : field.exportValue;
    return typeof fieldValue === 'string' && fieldValue !== 'Off' && fieldValue === on ? '[x]' : unticked;
  }
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).map((value: unknown) => {
    const shown = field.options?.find(({ exportValue }) => exportValue === value)?.displayValue;
    return typeof shown === 'string' ? shown : typeof value === 'string' ? value : '';
  });
  return fieldType === 'Tx' || fieldType === 'Ch'
    ? clean(values.filter((value) => value !== '').join(', ')) || null
    : null;
}

function contentsOf({ contentsObj, textContent }: Annotation): string {
  return clean(contentsObj?.str ?? '') || clean((textContent ?? []).join('\n'));
}

function clean(text: string): string {
  return text.slice(0, maxLength).replaceAll(/\r\n?/g, '\n').trim();
}

interface FieldLabel {
  item: TextItem;
  isBeside: boolean;
}

/** The text that a field belongs to: the nearest to its left in its height, or else the nearest above. */
function findLabel({ rect = [] }: Annotation, labels: readonly TextItem[]): FieldLabel | null {
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  let beside: TextItem | null = null;
  let above: TextItem | null = null;
  for (const item of labels) {
    const [x, y] = [item.transform[4] ?? 0, item.transform[5] ?? 0];
    const isInHeight = y > bottom - 2 && y < top + 1;
    if (
      isInHeight &&
      x < right &&
      (beside === null || x > (beside.transform[4] ?? 0)) &&
      x + item.width < left + item.height * 2
    )
      beside = item;
    const isAbove = y >= top - 2 && y - top < maxAbove * Math.max(item.height, 1) && x < right && x + item.width > left;
    if (isAbove && (above === null || y < (above.transform[5] ?? 0))) above = item;
  }
  if (beside !== null) return { item: beside, isBeside: true };
  if (above !== null) return { item: above, isBeside: false };
  // The preceding text on the page, from top to bottom.
  const before = labels.filter(({ transform }) => (transform[5] ?? 0) > top);
  const last = before.reduce<TextItem | null>(
    (low, item) => (low !== null && (low.transform[5] ?? 0) < (item.transform[5] ?? 0) ? low : item),
    null,
  );
  return last === null ? null : { item: last, isBeside: false };
}

/** The lines of a value, placed in its field, and on the line of its label where it has one there. */
function itemsFor(
  { rect = [], defaultAppearanceData }: Annotation,
  value: string,
  label: FieldLabel | null,
): TextItem[] {
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const own = defaultAppearanceData?.fontSize ?? 0;
  const size = label?.item.height || own || usualSize;
  const first = label?.isBeside === true ? (label.item.transform[5] ?? bottom) : Math.max(bottom, top - size * 1.1);
  return value.split('\n').map((str, i) => ({
    str,
    dir: /^[^\p{L}]*[\u0590-\u08ff]/u.test(str) ? 'rtl' : 'ltr',
    width: Math.max(1, Math.min(right - left, str.length * size * 0.5)),
    height: size,
    transform: [size, 0, 0, size, left, first - i * size * 1.15],
    fontName: label?.item.fontName ?? 'form',
    hasEOL: false,
  }));
}
