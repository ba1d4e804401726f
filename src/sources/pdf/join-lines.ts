import type { Line } from './lines.ts';
import { isUnspaced } from './segments.ts';

/** The words of a document, to tell a word that was broken from one that has its hyphen. */
export function collectWords(lines: readonly Line[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { text } of lines) {
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:[-‐]\p{L}+)*/gu)) words.add(word.replaceAll('‐', '-'));
  }
  return words;
}

/** Characters of a word, with those that a hyphen joins to it. */
const maxWordLength = 80;

/** Puts a line behind the text before it: words that were broken become whole, scripts without spaces get none. */
export function joinText(before: string, after: string, words: ReadonlySet<string>): string {
  if (before.endsWith('\u00ad')) return before.slice(0, -1) + after;
  const end = before.slice(-maxWordLength);
  const left = /(\p{L}+(?:[-‐]\p{L}+)*)[-‐]$/u.exec(end)?.[1]?.toLowerCase().replaceAll('‐', '-');
  const right = /^\p{L}+/u.exec(after)?.[0];
  if (left !== undefined && right !== undefined) {
    return isBroken(left, right, words) ? before.slice(0, -1) + after : before + after;
  }
  if (/[\d\p{L}][-‐–]$/u.test(before.slice(-3)) && /^\d/.test(after)) return before + after;
  // An address goes on in the next line.
  if (/^[\w/]/.test(after) && endsInAddress(before)) return before + after;
  return before.endsWith('—') || isUnspaced(before, after) ? before + after : `${before} ${after}`;
}

function endsInAddress(text: string): boolean {
  const word = text.slice(-300).split(/\s/).at(-1) ?? '';
  return /\w@$/.test(word) || (/[/\-_=&?]$/.test(word) && /https?:\/|www\./.test(word.slice(0, -1)));
}

function isBroken(left: string, right: string, words: ReadonlySet<string>): boolean {
  // What begins with a capital letter is a name of two parts; all capitals are a heading's.
  if (/^\p{Lu}/u.test(right) && right !== right.toUpperCase()) return false;
  const last = left.split('-').at(-1) ?? left;
  const next = right.toLowerCase();
  if (words.has(last + next)) return true;
  return !words.has(`${left}-${next}`) && !left.includes('-');
}
