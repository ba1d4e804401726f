import type { Line } from './lines.ts';

/** How the document is set: which type is its text's, and which sizes its headings have. */
export interface Styles {
  bodySize: number;
  bodyFont: string;
  /** Sizes of headings, largest first, each with its level. */
  headingSizes: { size: number; level: number }[];
}

export interface OutlineEntry {
  title: string;
  /** 0 for the top. */
  depth: number;
}

/** Type this much larger than the text's is a heading's. */
const headingFactor = 1.13;
/** Sizes that lie closer are one. */
const sameSize = 1.06;
const maxLevels = 4;
/** Sizes of type that may be those of headings, largest first: each line is compared with each. */
const maxHeadingSizes = 200;
/** Characters; what is longer is set large for another reason. */
const maxHeadingLength = 200;

export function measureStyles(lines: readonly Line[]): Styles {
  const bodySize = Number(heaviest(lines, ({ size }) => String(Math.round(size * 4) / 4))) || 10;
  const bodyFont = heaviest(lines, ({ font }) => font);
  const weights = new Map<number, number>();
  let total = 0;
  for (const { size, text } of lines) {
    total += text.length;
    if (size <= bodySize * headingFactor || !/\p{L}{2}/u.test(text)) continue;
    const rounded = Math.round(size * 4) / 4;
    weights.set(rounded, (weights.get(rounded) ?? 0) + text.length);
  }
  const sizes = [...weights].toSorted((a, b) => b[0] - a[0]).slice(0, maxHeadingSizes);
  const levels: { size: number; level: number }[] = [];
  for (const [size, weight] of sizes) {
    // Type that a good part of the document is set in is a text's, too.
    if (weight > total * 0.3) continue;
    const last = levels.at(-1);
    const isOwn = last === undefined || last.size / size > sameSize;
    levels.push({ size, level: Math.min(maxLevels, (last?.level ?? 0) + (isOwn ? 1 : 0)) });
  }
  return { bodySize, bodyFont, headingSizes: levels };
}

function heaviest(lines: readonly Line[], keyOf: (line: Line) => string): string {
  const weights = new Map<string, number>();
  for (const line of lines) weights.set(keyOf(line), (weights.get(keyOf(line)) ?? 0) + line.text.length);
  return [...weights].reduce<[string, number]>((most, entry) => (entry[1] > most[1] ? entry : most), ['', 0])[0];
}

/** Titles of the outline as they may stand in the text, with their depth. */
export function outlineTitles(outline: readonly OutlineEntry[]): Map<string, number> {
  return new Map(
    outline.map(({ title, depth }) => [bareTitle(title), depth] as const).filter(([title]) => title !== ''),
  );
}

function bareTitle(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^(?:chapter|section|part|appendix)?\s*(?:[\divx]+[.):\s]+)*/u, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The level of a heading that the line is or belongs to; null for text. `gap` is the white above it, in its font sizes. */
export function headingLevel(
  line: Line,
  gap: number,
  styles: Styles,
  outline: ReadonlyMap<string, number>,
): number | null {
  const { text, size, font } = line;
  if (text.length > maxHeadingLength || !/\p{L}{2}|[\p{Script=Han}]/u.test(text)) return null;
  const sized = styles.headingSizes.find((one) => Math.abs(one.size - size) < 0.2);
  const differs = font !== styles.bodyFont || size > styles.bodySize * 1.03;
  const depth = outline.get(bareTitle(text));
  if (depth !== undefined && (sized !== undefined || differs || gap > 1.4)) return Math.min(6, depth + 1);
  if (sized !== undefined) return /[.,;]$/.test(text) && text.length > 60 ? null : sized.level;
  // Bold is no size, and pdf.js tells no weight: a short numbered line in a type of its own, with white above it.
  const isNumbered = /^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+\p{Lu}/u.test(text);
  const isNamed =
    /^(?:abstract|introduction|references|bibliography|conclusions?|acknowledge?ments|appendix.{0,40}|summary)$/i.test(
      text,
    );
  if (
    font !== styles.bodyFont &&
    size > styles.bodySize * 0.9 &&
    gap > 1.15 &&
    (isNumbered || isNamed) &&
    text.length < 90 &&
    !/[.,;]$/.test(text)
  ) {
    const deepest = styles.headingSizes.at(-1)?.level ?? 1;
    return Math.min(6, Math.max(2, deepest + (/^\d+\.\d/.test(text) ? 2 : 1)));
  }
  return null;
}
