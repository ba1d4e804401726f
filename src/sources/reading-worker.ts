import { parentPort } from 'node:worker_threads';
import type { Document } from '../domain/document.ts';
import { ProcessingError } from '../errors.ts';
import { readBlockModel, type BlockModel } from './block-model.ts';
import type { ReadingMessage, ReadingRequest } from './host/reading-protocol.ts';

const port = parentPort;
if (port === null) throw new Error('reading-worker runs only as a worker thread');
const post = (message: ReadingMessage): void => port.postMessage(message);

/** Read once, when the first page needs it. */
let known: BlockModel | undefined;
const model = (): BlockModel => (known ??= readBlockModel());

/** Each reader is loaded when it is first asked: one for pages takes a second. */
async function read(request: ReadingRequest): Promise<Document> {
  const { kind, text, url } = request;
  await load(request);
  post({ kind: 'begun' });
  if (kind === 'page') {
    const { extractPage } = await import('./extract-page.ts');
    return extractPage(text, url, { way: request.way, model, onLinear: () => post({ kind: 'linear' }) });
  }
  if (kind === 'markdown') return (await import('./read-markdown.ts')).readMarkdown(text, url);
  if (kind === 'feed') return (await import('./read-feed.ts')).readFeed(text, url);
  if (kind === 'reddit') return (await import('./read-reddit.ts')).readReddit(text);
  if (kind === 'captions') return (await import('./read-caption-file.ts')).readCaptionFile(text, url);
  if (kind === 'embedded-post') return (await import('./read-embedded-post.ts')).readEmbeddedPost(text, url);
  return (await import('./read-plain-text.ts')).readPlainText(text, url);
}

/** On a busy machine loading takes longer than most pages, and is not the page's fault. */
async function load(request: ReadingRequest): Promise<void> {
  const heavy = [import('eld/extrasmall')] as Promise<unknown>[];
  if (request.kind === 'page') heavy.push(import('./extract-page.ts'));
  if (request.kind === 'page' && request.way === 'whole') heavy.push(import('./dom-extraction.ts'));
  await Promise.all(heavy);
}

async function answer(request: ReadingRequest): Promise<ReadingMessage> {
  try {
    return { kind: 'result', document: await read(request) };
  } catch (error) {
    if (error instanceof ProcessingError) return { kind: 'failure', code: error.code, message: error.message };
    return { kind: 'broken', error };
  }
}

port.on('message', (request: ReadingRequest) => void answer(request).then(post));
post({ kind: 'ready' });
