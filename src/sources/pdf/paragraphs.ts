import type { Block } from '../../domain/records/texts/document.ts';
import { joinText, isContentsEntry, type Line } from './lines.ts';
import { median } from './reading-order.ts';
import { headingLevel, type Styles } from './styles.ts';
import { gatherAligned } from './tables/aligned-tables.ts';

interface Open {
  kind: Block['kind'];
  level: number | null;
  /** The text before `text`. It is kept apart so that a long paragraph is not copied for each added line. */
  settled: string[];
  text: string;
  page: number;
  start: number;
  last: Line;
  lines: number;
}

export interface Setting {
  styles: Styles;
  outline: ReadonlyMap<string, number>;
  words: ReadonlySet<string>;
}

const bullet = /^(?:[•◦▪▫‣●○■□∙·⁃➢➤►✓✔❖\uf0a7\uf0b7\uf0d8\uf076\uf0fc]\s*|[-–—*]\s+)(?=\S)/u;
const numbered = /^(?:\d{1,3}[.)]|\([a-z\d]{1,3}\)|[a-z]\)|\[\d{1,3}\])\s+\S/u;
const sentenceEnd = /[.!?:;。！？…؟۔।॥]["”’')\]]*(?:\[\^\d+\])*$/u;

export function buildBlocks(pages: readonly Line[][], setting: Setting): Block[] {
  const blocks: Open[] = [];
  for (const rows of pages) {
    const lines = gatherAligned(rows);
    const leading = typicalLeading(lines);
    lines.forEach((line, i) => {
      if (line.table !== undefined) {
        blocks.push({ ...open(line, null), kind: 'table', text: tableMarkdown(line.table) });
        return;
      }
      const above = lines[i - 1];
      const gap = above === undefined || line.y <= above.y ? 2 : (line.y - above.y) / line.size;
      const isText = line.cells.length > 2 || isContentsEntry(line.text) || isItem(line) || isRunIn(line, lines[i + 1]);
      const level = isText ? null : headingLevel(line, gap, setting.styles, setting.outline);
      const target =
        level === null ? textTarget(blocks, line, above, lines, i, leading) : headingTarget(blocks, line, level);
      if (target === null) blocks.push(open(line, level));
      else append(target, line, setting.words, lines, i, leading);
    });
  }
  return mergeLists(withoutLabels(blocks).map(whole)).map(toBlock);
}

function open(line: Line, level: number | null): Open {
  const isListed = level === null && isItem(line);
  const kind = level !== null ? 'heading' : isListed ? 'list' : 'paragraph';
  const text = isListed ? `- ${line.text.replace(bullet, '')}` : line.text;
  return { kind, level, settled: [], text, page: line.page, start: line.start, last: line, lines: 1 };
}

function isItem({ text }: Line): boolean {
  return bullet.test(text) && text.length > 2;
}

/** Whether the line is a run-in heading followed by its paragraph: the next line continues in another font. */
function isRunIn(line: Line, next: Line | undefined): boolean {
  if (next === undefined || next.font === line.font || Math.abs(next.size - line.size) > line.size * 0.05) return false;
  const step = next.y - line.y;
  return (
    step > 0 &&
    step < line.size * 1.7 &&
    /^\p{Ll}/u.test(next.text) &&
    /[.:]\s[^]/.test(line.text) &&
    !/[.:]$/.test(line.text)
  );
}

/** So many headings of one level in a row are the labels of a form or the head of a table. */
const minLabels = 3;

function isHeading(block: Open | undefined): block is Open {
  return block !== undefined && block.level !== null;
}

function withoutLabels(blocks: readonly Open[]): Open[] {
  const kept = [...blocks];
  let from = 0;
  for (let i = 1; i <= kept.length; i += 1) {
    const [first, block] = [kept[from], kept[i]];
    if (isHeading(first) && block?.level === first.level && block.page === first.page) continue;
    if (isHeading(first) && i - from >= minLabels) {
      for (let at = from; at < i; at += 1) {
        const label = kept[at];
        if (label !== undefined) kept[at] = { ...label, kind: 'paragraph', level: null };
      }
    }
    from = i;
  }
  return kept;
}

/** Distance of the lines of a page, in font sizes. */
function typicalLeading(lines: readonly Line[]): number {
  const [steps, within]: [number[], number[]] = [[], []];
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1];
    if (above === undefined || above.turn !== line.turn) continue;
    const step = (line.y - above.y) / line.size;
    if (step > 0.8 && step < 2.5) steps.push(step);
    // Lines far apart are one text where their sentences go on.
    const goesOn = /^\p{Ll}/u.test(line.text) && !sentenceEnd.test(above.text) && line.cells.length === 1;
    if (goesOn && step > 0.8 && step < maxLeading) within.push(step);
  }
  const usual = median(steps) || 1.2;
  return within.length < minOpenLines ? usual : Math.max(usual, median(within));
}

