import type { PassageId, RankedPassage } from '../domain/records/texts/passage.ts';
import { containsPhrase } from '../domain/search/term-matches.ts';
import { plainText } from '../domain/text/plain-text.ts';
import type { IndexReader } from '../store/index-reader.ts';
import { hiddenSpans, readableText } from '../domain/text/readable-text.ts';

/* Which passages may answer a query, as their texts tell and the index cannot. */

/** The index matches words by their stems, but a phrase in quotation marks is meant literally. */
export function havingPhrases(
  index: IndexReader,
  hits: readonly RankedPassage[],
  phrases: readonly string[],
): readonly RankedPassage[] {
  if (phrases.length === 0) return hits;
  const passages = index.readWording(hits.map(({ passageId }) => passageId));
  const having = passages.filter(({ parts }) =>
    phrases.every((phrase) => parts.some((part) => containsPhrase(part, phrase))),
  );
  const ids = new Set(having.map(({ passageId }) => passageId));
  return hits.filter(({ passageId }) => ids.has(passageId));
}

const imageMark = '![';

/** The passages among these that show only pictures. */
export function listPictures(index: IndexReader, passageIds: readonly PassageId[]): ReadonlySet<PassageId> {
  const withImages = index.readTextsWith(imageMark, passageIds);
  return new Set(withImages.filter(({ text }) => !saysWords(text)).map(({ passageId }) => passageId));
}

/**
 * In a passage of pictures alone, the model sees only their addresses, which are similar to any query about files and
 * codes.
 */
export function saysWords(text: string): boolean {
  return !text.includes(imageMark) || /[\p{L}\p{N}]/u.test(plainText(text));
}

/** A list has this many links or entries at least. */
const minEntries = 4;
/** From this share of its letters on, a passage is made of links. */
const mostlyLinks = 0.8;
/** The same of its lines, for a table of contents with page numbers. */
const mostlyEntries = 0.6;

/**
 * Whether a passage only names other content: a list of links, or a table of contents. It has words of many subjects and says
 * nothing about them.
 */
export function isListOfPlaces(text: string): boolean {
  return isMadeOfLinks(text) || isContents(text);
}

function isMadeOfLinks(text: string): boolean {
  if (text.split('](', minEntries + 1).length <= minEntries) return false;
  const hidden = hiddenSpans(text);
  let [links, inLinks, label] = [0, 0, -1];
  for (const { start, end } of hidden) {
    if (text[start] === '[' && end - start === 1) label = end;
    else if (text[start] === ']' && label !== -1) {
      links += 1;
      inLinks += countLetters(text.slice(label, start));
      label = -1;
    }
  }
  return (
    links >= minEntries &&
    inLinks >= mostlyLinks * countLetters(readableText(text, hidden, { start: 0, end: text.length }))
  );
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Lines that lead by dots to a number, as a table of contents has them. */
function isContents(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.filter(
    (line) => /\d$/.test(line.trimEnd()) && (line.includes('....') || line.includes('. . . .')),
  );
  return entries.length >= minEntries && entries.length >= mostlyEntries * lines.length;
}
