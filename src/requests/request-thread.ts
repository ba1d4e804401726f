import { LargeValue } from '../domain/json/large-value.ts';
import type { Resource } from '../domain/records/resource.ts';
import { AppError, invalidInput, unavailable } from '../errors.ts';
import type { Form, FormTask } from './read-form.ts';
import { parseJsonBytes, type JsonBytes } from './json-bytes.ts';
import {
  largeFields,
  type LargePlaces,
  type Pushed,
  type RequestAnswer,
  type RequestTask,
} from './request-protocol.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import { startThread, workerFile } from '../workers/start.ts';
import type { WorkerUse } from '../workers/worker-use.ts';

/** Content that a client sent; some of it may not be parsed yet. */
export type GivenPushed = { [K in keyof Pushed]: Pushed[K] | LargeValue };

/** Parses large requests in a worker thread, so that no request blocks the main thread, which answers all of them. */
export type RequestThread = ReturnType<typeof createRequestThread>;

type TaskAnswer = Exclude<RequestAnswer, { kind: 'refused' | 'broken' }>;

/** Time limit for loading the thread, and for one task. The largest text takes a second or two on a slow machine. */
const maxTaskMs = 60_000;
/** Heap limit of the thread. A task that needs more is refused, and the program continues. */
const maxHeapMegabytes = 512;

/** @param idleMs the thread is ended after this time without a task, which frees its memory */
export function createRequestThread(idleMs: number) {
  // One thread, which takes the tasks of all accounts in their order.
  const pool = new WorkerPool(requestWorker(idleMs), {
    places: { total: 1, reserved: 0 },
    closing,
    refused: noThread,
  });
  const run = (task: RequestTask, accountId = ''): Promise<TaskAnswer> => pool.run(task, undefined, accountId);
  return {
    /**
     * Parses the collected bytes: on this thread when they are small, otherwise in the worker thread. In the latter case
     * the values at `places` are returned as `LargeValue`.
     * @throws {AppError} `invalid_input`
     */
    async parse(collected: JsonBytes, places: LargePlaces): Promise<unknown> {
      const bytes = collected.take();
      if (!collected.isLarge) return parseJsonBytes(bytes);
      const answer = await run({ kind: 'parse', bytes, places });
      if (answer.kind !== 'parsed') throw new Error('the thread answered another question');
      const message = parseJsonBytes(answer.message.json);
      const holder = largeFields(message, places)?.holder ?? {};
      for (const { name, json } of answer.message.large) holder[name] = new LargeValue(json);
      return message;
    },
    /**
     * Makes the original from the content that a client sent with an address, or with `note:` for a note; null when it
     * sent none.
     * @throws {AppError} `invalid_input` naming the fields
     */
    async makeOriginal(url: string, pushed: GivenPushed, fetchedAt: string): Promise<Resource | null> {
      const given = Object.entries(pushed).filter(([, value]) => value !== undefined);
      if (given.length === 0) return null;
      const answer = await run({ kind: 'original', url, pushed: Object.fromEntries(given), fetchedAt });
      if (answer.kind !== 'original') throw new Error('the thread answered another question');
      return answer.resource;
    },
    /**
     * Reads a form from a file, in turn with other accounts.
     * @throws {AppError} `invalid_input` naming the fields
     */
    async readForm(task: FormTask, accountId: string): Promise<Form> {
      const answer = await run(task, accountId);
      if (answer.kind !== 'form') throw new Error('the thread answered another question');
      return answer.form;
    },
    close: (): Promise<void> => pool.close(),
  };
}

function requestWorker(idleMs: number): WorkerUse<RequestTask, TaskAnswer, RequestAnswer> {
  const file = workerFile('./request-worker', import.meta.url);
  return {
    start: () => startThread(file, { maxOldGenerationSizeMb: maxHeapMegabytes }),
    startMs: maxTaskMs,
    idleMs,
    open: ({ job }, run) => ({
      begin() {
        run.limits.limitClock(maxTaskMs);
        // Transfer the buffer to avoid a copy.
        run.send(job, job.kind === 'parse' && job.bytes.buffer instanceof ArrayBuffer ? [job.bytes.buffer] : []);
      },
      receive(answer) {
        if (answer.kind === 'refused') run.reject(new AppError(answer.code, answer.message, { fields: answer.fields }));
        else if (answer.kind === 'broken') run.reject(new Error(`the request thread failed: ${answer.reason}`));
        else run.resolve(answer);
      },
      failure: ({ cause }) => tooMuch(cause),
    }),
  };
}

function tooMuch(cause: unknown): AppError {
  return invalidInput(
    'What was sent takes too much time or memory to read. Send it in smaller parts, or save it as a file from the command line.',
    { cause },
  );
}

function noThread(cause: unknown): AppError {
  return unavailable('This machine has no memory or threads left to read what was sent. Send it again in a moment.', {
    cause,
  });
}

function closing(): AppError {
  return new AppError('cancelled', 'The server is stopping. Send the request again in a moment.');
}
