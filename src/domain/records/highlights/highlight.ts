import { z } from 'zod';
import { instant } from '../instant.ts';
import { cleanLine, cleanText } from '../../text/clean-text.ts';
import { locator } from '../texts/locator.ts';

export const maxQuoteLength = 8_000;
export const maxHighlightNoteLength = 4_000;
export const maxColourLength = 40;

/** Texts are bounded before they are cleaned, to bound that work. */
const maxRaw = 50_000;

export const highlightQuote = z
  .string()
  .max(maxRaw, { abort: true })
  .overwrite((text) => cleanText(text).trim())
  .min(1)
  .max(maxQuoteLength);
export const highlightNote = z
  .string()
  .max(maxRaw, { abort: true })
  .overwrite((text) => cleanText(text).trim())
  .max(maxHighlightNoteLength);
export const highlightColour = z.string().max(1_000, { abort: true }).overwrite(cleanLine).max(maxColourLength);

/**
 * The location of a highlight: `found` in the item's text; `missing` when the text does not have these words; `unread` until it was
 * searched for in a text.
 */
const highlightPlace = z.enum(['found', 'missing', 'unread']);

/** Words that a person marked in a saved item, with their note. */
export const highlight = z.object({
  id: z.string(),
  contentId: z.string().describe('The saved item that it is in.'),
  contentTitle: z.string().nullable().describe('The title of that item.'),
  quote: z.string().describe('The words that were marked, as they were given.'),
  note: z.string().nullable().describe("The person's own words about it."),
  colour: z.string().nullable(),
  place: highlightPlace.describe(
    'found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet.',
  ),
  locator: locator.nullable().describe('Its place in the text.'),
  url: z.string().nullable().describe('Opens the source at that place.'),
  source: z.string().nullable().describe('The id that another program gave it, if it was imported.'),
  createdAt: instant,
  updatedAt: instant,
});
export type Highlight = z.infer<typeof highlight>;

export interface NewHighlight {
  contentId: string;
  quote: string;
  note?: string | null | undefined;
  colour?: string | null | undefined;
}

/** Absent fields are not changed; null and empty texts remove a note or a colour. */
export interface HighlightChanges {
  quote?: string | undefined;
  note?: string | null | undefined;
  colour?: string | null | undefined;
}

/** A highlight of an export of another program: within the bounds above. */
export interface ImportedHighlight {
  /** The same in every export of that program, or a hash of the words where it has no name for it. */
  source: string;
  quote: string;
  note: string | null;
  colour: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number | null;
}
