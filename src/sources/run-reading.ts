import { ProcessingError, receiveFailure, sendFailure } from '../errors.ts';
import { type DecodedResource, decodeResource, ownTypeOf } from './decoding/sniff.ts';
import {
  type ResourceAnswer,
  type Need,
  type ReaderSettings,
  type ReadingJob,
  type ReadingOutcome,
  type ReadingTask,
  type Extraction,
  maxBlocks,
  maxCharacters,
} from './host/reading-protocol.ts';
import { createSources } from './index.ts';
import type { ReadingReport, Source, SourceContext } from './source.ts';
import { countWords, type Document, type KnownMetadata, layOutTranscript } from '../domain/records/texts/document.ts';
import { tooMuchText } from './host/reading-failures.ts';
import { cleanLine, hasVisibleText } from '../domain/text/clean-text.ts';
import { beginningOf } from '../domain/text/shortened.ts';
import { maxUrlLength } from '../domain/links/url.ts';

/**
 * Runs a job once, to its end or to the first resource that it needs and does not have. In that case the pending work
 * is dropped and never continues; the job starts again with one more answer.
 * @throws {ProcessingError} as the sources
 */
export async function runReading(
  { task, answers }: ReadingJob,
  { ocr, hasYtDlp }: ReaderSettings,
  report: ReadingReport,
): Promise<ReadingOutcome> {
  report.loading();
  await import('eld/extrasmall');
  report.begun('text');
  const lacking = Promise.withResolvers<ReadingOutcome>();
  const known = new Map(
    answers.map(({ need, result }): [string, ResourceAnswer['result']] => [JSON.stringify(need), result]),
  );
  const supply = (need: Need): Promise<DecodedResource> => {
    const result = known.get(JSON.stringify(need));
    if (result instanceof ProcessingError) return Promise.reject(receiveFailure(sendFailure(result)));
    if (result !== undefined) return decodeResource(result);
    lacking.resolve({ kind: 'needs', need });
    // Never settles, so that neither a source nor a library that swallows errors continues without the answer.
    return new Promise(() => undefined);
  };
  const sources = createSources({ ocr });
  const fetch: SourceContext['fetch'] = (url, request) =>
    supply({ kind: 'fetch', url, ...(request !== undefined && { request }) });
  const run = async (): Promise<ReadingOutcome> => {
    if (task.kind === 'decode') return { kind: 'decoded', text: (await decodeResource(task.resource)).text };
    if (task.kind === 'pictures') {
      const { text, mediaType, finalUrl } = await decodeResource(task.resource);
      const { findPictures } = await import('./page/metadata/page-pictures.ts');
      return { kind: 'pictures', pictures: findPictures(mediaType.includes('html') ? (text ?? '') : '', finalUrl) };
    }
    if (task.kind === 'feed') {
      const { readFeedPage } = await import('./feed/feed-entries.ts');
      const resource = await decodeResource(task.resource);
      report.begun('feed');
      return { kind: 'feed', page: readFeedPage(resource, task.question) };
    }
    if (task.kind === 'open') {
      const opened = await sources.open(new URL(task.url), { fetch, now: () => task.now });
      return { kind: 'opened', resource: opened };
    }
    const context: SourceContext = {
      way: task.way,
      password: task.password ?? undefined,
      fetch,
      askYtDlp: (address) => (hasYtDlp ? supply({ kind: 'yt-dlp', address }) : null),
      report,
    };
    const { source, resource } = await sourceOf(task, sources);
    return { kind: 'read', extraction: await extractDocument(source, resource, context) };
  };
  return Promise.race([run(), lacking.promise]);
}

async function sourceOf(
  { resource: original }: Extract<ReadingTask, { kind: 'read' }>,
  sources: ReturnType<typeof createSources>,
): Promise<{ source: Source; resource: DecodedResource }> {
  const ownType = ownTypeOf(original);
  const own = ownType === null ? null : sources.findGiven(ownType);
  if (ownType !== null && own !== null) {
    const text = new TextDecoder().decode(original.bytes);
    return { source: own, resource: { ...original, mediaType: ownType, charset: 'utf-8', text } };
  }
  const resource = await decodeResource(original);
  const url = new URL(resource.finalUrl);
  const isOfWeb = original.given && /^https?:$/.test(url.protocol);
  // Its site is not asked about what a client has sent, so the address says nothing of how to read it.
  const source = isOfWeb
    ? (sources.findGiven(resource.mediaType) ?? sources.find(new URL('about:blank'), resource.mediaType))
    : sources.find(url, resource.mediaType);
  if (source === null) throw sources.describeUnsupported(url, resource.mediaType);
  return { source, resource };
}

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

/** In UTF-16 units. Longer values are not real titles or names, and lists carry them with every item. */
const maxLengths = { title: 500, author: 200, siteName: 200 };

/**
 * Cleans a document. Every document passes through here, whichever source read it.
 * @throws {ProcessingError} `empty` when none of its blocks has text that a reader would see
 */
export function finishDocument(document: Document): Document {
  if (!document.blocks.some(({ text }) => hasVisibleText(text)))
    throw new ProcessingError('empty', 'This item has no text. Check that it is the right file or address.');
  const { canonicalUrl } = document;
  return {
    ...finishNames(document),
    canonicalUrl: canonicalUrl !== null && canonicalUrl.length > maxUrlLength ? null : canonicalUrl,
  };
}

/** Puts titles and names on one line, without invisible characters, and cuts them. Null when nothing is left. */
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
