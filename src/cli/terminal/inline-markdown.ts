import { decodeEntities } from '../../domain/text/entities.ts';
import { escapable, matchBrackets, runLength, tickRuns } from '../../domain/text/inline-marks.ts';
import { linkEnd } from '../../domain/text/link-end.ts';
import { run, type StyledRun } from './wrap.ts';

/*
 * Inline Markdown as runs: emphasis, code, links. One pass over the characters and one over the pieces, so that no page
 * can make it slow.
 */

type InlinePiece =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'image'; text: string }
  | { kind: 'link begins'; url: string }
  | { kind: 'link ends' }
  | Mark;

/** A run of `*`, `_` or `~`. */
interface Mark {
  kind: 'mark';
  text: string;
  canOpen: boolean;
  canClose: boolean;
  /** Set when its other half was found. */
  role?: 'opens' | 'closes';
}

/** How many opening marks are looked through for the one that a closing mark belongs to. */
const maxOpenMarks = 40;
const plainRun = /[^\\`![\]<*_~]+/y;
const autolink = /<(https?:\/\/[^\s<>]{1,2000})>/iy;

export function inlineRuns(markdown: string): StyledRun[] {
  const pieces = piecesOf(markdown);
  pairMarks(pieces);
  let strong = 0;
  let emphasis = 0;
  let struck = 0;
  const urls: string[] = [];
  return pieces.flatMap((piece) => {
    switch (piece.kind) {
      case 'link begins':
        urls.push(piece.url);
        return [];
      case 'link ends':
        urls.pop();
        return [];
      case 'mark': {
        if (piece.role === undefined) break;
        const change = piece.role === 'opens' ? 1 : -1;
        if (piece.text.startsWith('~')) struck += change;
        else {
          if (piece.text.length !== 2) emphasis += change;
          if (piece.text.length >= 2) strong += change;
        }
        return [];
      }
      case 'image':
        return piece.text === '' ? [] : [run(`[${piece.text}]`, ['meta'])];
    }
    const url = urls.at(-1) || undefined;
    return [
      run(
        piece.text,
        [
          ...(strong > 0 ? (['strong'] as const) : []),
          ...(emphasis > 0 ? (['emphasis'] as const) : []),
          ...(struck > 0 ? (['meta'] as const) : []),
          ...(piece.kind === 'code' ? (['code'] as const) : []),
          ...(url === undefined ? [] : (['link'] as const)),
        ],
        url,
      ),
    ];
  });
}

function piecesOf(markdown: string): InlinePiece[] {
  const pieces: InlinePiece[] = [];
  const closers = matchBrackets(markdown);
  const openLinks: { close: number; after: number }[] = [];
  const ticks = tickRuns(markdown);
  let at = 0;
  const add = (text: string): void => void pieces.push({ kind: 'text', text });
  while (at < markdown.length) {
    const char = markdown.charAt(at);
    const link = openLinks.at(-1);
    if (link !== undefined && at >= link.close) {
      openLinks.pop();
      pieces.push({ kind: 'link ends' });
      // A code span may have reached beyond the bracket.
      if (at === link.close) at = link.after;
    } else if (char === '\\' && escapable.test(markdown.charAt(at + 1))) {
      add(markdown.charAt(at + 1));
      at += 2;
    } else if (char === '`') {
      const length = runLength(markdown, at);
      const close = ticks.closer(at, length);
      if (close === undefined) add('`'.repeat(length));
      else pieces.push({ kind: 'code', text: markdown.slice(at + length, close).replaceAll('\n', ' ') });
      at = (close ?? at) + length;
    } else if (char === '!' && markdown[at + 1] === '[' && linkEnd(markdown, closers.get(at + 1)) !== undefined) {
      pieces.push({ kind: 'image', text: markdown.slice(at + 2, closers.get(at + 1)) });
      at = linkEnd(markdown, closers.get(at + 1)) ?? at + 1;
    } else if (char === '[') {
      const close = closers.get(at);
      const after = linkEnd(markdown, close);
      if (close !== undefined && after !== undefined && markdown[at + 1] !== '^') {
        openLinks.push({ close, after });
        pieces.push({ kind: 'link begins', url: addressIn(markdown.slice(close + 1, after)) });
      } else add(char);
      at += 1;
    } else if (char === '<') {
      autolink.lastIndex = at;
      const [whole, url] = autolink.exec(markdown) ?? ['<', undefined];
      if (url === undefined) add(whole);
      else pieces.push({ kind: 'link begins', url }, { kind: 'text', text: url }, { kind: 'link ends' });
      at += whole.length;
    } else if (char === '*' || char === '_' || char === '~') {
      const length = runLength(markdown, at);
      pieces.push(markAt(markdown, at, length));
      at += length;
    } else {
      plainRun.lastIndex = at;
      const text = plainRun.exec(markdown)?.[0] ?? char;
      add(decodeEntities(text));
      at += text.length;
    }
  }
  return pieces;
}

/** The address in `(<https://…> "title")`; empty for a reference. */
function addressIn(target: string): string {
  if (!target.startsWith('(')) return '';
  const [address = ''] = target.slice(1, -1).trim().split(/\s/, 1);
  return address.startsWith('<') && address.endsWith('>') ? address.slice(1, -1) : address;
}

function markAt(text: string, at: number, length: number): Mark {
  const [before, after] = [text.charAt(at - 1), text.charAt(at + length)];
  const insideWord = /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
  const isMark = text[at] === '~' ? length === 2 : length <= 3 && !(text[at] === '_' && insideWord);
  return {
    kind: 'mark',
    text: text.slice(at, at + length),
    canOpen: isMark && after !== '' && !/\s/u.test(after),
    canClose: isMark && before !== '' && !/\s/u.test(before),
  };
}

/** Finds the opening mark of every closing one: the nearest that looks the same. */
function pairMarks(pieces: readonly InlinePiece[]): void {
  const open: Mark[] = [];
  for (const piece of pieces) {
    if (piece.kind !== 'mark') continue;
    const from = Math.max(0, open.length - maxOpenMarks);
    const at = piece.canClose ? open.findLastIndex(({ text }, index) => index >= from && text === piece.text) : -1;
    const opener = open[at];
    if (opener !== undefined) {
      [opener.role, piece.role] = ['opens', 'closes'];
      open.length = at;
    } else if (piece.canOpen) open.push(piece);
  }
}
