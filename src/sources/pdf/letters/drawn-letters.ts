import { firstIndex, isSameRow } from '../reading-order.ts';
import type { TextItem, TextSegment, TextRun } from './join-runs.ts';

/** Characters that programs use for bullets, in any font. */
const bullet = /^[•◦▪▫‣●○■□∙·⁃➢➤►✓✔❖\uf0a7\uf0b7\uf0d8\uf076\uf0fc\u2013-]$/u;
/** Letters that fonts of symbols (Wingdings, ZapfDingbats) show as bullets, and the `o` of Courier. */
const disguised = /^[a-z§Øüàè¾Ÿ]$/u;
/** How far a bullet may be before its text, in font sizes of the text. */
const maxDistance = 3.5;
/** Texts of one height among which the text of a bullet is searched for. */
const maxNeighbours = 20;

/** Replaces letters by bullets in fonts that a page uses for single letters at the starts of lines only. */
export function withBullets(items: readonly TextItem[]): TextItem[] {
  const shown = items.filter(({ str }) => str.trim() !== '');
  const fonts = new Map<string, boolean>();
  for (const [i, item] of shown.entries()) {
    const isBullet = disguised.test(item.str.trim()) && beginsLine(item, shown[i - 1], shown[i + 1]);
    fonts.set(item.fontName, isBullet && fonts.get(item.fontName) !== false);
  }
  return items.map((item) =>
    item.str.trim() !== '' && fonts.get(item.fontName) === true ? { ...item, str: '•' } : item,
  );
}

function beginsLine(item: TextItem, before: TextItem | undefined, after: TextItem | undefined): boolean {
  const [x = 0, y = 0] = item.transform.slice(4);
  const [beforeX = 0, beforeY = 0] = before?.transform.slice(4) ?? [];
  const [afterX = 0, afterY = 0] = after?.transform.slice(4) ?? [];
  const reach = item.height * 0.5;
  if (after === undefined || Math.abs(afterY - y) > reach || after.fontName === item.fontName) return false;
  const gap = afterX - (x + item.width);
  const isFirst = before === undefined || Math.abs(beforeY - y) > reach || beforeX > x;
  return isFirst && gap > item.height * 0.2 && gap < item.height * maxDistance;
}

/** Puts bullets that a file draws apart from their texts before these. */
export function joinBullets(segments: readonly TextSegment[]): TextSegment[] {
  const texts = segments.filter(({ text, turn }) => turn === 0 && !bullet.test(text));
  const down = texts.toSorted((a, b) => a.y - b.y);
  const bullets = new Map<TextSegment, TextSegment>();
  for (const one of segments) {
    if (one.turn !== 0 || !bullet.test(one.text)) continue;
    const near = firstIndex(down, ({ y }) => y > one.y - one.size);
    let next: TextSegment | undefined;
    for (const text of down.slice(near, near + maxNeighbours)) {
      const gap = text.x0 - one.x1;
      const isBeside = isSameRow(one, text) && gap > -1 && gap < maxDistance * text.size;
      if (isBeside && (next === undefined || text.x0 < next.x0)) next = text;
    }
    if (next !== undefined && !bullets.has(next)) bullets.set(next, one);
  }
  if (bullets.size === 0) return [...segments];
  const joined = new Set(bullets.values());
  return segments.flatMap((segment) => {
    const own = bullets.get(segment);
    if (own !== undefined) return [{ ...segment, text: `• ${segment.text}`, x0: own.x0 }];
    return joined.has(segment) ? [] : [segment];
  });
}

const spaced = /^\S(?: \S)+$/u;
/** Fewer letters may be spaced for another reason. */
const minLetters = 5;

/**
 * Removes the spaces that pdf.js sees between the letters of texts that are set with wide gaps (`T H E  L A M P`). A line
 * is one if all of its texts are single characters with spaces between them.
 */
export function withoutLetterSpacing(items: readonly TextItem[]): TextItem[] {
  const joined: TextItem[] = [];
  let line: TextItem[] = [];
  const flush = (): void => {
    for (const item of isSpacedLine(line) ? line.map(unspaced) : line) joined.push(item);
    line = [];
  };
  for (const item of items) {
    const last = line.at(-1);
    if (last !== undefined && Math.abs((last.transform[5] ?? 0) - (item.transform[5] ?? 0)) > item.height * 0.2)
      flush();
    line.push(item);
  }
  flush();
  return joined;
}

function isSpacedLine(line: readonly TextItem[]): boolean {
  const texts = line.map(({ str }) => str.trim()).filter((text) => text !== '');
  if (!texts.some((text) => spaced.test(text)) || !texts.every((text) => spaced.test(text) || text.length === 1))
    return false;
  const letters = [...texts.join('').replaceAll(/[^\p{L}]/gu, '')];
  const isAlphabet = letters.every(
    (letter, i) => i === 0 || letter.codePointAt(0) === (letters[i - 1]?.codePointAt(0) ?? 0) + 1,
  );
  return letters.length >= minLetters && letters.length * 2 > texts.join('').replaceAll(' ', '').length && !isAlphabet;
}

function unspaced(item: TextItem): TextItem {
  return { ...item, str: item.str.replaceAll(/(?<=\S) (?=\S)/gu, '') };
}

/** Spacing accents, each with its combining character. */
const combining = new Map(
  '`\u0300 ´\u0301 ˆ\u0302 ˜\u0303 ¯\u0304 ˘\u0306 ˙\u0307 ¨\u0308 ˚\u030a ˝\u030b ˇ\u030c ¸\u0327 ˛\u0328'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
);
const dotless: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/**
 * Makes one letter of an accent at the end of `last` and the letter at the start of `run` that is drawn over it, as TeX
 * does in fonts without accented letters ("Schr¨" and "odinger"). Returns false if these are no such pair.
 */
export function joinAccent(last: TextRun, run: TextRun): boolean {
  const mark = combining.get(last.text.at(-1) ?? '');
  if (mark === undefined || last.turn !== run.turn || run.isRightToLeft) return false;
  const size = Math.max(last.size, run.size);
  const isOver = run.x0 < last.x1 - minOverlap * size && run.x0 > last.x1 - size && Math.abs(run.y - last.y) < size / 2;
  const first = run.text.charAt(0);
  const letter = `${dotless[first] ?? first}${mark}`.normalize('NFC');
  if (!isOver || letter.length !== 1) return false;
  last.text = last.text.slice(0, -1);
  run.text = letter + run.text.slice(1);
  return true;
}

/** An accent lies within the width of its letter; letters that are merely set close overlap less. In font sizes. */
const minOverlap = 0.15;
