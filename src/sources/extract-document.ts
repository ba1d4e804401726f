import { countWords, layOutTranscript } from '../domain/records/document.ts';
import { ProcessingError } from '../errors.ts';
import type { DecodedResource } from './decoding/sniff.ts';
import { finishDocument } from './finish-document.ts';
import { tooMuchText } from './host/reading-failures.ts';
import { type Extraction, maxBlocks, maxCharacters } from './host/reading-protocol.ts';
import type { Source, SourceContext } from './source.ts';

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
