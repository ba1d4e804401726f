import { offerToEndFirst, returnMemory } from '../workers/memory.ts';
import type { Resource } from '../domain/records/resource.ts';
import { ProcessingError, receiveFailure, sendFailure } from '../errors.ts';
import type { WorkerSignal } from '../workers/worker-use.ts';
import type {
  FinalMessage,
  ReaderSettings,
  ReadingJob,
  ReadingMessage,
  ReadingOutcome,
  SentJob,
  SentResource,
} from './host/reading-protocol.ts';
import { finishNames, runReading } from './run-reading.ts';
import type { ReadingReport } from './source.ts';

/* The reading process: one job at a time, whose result it sends in chunks. It may be killed at any moment. */

offerToEndFirst();
const settings = JSON.parse(process.argv[2] ?? '') as ReaderSettings;

/** Memory is returned after so long without a job: sooner, the next page of an import would have to wait for it. */
const restMs = 200;
/** UTF-16 units and blocks in one message. The parent appends the chunks in order. */
const pieceCharacters = 200_000;
const pieceBlocks = 5_000;

function send(message: ReadingMessage | WorkerSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) throw new Error('reading-worker runs only as a child process');
    process.send(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}

const report: ReadingReport = {
  loading: () => void send({ kind: 'loading' }),
  begun: (subject) => void send({ kind: 'begun', subject, cpuMs: cpuMs() }),
  linear: () => void send({ kind: 'linear' }),
  progress: (done, recognised = 0) => void send({ kind: 'progress', done, recognised, cpuMs: cpuMs() }),
};

async function sendText(text: string): Promise<void> {
  for (let at = 0; at < text.length; at += pieceCharacters)
    await send({ kind: 'text', text: text.slice(at, at + pieceCharacters) });
}

let beganAt = process.cpuUsage();
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage(beganAt);
  return (user + system) / 1_000;
};

async function sendOutcome(outcome: ReadingOutcome, { answers }: ReadingJob): Promise<FinalMessage> {
  switch (outcome.kind) {
    case 'needs':
    case 'pictures':
    case 'feed':
      return { ...outcome, cpuMs: cpuMs() };
    case 'decoded':
      await sendText(outcome.text ?? '');
      return { kind: 'decoded', isText: outcome.text !== null, cpuMs: cpuMs() };
    case 'opened': {
      const { resource } = outcome;
      // The parent already has the bytes of the answers that it supplied.
      const answer = answers.findIndex(({ result }) => 'bytes' in result && result.bytes === resource?.bytes);
      if (resource === null || answer !== -1)
        return { kind: 'opened', answer: answer === -1 ? null : answer, note: null, cpuMs: cpuMs() };
      const { url, finalUrl, declaredType, fetchedAt, bytes } = resource;
      const note = { url, finalUrl, declaredType, fetchedAt, text: new TextDecoder().decode(bytes) };
      return { kind: 'opened', answer: null, note, cpuMs: cpuMs() };
    }
    case 'read': {
      const { transcript, ...rest } = outcome.extraction;
      await sendText(transcript.text);
      for (let at = 0; at < transcript.blocks.length; at += pieceBlocks)
        await send({ kind: 'blocks', blocks: transcript.blocks.slice(at, at + pieceBlocks) });
      return { kind: 'read', ...rest, cpuMs: cpuMs() };
    }
  }
}

function failureOf(error: unknown): FinalMessage {
  if (error instanceof ProcessingError) {
    const known = error.known === undefined ? undefined : finishNames(error.known);
    return { kind: 'failure', ...sendFailure(error), known, cpuMs: cpuMs() };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'broken', fault: faultOf(error), reason, cpuMs: cpuMs() };
}

let isReading = false;
let resting: NodeJS.Timeout | undefined;

async function work(job: ReadingJob): Promise<void> {
  clearTimeout(resting);
  beganAt = process.cpuUsage();
  isReading = true;
  let last: FinalMessage;
  try {
    last = await sendOutcome(await runReading(job, settings, report), job);
  } catch (error) {
    last = failureOf(error);
  }
  isReading = false;
  // Before the answer is sent: the next job may begin while this one waits for that.
  resting = setTimeout(returnMemory, restMs).unref();
  await send(last);
}

/** An uncaught error of a library's promise or timer fails the job. The process is not usable afterwards. */
async function giveUp(error: unknown): Promise<void> {
  try {
    if (isReading) await send(failureOf(error));
  } finally {
    process.exit(1);
  }
}

interface Expected {
  /** One buffer for each resource, filled in order. */
  bytes: Uint8Array[];
  filled: number;
  at: number;
  job: ReadingJob;
}
let expected: Expected | null = null;
let early: Uint8Array[] = [];

function expect({ task, answers }: SentJob): Expected {
  const bytes: Uint8Array[] = [];
  const receive = ({ size, ...rest }: SentResource): Resource => {
    const place = new Uint8Array(size);
    bytes.push(place);
    return { ...rest, bytes: place };
  };
  const job: ReadingJob = {
    task: 'resource' in task ? ({ ...task, resource: receive(task.resource) } as ReadingJob['task']) : task,
    answers: answers.map(({ need, result }) => ({
      need,
      result: 'failure' in result ? receiveFailure(result.failure) : receive(result.resource),
    })),
  };
  return { bytes, filled: 0, at: 0, job };
}

/** The request comes over IPC and its bytes over stdin. Either may arrive first. */
function take(chunk: Uint8Array): void {
  if (expected === null) {
    early.push(chunk);
    return;
  }
  let rest = chunk;
  while (rest.length > 0) {
    const place = expected.bytes[expected.at];
    if (place === undefined) throw new Error('more bytes came than were announced');
    const part = rest.subarray(0, place.length - expected.filled);
    place.set(part, expected.filled);
    expected.filled += part.length;
    rest = rest.subarray(part.length);
    if (expected.filled === place.length) {
      expected.at += 1;
      expected.filled = 0;
    }
  }
  beginWhenWhole();
}

function beginWhenWhole(): void {
  if (expected === null) return;
  // Skip empty resources: no bytes arrive for them.
  while (expected.bytes[expected.at]?.length === 0) expected.at += 1;
  if (expected.at < expected.bytes.length) return;
  const { job } = expected;
  expected = null;
  void work(job);
}

process.on('uncaughtException', (error) => void giveUp(error));
process.on('unhandledRejection', (error) => void giveUp(error));
process.stdin.on('data', take);
process.on('message', (job: SentJob) => {
  expected = expect(job);
  const chunks = early;
  early = [];
  if (chunks.length === 0) beginWhenWhole();
  for (const chunk of chunks) take(chunk);
});
process.on('disconnect', () => process.exit());
void send({ kind: 'ready' });

/** Error codes that point to this machine or a damaged installation, whatever was being read. */
const codes = new Set(
  (
    'EMFILE ENFILE EAGAIN ENOMEM ENOSPC EIO EACCES EPERM ENOENT MODULE_NOT_FOUND ERR_MODULE_NOT_FOUND ERR_DLOPEN_FAILED ' +
    'ERR_PACKAGE_PATH_NOT_EXPORTED ERR_UNSUPPORTED_DIR_IMPORT ERR_WORKER_INIT_FAILED ERR_WORKER_OUT_OF_MEMORY'
  ).split(' '),
);

/** The program is at fault if an error or a cause has a code for files, modules or handles, which no page can cause. */
export function faultOf(error: unknown): 'content' | 'program' {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one && typeof one.code === 'string' && codes.has(one.code)) return 'program';
  }
  return 'content';
}
