/** Of a description and of a title, in characters. */
const maxWords = 500;
const maxSpaces = 5;
const space = /\s/;
const endsAddress = /[()\s]/;

/**
 * Markdown without the pictures that it contains as data (`data:image/png;base64,…`): nobody reads their thousands of
 * letters, and they would be split into passages like words. Exports of Google Docs define them at the end. One pass over the
 * text.
 */
export function withoutDataPictures(markdown: string): string {
  let kept = '';
  let from = 0;
  for (const { index } of markdown.matchAll(/data:/gi)) {
    if (index < from) continue;
    const picture = pictureAround(markdown, index);
    if (picture === null || picture.start < from) continue;
    kept += markdown.slice(from, picture.start);
    from = picture.end;
  }
  return kept + markdown.slice(from);
}

/** The picture, or the definition of one, whose address is at `data`; null if there is none. */
function pictureAround(markdown: string, data: number): { start: number; end: number } | null {
  let at = markdown[data - 1] === '<' ? data - 1 : data;
  while (data - at <= maxSpaces && space.test(markdown.charAt(at - 1))) at -= 1;
  const mark = markdown.slice(at - 2, at);
  if (mark !== '](' && mark !== ']:') return null;
  const before = markdown.slice(Math.max(0, at - 2 - maxWords), at - 2);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const open = line.lastIndexOf('[');
  if (open === -1 || line.includes(']', open)) return null;
  const bracket = at - 2 - line.length + open;
  if (mark === '](') {
    const end = line[open - 1] === '!' ? pictureEnd(markdown, data) : null;
    return end === null ? null : { start: bracket - 1, end };
  }
  const end = markdown.indexOf('\n', data);
  return line.slice(0, open).trim() === '' ? { start: bracket, end: end === -1 ? markdown.length : end } : null;
}

/** The offset after the `)` that ends a picture, behind the rest of its address and a title; null if there is none. */
function pictureEnd(markdown: string, data: number): number | null {
  let end = data;
  while (end < markdown.length && !endsAddress.test(markdown.charAt(end))) end += 1;
  const title = spacesEnd(markdown, end);
  if (title > end && markdown[title] === '"') {
    const close = markdown.slice(title + 1, title + 1 + maxWords).indexOf('"');
    if (close === -1) return null;
    end = title + 1 + close + 1;
  }
  end = spacesEnd(markdown, end);
  return markdown[end] === ')' ? end + 1 : null;
}

function spacesEnd(markdown: string, at: number): number {
  let end = at;
  while (end - at < maxSpaces && space.test(markdown.charAt(end))) end += 1;
  return end;
}
