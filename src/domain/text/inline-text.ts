import { decodeEntities } from './entities.ts';
import { formulaEnd } from './formula-end.ts';
import { escapable, matchBrackets, runLength, tickRuns } from './inline-marks.ts';
import { linkEnd } from './link-end.ts';

/**
 * The text of inline Markdown as a reader sees it: link and emphasis marks, backticks, images, tags and
 * escapes are removed. Formulas stay as they are written. One pass over the characters, so that no page can make it slow.
 */
export function inlineText(markdown: string): string {
  const closers = matchBrackets(markdown);
  const ticks = tickRuns(markdown);
  const jumps = new Map<number, number>();
  const pieces: TextPiece[] = [];
  const openers: Delimiter[] = [];
  let at = 0;
  const emit = (text: string): void => void pieces.push({ text });

  while (at < markdown.length) {
    const char = markdown.charAt(at);
    const jump = jumps.get(at);
    if (jump !== undefined) {
      at = jump;
    } else if (char === '\\' && escapable.test(markdown.charAt(at + 1))) {
      emit(markdown.charAt(at + 1));
      at += 2;
    } else if (char === '`') {
      const length = runLength(markdown, at);
      const end = ticks.closer(at, length);
      emit(end === undefined ? '`'.repeat(length) : codeSpan(markdown.slice(at + length, end)));
      at = end === undefined ? at + length : end + length;
    } else if (char === '!' && markdown[at + 1] === '[' && linkEnd(markdown, closers.get(at + 1)) !== undefined) {
      at = linkEnd(markdown, closers.get(at + 1)) ?? at + 1;
    } else if (char === '[') {
      const close = closers.get(at);
      const end = linkEnd(markdown, close);
      if (close !== undefined && markdown[at + 1] === '^') {
        at = close + 1; // a footnote's mark
      } else {
        if (close !== undefined && end !== undefined) jumps.set(close, end);
        else emit(char);
        at += 1;
      }
    } else if (char === '<') {
      const [length, text] = angle(markdown, at);
      emit(text);
      at += length;
    } else if (char === '&') {
      const [length, text] = entity(markdown, at);
      emit(text);
      at += length;
    } else if (char === '$') {
      const end = formulaEnd(markdown, at) ?? at + 1;
      emit(markdown.slice(at, end));
      at = end;
    } else if (delimiters.has(char)) {
      const length = runLength(markdown, at);
      delimit(markdown, at, length, pieces, openers);
      at += length;
    } else {
      plainRun.lastIndex = at;
      const run = plainRun.exec(markdown)?.[0] ?? char;
      emit(run);
      at += run.length;
    }
  }
  return pieces.map((piece) => piece.text).join('');
}

const delimiters = new Set(['*', '_', '~', '=']);
const plainRun = /[^\\`![\]<&*_~=$]+/y;

interface TextPiece {
  text: string;
}

interface Delimiter {
  char: string;
  piece: TextPiece;
  /** Original length of the run. */
  length: number;
  wordInside: boolean;
}

/**
 * Emphasis, strikethrough (`~~`) and highlight (`==`): a closing run removes marks from the last opener of its kind.
 * Nothing closes right after an opening bracket. By CommonMark's rule of three, no `*` in `**a*b*c**` closes half of
 * `**`.
 */
function delimit(text: string, at: number, length: number, pieces: TextPiece[], openers: Delimiter[]): void {
  const char = text.charAt(at);
  const piece = { text: char.repeat(length) };
  pieces.push(piece);
  if ((char === '~' || char === '=') && length !== 2) return;
  const before = text.charAt(at - 1);
  const after = text.charAt(at + length);
  const spaceBefore = before === '' || /\s/u.test(before);
  const spaceAfter = after === '' || /\s/u.test(after);
  const wordInside = /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
  if (char === '_' && wordInside) return;
  if (!spaceBefore && !/[\p{Ps}\p{Pi}]/u.test(before)) {
    for (let i = openers.length - 1; i >= 0 && i >= openers.length - 40; i -= 1) {
      const opener = openers[i];
      if (opener?.char !== char || piece.text === '') continue;
      if ((opener.wordInside || wordInside) && (opener.length + length) % 3 === 0 && length % 3 !== 0) continue;
      const taken = Math.min(opener.piece.text.length, piece.text.length);
      opener.piece.text = opener.piece.text.slice(taken);
      piece.text = piece.text.slice(taken);
      openers.length = opener.piece.text === '' ? i : i + 1;
    }
  }
  if (!spaceAfter && piece.text !== '') openers.push({ char, piece, length, wordInside });
}

function codeSpan(inside: string): string {
  const text = inside.replaceAll('\n', ' ');
  return text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '' ? text.slice(1, -1) : text;
}

const autolink = /<((?:[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]{1,64}@)[^\s<>]{0,2048})>/iy;
const tag = /<(?:\/?([a-z][a-z0-9-]{0,30})(?:\s[^<>]{0,20000})?\/?|!--[^<>]{0,20000}--)>/iy;

function angle(text: string, at: number): [length: number, text: string] {
  autolink.lastIndex = at;
  const link = autolink.exec(text);
  if (link !== null) return [link[0].length, link[1] ?? ''];
  tag.lastIndex = at;
  const markup = tag.exec(text);
  if (markup !== null) return [markup[0].length, markup[1]?.toLowerCase() === 'br' ? '\n' : ''];
  return [1, '<'];
}

const entityPattern = /&[^;&\s]{1,32};/y;

function entity(text: string, at: number): [length: number, text: string] {
  entityPattern.lastIndex = at;
  const [whole] = entityPattern.exec(text) ?? ['&'];
  const decoded = decodeEntities(whole);
  return decoded === whole ? [1, '&'] : [whole.length, decoded];
}
