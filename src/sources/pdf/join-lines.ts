import type { Line } from './lines.ts';
import { isUnspaced } from './letters/text-segment.ts';

/** The words of a document. They show whether a hyphen at a line end breaks a word or belongs to it. */
export function collectWords(lines: readonly Line[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { text } of lines) {
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:[-‐]\p{L}+)*/gu)) words.add(word.replaceAll('‐', '-'));
  }
  return words;
}

/** Maximum characters of a word, including parts joined by hyphens. */
const maxWordLength = 80;

/** Appends a line to a text. Words hyphenated at the line end are rejoined, and scripts without spaces get no space. */
export function joinText(before: string, after: string, words: ReadonlySet<string>): string {
  if (before.endsWith('\u00ad')) return before.slice(0, -1) + after;
  const end = before.slice(-maxWordLength);
  // regex: at most 80 characters: those before maxWordLength are cut off
  const left = /(\p{L}+(?:[-‐]\p{L}+)*)[-‐]$/u.exec(end)?.[1]?.toLowerCase().replaceAll('‐', '-');
  const right = /^\p{L}+/u.exec(after)?.[0];
  if (left !== undefined && right !== undefined) {
    // An address has hyphens of its own.
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
