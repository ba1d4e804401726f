import type { Line } from './lines.ts';

export interface Styles {
  bodySize: number;
  bodyFont: string;
  /** Sizes of headings, largest first, each with its level. */
  headingSizes: { size: number; level: number }[];
}

export interface OutlineEntry {
  title: string;
  /** 0 for the top level. */
  depth: number;
}

/** A font size above the body size by this factor is a heading size. */
const headingFactor = 1.13;
/** Sizes whose ratio is at most this count as one heading level. */
const sameSize = 1.06;
const maxLevels = 4;
/** Each line is compared with each heading size. */
const maxHeadingSizes = 200;
/** Maximum characters of a heading. Longer text is large for another reason. */
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
    // A font size used for a large part of the document is body text, too.
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

/** Normalised for comparison with the text. */
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

/** The heading level of a line; null for text. `gap` is the white space above the line, in font sizes of the line. */
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
  // Headings of body size: pdf.js does not report font weight, so accept a short line that is numbered or has a usual
  // heading name, in a font other than the body's and with white space above it.
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
