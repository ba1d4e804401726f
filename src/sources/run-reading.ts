import { ProcessingError, receiveFailure, sendFailure } from '../errors.ts';
import { type DecodedResource, decodeResource, ownTypeOf } from './decoding/sniff.ts';
import { extractDocument } from './extract-document.ts';
import type {
  ResourceAnswer,
  Need,
  ReaderSettings,
  ReadingJob,
  ReadingOutcome,
  ReadingTask,
} from './host/reading-protocol.ts';
import { createSources } from './index.ts';
import type { ReadingReport, Source, SourceContext } from './source.ts';

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
  { original }: Extract<ReadingTask, { kind: 'read' }>,
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
