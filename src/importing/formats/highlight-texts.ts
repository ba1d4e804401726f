import type { RawHighlight } from '../raw-entry.ts';

/* Highlights that other programs export as text. */

/** Raindrop writes all highlights of a page into one cell: a line `Highlight:…`, with `Color:…` and `Note:…` below it. */
export function raindropHighlights(cell: string): RawHighlight[] {
  const highlights: RawHighlight[] = [];
  let field: 'text' | 'note' | 'colour' = 'text';
  for (const line of cell.split(/\r\n|\r|\n/)) {
    const [, name = '', rest = ''] = /^\s{0,20}(Highlight|Color|Note):(.*)$/i.exec(line) ?? [];
    const at = name.toLowerCase();
    if (at === 'highlight') highlights.push({ text: rest.trim() });
    if (at !== '') field = at === 'color' ? 'colour' : at === 'note' ? 'note' : 'text';
    const last = highlights.at(-1);
    if (at === 'highlight') continue;
    const words = at === '' ? line : rest.trim();
    // Without the names of fields, each line is a highlight.
    if (last === undefined || (at === '' && isPlain(cell))) {
      if (words.trim() !== '') highlights.push({ text: words.trim() });
    } else if (field === 'text') last.text += `\n${words}`;
    else last[field] = [last[field], words].filter((one) => (one ?? '') !== '').join('\n');
  }
  return highlights;
}

function isPlain(cell: string): boolean {
  return !/(?:^|\n)\s{0,20}highlight:/i.test(cell);
}

/**
 * Omnivore writes the highlights of a page as quotations in Markdown, each with the note below it. A link back to the page ends
 * each quotation, and its labels follow.
 */
export function omnivoreHighlights(markdown: string): { highlights: RawHighlight[]; notes: string[] } {
  const highlights: RawHighlight[] = [];
  const notes: string[] = [];
  let isQuote = false;
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const quoted = line.startsWith('>');
    const last = highlights.at(-1);
    if (quoted) {
      const text = withoutLink(line.slice(1).trim());
      if (isQuote && last !== undefined) last.text += `\n${text}`;
      else highlights.push({ text });
    } else if (line.trim() !== '') {
      if (last === undefined) notes.push(line.trim());
      else last.note = last.note === undefined || last.note === null ? line.trim() : `${last.note}\n${line.trim()}`;
    }
    // A quotation goes on over an empty line that is quoted as well, not over one that is not.
    isQuote = quoted;
  }
  return { highlights, notes: notes.length === 0 ? [] : [notes.join('\n')] };
}

function withoutLink(line: string): string {
  const at = line.lastIndexOf('[⤴️](');
  return at === -1 ? line : line.slice(0, at).trimEnd();
}