/** Maximum distance of the lines of a text in font sizes, and how many lines must have it to be believed. */
const maxLeading = 4.5;
const minOpenLines = 3;

/** The heading that this line continues, for headings of several lines; null when the line begins a new one. */
function headingTarget(blocks: readonly Open[], line: Line, level: number): Open | null {
  const last = blocks.at(-1);
  if (last === undefined || last.level !== level || last.page !== line.page || last.lines > 3) return null;
  const step = line.y - last.last.y;
  const isNext = step > 0 && step < line.size * 1.7 && Math.abs(last.last.size - line.size) < 0.3;
  return isNext && !/^\d+(?:\.\d+)*\.?\s/.test(line.text) ? last : null;
}

/** Notes that may separate a paragraph from its rest. */
const lookedBackAt = 40;

function textTarget(
  blocks: readonly Open[],
  line: Line,
  above: Line | undefined,
  lines: readonly Line[],
  at: number,
  leading: number,
): Open | null {
  if (isItem(line)) return null;
  if (above === undefined || line.y < above.y - above.size * 0.5 || line.turn !== above.turn)
    return continued(blocks, line);
  // The block that the line above ends. It is not the newest one where a paragraph goes on behind a note.
  const last = blocks.slice(-lookedBackAt).findLast((block) => block.last === above);
  if (last === undefined || last.kind === 'heading' || last.kind === 'table') return null;
  if (line.isRightToLeft !== above.isRightToLeft) return null;
  if (Math.abs(above.size - line.size) > line.size * 0.1) return null;
  const step = line.y - above.y;
  if (step > Math.max(leading * 1.3, 1.35) * Math.max(line.size, above.size)) return null;
  if (last.kind === 'list' && (line.start > above.start - line.size * 0.3 || last.lines > 1)) return last;
  const isCentered = Math.abs(line.start + line.end - above.start - above.end) < line.size * 0.6;
  const indent = line.start - above.start;
  const { left, right } = margins(lines, at, line, leading);
  const room = right - above.end;
  const firstWord = /^\S+/.exec(line.text)?.[0].length ?? 1;
  const wouldFit = room > ((line.end - line.start) * (firstWord + 1)) / Math.max(1, line.text.length) + line.size * 1.2;
  const isSentence = sentenceEnd.test(above.text);
  // Only the first line of the list item is indented, and its sentence is unfinished.
  if (last.kind === 'list') return isSentence || wouldFit ? null : last;
  if (wouldFit && isSentence && !isCentered) return null;
  if (numbered.test(line.text) && (isSentence || wouldFit)) return null;
  // An indented first line begins a paragraph. Hanging indents, where the first line sticks out, belong to lists and
  // references.
  if (!isCentered && indent > line.size * 0.9 && line.start > left + line.size * 0.9 && isSentence) return null;
  return last;
}

/** The unfinished paragraph that goes on behind the end of a column or page, and behind notes. */
function continued(blocks: readonly Open[], line: Line): Open | null {
  for (const candidate of blocks.slice(-4).toReversed()) {
    if (candidate.kind === 'table') continue;
    if (candidate.kind === 'heading' || line.page - candidate.last.page > 1) return null;
    if (Math.abs(candidate.last.size - line.size) > line.size * 0.05 || candidate.last.turn !== line.turn) continue;
    const isOpen = !sentenceEnd.test(candidate.text);
    const goesOn = /^[\p{Ll}\p{Lo}]/u.test(line.text) || /[\p{L}][-‐\u00ad]$/u.test(candidate.text);
    return isOpen && goesOn && line.cells.length < 3 ? candidate : null;
  }
  return null;
}

