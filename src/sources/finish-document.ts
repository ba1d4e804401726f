import { cleanLine, hasVisibleText } from '../domain/text/clean-text.ts';
import type { Document, KnownMetadata } from '../domain/records/document.ts';
import { maxUrlLength } from '../domain/links/url.ts';
import { ProcessingError } from '../errors.ts';

/** In UTF-16 units. What is longer is no title or name, but lists carry it with every item. */
const longest = { title: 500, author: 200, siteName: 200 };

/**
 * What every document passes through, whatever source read it.
 * @throws {ProcessingError} `empty` when none of its blocks has text that a reader would see
 */
export function finishDocument(document: Document): Document {
  if (!document.blocks.some(({ text }) => hasVisibleText(text))) {
    throw new ProcessingError('empty', 'There is no text in it. Check that it is the right file or address.');
  }
  const { canonicalUrl } = document;
  return {
    ...finishNames(document),
    canonicalUrl: canonicalUrl !== null && canonicalUrl.length > maxUrlLength ? null : canonicalUrl,
  };
}

/** Titles and names on one line without invisible characters, cut where they are too long; null when nothing is left. */
export function finishNames<Names extends KnownMetadata>(names: Names): Names {
  const finished = { ...names };
  for (const field of ['title', 'author', 'siteName'] as const) {
    const given = names[field];
    if (given !== undefined) finished[field] = cap(cleanLine(given ?? ''), longest[field]) || null;
  }
  return finished;
}

/** Cut behind the last whole word, an ellipsis in place of the rest. */
function cap(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most - 1);
  const space = /\s/u.test(text.charAt(most - 1))
    ? start.length
    : Math.max(...[' ', '\n', '\t'].map((blank) => start.lastIndexOf(blank)));
  // One word as long as a sentence is not given up; a surrogate pair is not halved.
  const kept = space > most / 2 ? start.slice(0, space) : start.replace(/[\ud800-\udbff]$/, '');
  return `${kept.trimEnd()}…`;
}
