import { isSameRow } from './reading-order.ts';
import { isUnspaced, spanOf, type TextSegment } from './letters/join-runs.ts';

export interface PdfPage {
  /** 1-based. */
  number: number;
  height: number;
  segments: TextSegment[];
}

/** Consecutive segments of one row: a line of prose, or a row of a table. */
export interface Line {
  text: string;
  page: number;
  /** Where the line begins and ends, measured in the direction of its script. */
  start: number;
  end: number;
  y: number;
  size: number;
  font: string;
  turn: number;
  isRightToLeft: boolean;
  /** The segments of the row. There are several if the row has wide gaps. */
  cells: TextSegment[];
  table?: string[][];
}

/** The lookbehind makes a match begin at the first dot or space: otherwise each would be tried as a start. */
const dottedGap = /(?<![ .])[ .]{5,}(?=[\p{L}\d])/gu;
const minDots = 5;

/** Replaces leader dots (before a page number in a table of contents, or an amount in a bill) with one ellipsis. */
export function withoutLeaders(text: string): string {
  return text.replaceAll(dottedGap, (gap) => {
    const dots = gap.replaceAll(' ', '').length;
    return dots < minDots ? gap : `${' '.repeat(Math.max(0, gap.indexOf('.') - 1))} … `;
  });
}

export function isContentsEntry(text: string): boolean {
  return / … [\divxlc]{1,7}$/i.test(text);
}

export function joinRows({ number, segments }: PdfPage): Line[] {
  const rows: TextSegment[][] = [];
  for (const segment of segments) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    const isAlone = segment.table !== undefined || last?.table !== undefined;
    if (row !== undefined && last !== undefined && !isAlone && isSameRow(last, segment)) row.push(segment);
    else rows.push([segment]);
  }
  return rows.map((cells) => toLine(cells, number));
}

/** In font sizes. Cells that differ more are labels beside each other, each with its own lines. */
const sameBaseline = 0.15;

function toLine(cells: TextSegment[], page: number): Line {
  const main = cells.reduce((most, cell) => (cell.text.length > most.text.length ? cell : most));
  const isRightToLeft = main.isRightToLeft;
  const { x0, x1 } = spanOf(cells);
  // Files may store the cells of a row in any order, such as amounts before names.
  const isLevel = cells.every(({ y }) => Math.abs(y - main.y) < main.size * sameBaseline);
  const across = cells.toSorted((a, b) => a.x0 - b.x0);
  const ordered = isRightToLeft ? across.toReversed() : isLevel ? across : cells;
  // Compares each cell with the one before it instead of the joined text: a page may have a row of a hundred thousand
  // cells.
  const text = ordered
    .map((cell, i) => {
      const before = ordered[i - 1];
      if (before === undefined) return cell.text;
      const gap = Math.max(cell.x0 - before.x1, before.x0 - cell.x1);
      return isUnspaced(before.text, cell.text) && gap < cell.size ? cell.text : ` ${cell.text}`;
    })
    .join('');
  return {
    text: withoutLeaders(text),
    page,
    start: isRightToLeft ? -x1 : x0,
    end: isRightToLeft ? -x0 : x1,
    y: main.y,
    size: main.size,
    font: main.font,
    turn: main.turn,
    isRightToLeft,
    cells: ordered,
    ...(main.table !== undefined && { table: main.table }),
  };
}

/** The words of a document. They show whether a hyphen at a line end breaks a word or belongs to it. */
export function collectWords(lines: readonly Line[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { text } of lines) {
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:[-‐]\p{L}+)*/gu)) words.add(word.replaceAll('‐', '-'));
  }
  return words;
}

const maxWordLength = 80;

/** Appends a line to a text. Words hyphenated at the line end are rejoined, and scripts without spaces get no space. */
export function joinText(before: string, after: string, words: ReadonlySet<string>): string {
  if (before.endsWith('\u00ad')) return before.slice(0, -1) + after;
  const end = before.slice(-maxWordLength);
  // regex: at most 80 characters: those before maxWordLength are cut off
  const left = /(\p{L}+(?:[-‐]\p{L}+)*)[-‐]$/u.exec(end)?.[1]?.toLowerCase().replaceAll('‐', '-');
  const right = /^\p{L}+/u.exec(after)?.[0];
  if (left !== undefined && right !== undefined) {
    // An address may contain hyphens.
    const isOwn = endsInAddress(before) && !words.has((left.split('-').at(-1) ?? '') + right.toLowerCase());
    return !isOwn && isBroken(left, right, words) ? before.slice(0, -1) + after : before + after;
  }
  if (/[\d\p{L}][-‐–]$/u.test(before.slice(-3)) && /^\d/.test(after)) return before + after;
  // A web or mail address continues in the next line.
  if (/^[\w/]/.test(after) && endsInAddress(before)) return before + after;
  return before.endsWith('—') || isUnspaced(before, after) ? before + after : `${before} ${after}`;
}

function endsInAddress(text: string): boolean {
  const word = text.slice(-300).split(/\s/).at(-1) ?? '';
  return /\w@$/.test(word) || (/[/\-_=&?]$/.test(word) && /https?:\/|www\./.test(word.slice(0, -1)));
}

function isBroken(left: string, right: string, words: ReadonlySet<string>): boolean {
  // If the second part begins with a capital letter, this is a hyphenated name. Text in all capitals is a heading
  // instead, so this rule does not apply.
  if (/^\p{Lu}/u.test(right) && right !== right.toUpperCase()) return false;
  const last = left.split('-').at(-1) ?? left;
  const next = right.toLowerCase();
  if (words.has(last + next)) return true;
  if (keepsHyphen(left, next)) return false;
  return !words.has(`${left}-${next}`) && !left.includes('-');
}

/** Whether two parts are words that English joins by a hyphen: `well-known`, `self-made`, `twenty-two`. */
function keepsHyphen(left: string, right: string): boolean {
  if (/^(?:twen|thir|for|fif|six|seven|eigh|nine)ty$/.test(left))
    return /^(?:one|two|three|four|five|six|seven|eight|nine)/.test(right);
  return /^(?:well|self|half)$/.test(left) && !/^(?:ness|ish|less|ing|spring|being|way)/.test(right);
}