/** The left and right margins of the surrounding lines, as far as they follow each other in one column. */
function margins(lines: readonly Line[], at: number, line: Line, leading: number): { left: number; right: number } {
  let [left, right] = [line.start, line.end];
  for (const step of [-1, 1]) {
    let near = line;
    for (let i = at + step; Math.abs(i - at) <= maxNeighbours; i += step) {
      const other = lines[i];
      if (other === undefined || !isNeighbour(near, other, Math.max(2.5, leading * 1.3))) break;
      left = Math.min(left, other.start);
      right = Math.max(right, other.end);
      near = other;
    }
  }
  return { left, right };
}

const maxNeighbours = 30;

function isNeighbour(one: Line, other: Line, maxStep: number): boolean {
  if (Math.abs(other.size - one.size) > one.size * 0.1 || other.turn !== one.turn || other.cells.length > 1)
    return false;
  const shared = Math.min(other.end, one.end) - Math.max(other.start, one.start);
  return shared > 0 && Math.abs(other.y - one.y) < one.size * maxStep;
}

function append(
  target: Open,
  line: Line,
  words: ReadonlySet<string>,
  lines: readonly Line[],
  at: number,
  leading: number,
): void {
  target.text = endsEarly(target.last, line, lines, at, leading)
    ? `${target.text}\n${line.text}`
    : joinText(target.text, line.text, words);
  settle(target);
  target.last = line;
  target.lines += 1;
}

/** Characters at the end of a paragraph that decide how it continues. */
const endLength = 500;

function settle(open: Open): void {
  if (open.text.length < endLength * 2) return;
  open.settled.push(open.text.slice(0, -endLength));
  open.text = open.text.slice(-endLength);
}

function whole(open: Open): Open {
  return open.settled.length === 0 ? open : { ...open, settled: [], text: open.settled.join('') + open.text };
}

/** Whether a line ends although more text would have fitted: an address, a poem, a row of a table. */
function endsEarly(above: Line, line: Line, lines: readonly Line[], at: number, leading: number): boolean {
  if (above.page !== line.page || line.y <= above.y || /[-‐\u00ad]$/.test(above.text)) return false;
  if (above.cells.length > 1 || line.cells.length > 1 || isContentsEntry(above.text)) return true;
  const room = margins(lines, at, line, leading).right - above.end;
  const firstWord = /^\S+/.exec(line.text)?.[0].length ?? 1;
  const width = ((line.end - line.start) * (firstWord + 1)) / Math.max(1, line.text.length);
  return room > width + line.size * 2.5;
}

function mergeLists(blocks: readonly Open[]): Open[] {
  const merged: Open[] = [];
  let starts: number[] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (block.kind === 'list' && last?.kind === 'list' && last.page === block.page && last.text.length < 4_000) {
      const reach = block.last.size * 0.5;
      while (starts.length > 1 && (starts.at(-1) ?? 0) > block.start + reach) starts.pop();
      const step = block.start - (starts.at(-1) ?? block.start);
      if (step > reach && step < block.last.size * maxIndent) starts.push(block.start);
      const indent = '  '.repeat(starts.length - 1);
      last.text += `\n${indent}${block.text.replaceAll('\n', `\n${indent}`)}`;
    } else {
      merged.push(block);
      starts = [block.start];
    }
  }
  return merged;
}

/** An item indented further than this, in font sizes, is in another column. */
const maxIndent = 6;

function toBlock({ kind, level, text, page }: Open): Block {
  const locator = { kind: 'page', page } as const;
  if (level !== null)
    return { kind: 'heading', level, text: `${'#'.repeat(level)} ${guard(text.replaceAll('\n', ' '))}`, locator };
  if (kind === 'table') return { kind, text, locator };
  return { kind, text: kind === 'list' ? guard(text) : guarded(text), locator };
}

export function guarded(text: string): string {
  return text.split('\n').map(guardLine).join('\n');
}

function guard(text: string): string {
  return text.replaceAll(/<(?=[a-z/!?])/gi, '\\<');
}

function guardLine(line: string): string {
  return guard(line).replace(/^(#{1,6}\s|>|[-+*]\s|```|~~~)/, '\\$1');
}

export function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows.map((row) => `| ${row.map(inCell).join(' | ')} |`);
  return [head, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...others].join('\n');
}

function inCell(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/<(?=[a-z/!?])/gi, String.raw`\<`);
}
