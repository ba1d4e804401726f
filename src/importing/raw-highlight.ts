import { createHash } from 'node:crypto';
import {
  maxColourLength,
  maxHighlightNoteLength,
  maxQuoteLength,
  type ImportedHighlight,
} from '../domain/records/highlights/highlight.ts';
import { maxHighlights } from '../domain/records/limits.ts';
import { cleanLine, cleanText, hasVisibleText } from '../domain/text/clean-text.ts';
import { beginningOf } from '../domain/text/shortened.ts';

/** A highlight as a format's reader found it. */
export interface RawHighlight {
  /** The words that were marked; empty for a note about the whole page. */
  text: string;
  note?: string | null | undefined;
  colour?: string | null | undefined;
  date?: string | number | null | undefined;
  /** What the other program calls it, when that is the same in each of its exports. */
  id?: string | number | undefined;
}

/** Longer values are cut before they are cleaned, to bound that work. */
const maxRaw = 50_000;

/**
 * Cleans the highlights of an entry. What has no words is a note about the whole page.
 * @param shortened gets a line for whatever was cut
 */
export function cleanHighlights(
  raws: readonly RawHighlight[],
  readDate: (date: string | number) => number | null,
  shortened: string[],
): { highlights: ImportedHighlight[]; notes: string[] } {
  const bySource = new Map<string, ImportedHighlight>();
  const notes: string[] = [];
  if (raws.length > maxHighlights)
    shortened.push(`${raws.length - maxHighlights} of its highlights were left out: an item has ${maxHighlights}`);
  for (const raw of raws.slice(0, maxHighlights)) {
    const quote = cut(clean(raw.text), maxQuoteLength, 'a highlight', shortened);
    const note = cut(clean(raw.note ?? ''), maxHighlightNoteLength, 'the note of a highlight', shortened);
    if (!hasVisibleText(quote)) {
      if (hasVisibleText(note)) notes.push(note);
      continue;
    }
    const colour = cleanLine((raw.colour ?? '').slice(0, 1_000)).slice(0, maxColourLength);
    const source = raw.id === undefined ? `text:${hashOf(quote)}` : `id:${String(raw.id).slice(0, 100)}`;
    bySource.set(source, {
      source,
      quote,
      note: hasVisibleText(note) ? note : null,
      colour: colour === '' ? null : colour,
      createdAt: raw.date === null || raw.date === undefined ? null : readDate(raw.date),
    });
  }
  return { highlights: [...bySource.values()], notes };
}

function clean(text: string): string {
  return cleanText(text.slice(0, maxRaw)).trim();
}

function cut(text: string, length: number, what: string, shortened: string[]): string {
  if (text.length > length) shortened.push(`${what} was cut to ${length} characters`);
  return beginningOf(text, length);
}

function hashOf(quote: string): string {
  return createHash('sha256').update(quote).digest('hex').slice(0, 24);
}
