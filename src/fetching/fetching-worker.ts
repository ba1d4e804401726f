import { inspect } from 'node:util';
import { SharedPlaces } from '../domain/turns/shared-places.ts';
import { ProcessingError, sendFailure } from '../errors.ts';
import { offerToEndFirst, returnMemory } from '../workers/memory.ts';
import { createSystemClock } from '../workers/system-clock.ts';
import type { WorkerSignal } from '../workers/worker-use.ts';
import { lookupInTurn, lookupPlaces, isPublicPage } from './address-guard.ts';
import { fetchResource, largeBodyPlaces } from './fetch.ts';
import { networkFailure } from './fetch-failures.ts';
import type { FetchingTask, FromFetching, ToFetching } from './fetch-process.ts';

/*
 * The fetching process: it opens connections, speaks TLS and HTTP, and decompresses (docs/decisions/fetching.md). It runs many
 * calls at once, may be killed at any moment, and exits when its parent is gone.
 */

/** Memory is returned after so long without a call. */
const restMs = 200;

const maxCauseLength = 10_000;

interface RunningCall {
  readonly stop: AbortController;
  /** Set while it waits for its turn at a host. */
  takeTurn?: () => void;
}

const clock = createSystemClock();
const places = new SharedPlaces(largeBodyPlaces);
const lookups = new SharedPlaces(lookupPlaces);
const running = new Map<number, RunningCall>();
let resting: NodeJS.Timeout | undefined;

function send(message: FromFetching | WorkerSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) throw new Error('fetching-worker runs only as a child process');
    process.send(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}

async function answer(id: number, task: FetchingTask, call: RunningCall): Promise<FromFetching> {
  const { signal } = call.stop;
  if (task.kind === 'look-up') {
    const lookup = lookupInTurn(lookups, task.accountId, signal);
    return { kind: 'looked-up', id, isPublic: await isPublicPage(new URL(task.url), lookup) };
  }
  const resource = await fetchResource(
    task,
    {
      clock,
      places,
      lookups,
      take: (bytes) => send({ kind: 'piece', id, bytes }),
      hosts: {
        async take(host) {
          await new Promise<void>((resolve, reject) => {
            call.takeTurn = resolve;
            signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
            void send({ kind: 'host', id, host });
          });
          // The parent ends the turn: with the call, or when the next one is asked for.
          return { host, end: () => undefined };
        },
        hold: (host, ms) => void send({ kind: 'hold', id, host, ms }),
      },
    },
    signal,
  );
  return { kind: 'fetched', id, resource };
}

async function run(id: number, task: FetchingTask): Promise<void> {
  const call: RunningCall = { stop: new AbortController() };
  running.set(id, call);
  clearTimeout(resting);
  const last = await answer(id, task, call).catch((error: unknown): FromFetching => {
    const failure = error instanceof ProcessingError ? error : networkFailure(error, 0, () => true);
    const { cause } = failure;
    // With the causes of the cause.
    const words = cause === undefined ? undefined : inspect(cause).slice(0, maxCauseLength);
    return { kind: 'failure', id, failure: sendFailure(failure), cause: words };
  });
  running.delete(id);
  if (running.size === 0) resting = setTimeout(returnMemory, restMs).unref();
  if (!call.stop.signal.aborted) await send(last);
}

offerToEndFirst();
// A terminal sends signals to all processes; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('uncaughtException', (error) => {
  process.send?.({ kind: 'failed', reason: error.stack ?? error.message } satisfies WorkerSignal, () =>
    process.exit(1),
  );
});
process.on('disconnect', () => process.exit());
process.on('message', (message: ToFetching) => {
  if (message.kind === 'call') return void run(message.id, message.task);
  const call = running.get(message.id);
  if (message.kind === 'turn') call?.takeTurn?.();
  else call?.stop.abort(new Error('nobody waits for it'));
});
void send({ kind: 'ready' });
