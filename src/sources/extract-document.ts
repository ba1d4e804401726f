import { countWords, type Document, type KnownMetadata, layOutTranscript } from '../domain/records/document.ts';
import { ProcessingError } from '../errors.ts';
import type { DecodedResource } from './decoding/sniff.ts';
import { tooMuchText } from './host/reading-failures.ts';
import { type Extraction, maxBlocks, maxCharacters } from './host/reading-protocol.ts';
import type { Source, SourceContext } from './source.ts';
import { cleanLine, hasVisibleText } from '../domain/text/clean-text.ts';
import { beginningOf } from '../domain/text/shortened.ts';
import { maxUrlLength } from '../domain/links/url.ts';

/**
 * Makes the stored document of a resource. Every document passes through here, so no source has to check for length or
 * empty text.
 * @throws {ProcessingError} when there is no text in it, or too much
 */
export async function extractDocument(
  source: Source,
  resource: DecodedResource,
  context: SourceContext,
): Promise<Extraction> {
  const { blocks, ...document } = finishDocument(await source.read(resource, context));
  const transcript = layOutTranscript(blocks);
  if (transcript.text === '') {
    throw new ProcessingError(
      'empty',
      'There was no text to keep on this page. If it shows text in a browser, it needs a login or builds itself with scripts; save the text as a file instead.',
    );
  }
  if (transcript.text.length > maxCharacters || transcript.blocks.length > maxBlocks) throw tooMuchText('text');
  return { document, transcript, mediaType: resource.mediaType, wordCount: countWords(transcript.text) };
}

/**
 * Maximum lengths, in UTF-16 units. Longer values are not real titles or names, and lists carry them with every item.
 */
const maxLengths = { title: 500, author: 200, siteName: 200 };

/**
 * Cleans a document. Every document passes through here, whichever source read it.
 * @throws {ProcessingError} `empty` when none of its blocks has text that a reader would see
 */
export function finishDocument(document: Document): Document {
  if (!document.blocks.some(({ text }) => hasVisibleText(text))) {
    throw new ProcessingError('empty', 'This item has no text. Check that it is the right file or address.');
  }
  const { canonicalUrl } = document;
  return {
    ...finishNames(document),
    canonicalUrl: canonicalUrl !== null && canonicalUrl.length > maxUrlLength ? null : canonicalUrl,
  };
}

/**
 * Puts titles and names on one line, removes invisible characters and cuts values that are too long. Null when nothing
 * is left.
 */
export function finishNames<Names extends KnownMetadata>(names: Names): Names {
  const finished = { ...names };
  for (const field of ['title', 'author', 'siteName'] as const) {
    const given = names[field];
    if (given !== undefined) finished[field] = cap(cleanLine(given ?? ''), maxLengths[field]) || null;
  }
  return finished;
}

/** Cuts after the last whole word and adds an ellipsis. */
function cap(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength - 1);
  const space = /\s/u.test(text.charAt(maxLength - 1))
    ? start.length
    : Math.max(...[' ', '\n', '\t'].map((blank) => start.lastIndexOf(blank)));
  // If there is no space in the second half, cut inside the word, but do not split a surrogate pair.
  const kept = space > maxLength / 2 ? start.slice(0, space) : beginningOf(text, maxLength - 1);
  return `${kept.trimEnd()}…`;
}
