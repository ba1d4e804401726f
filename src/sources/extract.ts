import { layOutTranscript, type Document, type Transcript } from '../domain/document.ts';
import type { Resource } from '../domain/resource.ts';
import { ProcessingError } from '../errors.ts';
import type { OpeningContext, Source, SourceContext } from './source.ts';

/** Who reads what. */
export interface Readers {
  findSource(url: URL, mediaType: string): Promise<Source | null>;
  /** The item's original, where a source gets it in a way of its own; null where it is what stands at the address. */
  openOriginal(url: URL, context: OpeningContext): Promise<Resource | null>;
  /** The reason to give when there is no source for what was fetched. */
  describeUnsupported(url: URL, mediaType: string): Promise<ProcessingError>;
}

export interface Extraction {
  document: Omit<Document, 'blocks'>;
  transcript: Transcript;
}

/**
 * Makes the document that is stored of a resource.
 * @throws {ProcessingError} when there is no source for it, or no text in it
 */
export async function extractDocument(
  readers: Readers,
  resource: Resource,
  context: SourceContext,
): Promise<Extraction> {
  const url = new URL(resource.finalUrl);
  const source = await readers.findSource(url, resource.mediaType);
  if (source === null) throw await readers.describeUnsupported(url, resource.mediaType);
  const { blocks, ...document } = await source.read(resource, context);
  const transcript = layOutTranscript(blocks);
  if (transcript.text === '') {
    throw new ProcessingError(
      'empty',
      'There was no text to keep on this page. If it shows text in a browser, it needs a login or builds itself with scripts; save the text as a file instead.',
    );
  }
  return { document, transcript };
}
