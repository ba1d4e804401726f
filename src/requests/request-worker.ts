import { parentPort } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { parseLarge, type RequestAnswer, type RequestTask } from './request-protocol.ts';
import { readForm } from './read-form.ts';
import { readPushed } from './pushed-original.ts';
import type { WorkerSignal } from '../workers/worker-use.ts';

/* The thread behind `request-thread.ts`: takes one task at a time and answers it. */

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker thread');

function post(answer: RequestAnswer | WorkerSignal, moved: readonly Uint8Array[] = []): void {
  const buffers = moved.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
  port?.postMessage(answer, [...new Set(buffers)]);
}

async function run(task: RequestTask): Promise<void> {
  if (task.kind === 'form') {
    const form = await readForm(task);
    post(
      { kind: 'form', form },
      form.contents.map(({ bytes }) => bytes),
    );
  } else if (task.kind === 'parse') {
    const message = parseLarge(task.bytes, task.places);
    post({ kind: 'parsed', message }, [message.json, ...message.large.map(({ json }) => json)]);
  } else {
    const resource = readPushed(task);
    post({ kind: 'original', resource }, resource === null ? [] : [resource.bytes]);
  }
}

port.on('message', async (task: RequestTask) => {
  try {
    await run(task);
  } catch (error) {
    if (error instanceof AppError)
      post({ kind: 'refused', code: error.code, message: error.message, fields: error.fields });
    // Send the error as text: its properties may not be cloneable between threads.
    else post({ kind: 'broken', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
post({ kind: 'ready' });
