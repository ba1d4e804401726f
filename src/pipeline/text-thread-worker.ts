import { parentPort } from 'node:worker_threads';
import { createExtractiveAnalyst } from '../models/extractive.ts';
import { loadWordPiece } from '../models/wordpiece.ts';
import { splitTranscript } from './split.ts';
import type { TextAnswer, TextRequest } from './text-thread.ts';

/*
 * The thread behind `text-thread.ts`: takes one request at a time and answers it. It is told to stop by being ended,
 * so nothing here needs a signal.
 */

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker thread');

const wordPiece = loadWordPiece();
const analyst = createExtractiveAnalyst();
const never = new AbortController().signal;

async function answer(request: TextRequest): Promise<TextAnswer['result']> {
  if (request.kind === 'split') return splitTranscript(request.transcript, (await wordPiece).countTokens);
  return analyst.analyse(request.input, request.goals, never);
}

port.on('message', (request: TextRequest) => {
  answer(request).then(
    (result) => port.postMessage({ id: request.id, result } satisfies TextAnswer),
    // An unexpected error ends the thread and reaches the other side as its `error` event.
    (error: unknown) =>
      queueMicrotask(() => {
        throw error;
      }),
  );
});
