import { firstIndex, isSameRow } from '../reading-order.ts';
import type { TextSegment, TextItem } from './text-segment.ts';

/** Characters that programs use for bullets, in any font. */
const bullet = /^[•◦▪▫‣●○■□∙·⁃➢➤►✓✔❖\uf0a7\uf0b7\uf0d8\uf076\uf0fc\u2013-]$/u;
/** Letters that fonts of symbols (Wingdings, ZapfDingbats) show as bullets, and the `o` of Courier. */
const disguised = /^[a-z§Øüàè¾Ÿ]$/u;
/** How far a bullet stands before its text at most, in font sizes of the text. */
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
