import { decodeEntities } from './entities.ts';
import { walkInline } from './inline-markdown.ts';

/**
 * The text of inline Markdown as a reader sees it: link and emphasis marks, backticks, images, tags and escapes are removed. Formulas stay
 * as they are written.
 */
export function inlineText(markdown: string): string {
  let text = '';
  for (const piece of walkInline(markdown, { angle, entity }).pieces) {
    // A mark `[^1]` is no text. Where a note begins with `[^1]:`, its colon is.
    if (piece.kind === 'note') text += markdown[piece.end - 1] === ':' ? ':' : '';
    else if (piece.kind !== 'image') text += piece.text;
  }
  return text;
}

const autolink = /<((?:[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]{1,64}@)[^\s<>]{0,2048})>/iy;
const tag = /<(?:\/?([a-z][a-z0-9-]{0,30})(?:\s[^<>]{0,20000})?\/?|!--[^<>]{0,20000}--)>/iy;

function angle(markdown: string, at: number): { length: number; text: string } {
  autolink.lastIndex = at;
  const link = autolink.exec(markdown);
  if (link !== null) return { length: link[0].length, text: link[1] ?? '' };
  tag.lastIndex = at;
  const markup = tag.exec(markdown);
  if (markup === null) return { length: 1, text: '<' };
  return { length: markup[0].length, text: markup[1]?.toLowerCase() === 'br' ? '\n' : '' };
}

const entityPattern = /&[^;&\s]{1,32};/y;

export function entity(markdown: string, at: number): { length: number; text: string } {
  entityPattern.lastIndex = at;
  const [whole] = entityPattern.exec(markdown) ?? ['&'];
  const text = decodeEntities(whole);
  return text === whole ? { length: 1, text: '&' } : { length: whole.length, text };
}
