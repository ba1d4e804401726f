import { parentPort } from 'node:worker_threads';
import { ProcessingError } from '../errors.ts';
import { extractPage } from './extract-page.ts';
import { detectLanguage } from './language.ts';
import type { ReadingMessage, ReadingRequest } from './reading-protocol.ts';

const port = parentPort;
if (port === null) throw new Error('article-worker runs only as a worker thread');
const post = (message: ReadingMessage): void => port.postMessage(message);

async function answer(request: ReadingRequest): Promise<ReadingMessage> {
  try {
    const result =
      request.kind === 'page'
        ? await extractPage(request.html, request.url, request.way)
        : await detectLanguage(request.text);
    return { kind: 'result', result };
  } catch (error) {
    if (error instanceof ProcessingError) return { kind: 'failure', code: error.code, message: error.message };
    return { kind: 'broken', error };
  }
}

port.on('message', (request: ReadingRequest) => void answer(request).then(post));
post({ kind: 'ready' });
