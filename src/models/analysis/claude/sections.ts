import type { PlacedBlock } from '../../../domain/records/document.ts';
import type { TextSpan } from '../../../domain/text/graphemes.ts';

/**
 * Cuts a text into consecutive sections of at most `maxChars` UTF-16 units, which together are the whole text. Each
 * cut is before a heading of the highest level that leaves the section at least half full, otherwise between blocks,
 * and inside a block only when there is no such place.
 */
export function cutIntoSections(text: string, blocks: readonly PlacedBlock[], maxChars: number): TextSpan[] {
  const sections: TextSpan[] = [];
  let start = 0;
  let next = 0;
  while (text.length - start > maxChars) {
    while ((blocks[next]?.start ?? text.length) <= start) next += 1;
    const end = bestCut(text, blocks, next, start, start + maxChars);
    sections.push({ start, end });
    start = end;
  }
  sections.push({ start, end: text.length });
  return sections;
}

/** @param next the first block that begins after `start` */
function bestCut(text: string, blocks: readonly PlacedBlock[], next: number, start: number, maxEnd: number): number {
  const minEnd = start + (maxEnd - start) / 2;
  let best: { at: number; level: number } | null = null;
  for (let at = next; at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block === undefined || block.start > maxEnd) break;
    if (block.start <= minEnd) continue;
    const level = block.kind === 'heading' ? (block.level ?? 6) : 7;
    if (best === null || level <= best.level) best = { at: block.start, level };
  }
  if (best !== null) return best.at;
  const space = start + text.slice(start, maxEnd).lastIndexOf(' ') + 1;
  const cut = space > minEnd ? space : maxEnd;
  // Do not cut between the halves of a surrogate pair.
  return (text.codePointAt(cut - 1) ?? 0) > 0xffff ? cut - 1 : cut;
}
