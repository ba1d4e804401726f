import { parentPort } from 'node:worker_threads';
import type { Document } from '../domain/document.ts';
import { ProcessingError } from '../errors.ts';
import type { ReadingMessage, ReadingRequest } from './reading-protocol.ts';

const port = parentPort;
if (port === null) throw new Error('reading-worker runs only as a worker thread');
const post = (message: ReadingMessage): void => port.postMessage(message);

/** Each reader is loaded when it is first asked: one for pages takes a second. */
async function read(request: ReadingRequest): Promise<Document> {
  const { kind, text, url } = request;
  if (kind === 'page') return (await import('./extract-page.ts')).extractPage(text, url, request.way);
  if (kind === 'markdown') return (await import('./read-markdown.ts')).readMarkdown(text, url);
  return (await import('./read-plain-text.ts')).readPlainText(text, url);
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
