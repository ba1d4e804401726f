import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { until } from '../support/vitest/workers.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkerPool, type PoolSettings } from '../../src/workers/worker-pool.ts';
import { startProcess, startThread } from '../../src/workers/start.ts';
import type { Failure, Run, WorkerUse } from '../../src/workers/worker-use.ts';
import type { Order } from './stub.ts';

type Kind = 'process' | 'thread';
type Message = { kind: 'answer'; text: string } | { kind: 'progress'; done: number };
type Use = WorkerUse<Order, string, Message>;

const stub = new URL('./stub.ts', import.meta.url);

/** The error of a job whose worker failed. */
class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind, { cause: failure.cause });
    this.failure = failure;
  }
}

interface Workers {
  pool: WorkerPool<Order, string, Message>;
  started: (ChildProcess | Worker)[];
  ask(order: Order, signal?: AbortSignal, account?: string): Promise<string>;
  /** What `ask` rejected with. */
  lose(order: Order, signal?: AbortSignal): Promise<unknown>;
  startAs(way: 'well' | 'mute' | 'dies' | 'refused'): void;
}

interface Given extends Partial<Use>, Partial<PoolSettings> {
  /** Called when a job begins. */
  limit?(run: Run<string>): void;
  progress?(done: number): void;
  isSpent?: boolean;
}

function open(
  kind: Kind,
  { limit, progress, isSpent, places, growMs, closing, refused, ...given }: Given = {},
): Workers {
  const started: (ChildProcess | Worker)[] = [];
  let way = 'well';
  const start = (): ChildProcess | Worker => {
    if (way === 'refused') throw new Error('no room');
    // A thread has a copy of the environment as it is at its start.
    process.env['STUB_START'] = way;
    const worker = kind === 'process' ? startProcess(stub, { args: [way], readsBytes: true }) : startThread(stub, heap);
    delete process.env['STUB_START'];
    started.push(worker);
    return worker;
  };
  const use: Use = {
    start,
    idleMs: 600_000,
    open: ({ job }, run) => ({
      begin() {
        run.limits.stopTime();
        limit?.(run);
        run.send(job);
      },
      receive(message) {
        if (message.kind === 'progress') progress?.(message.done);
        else run.resolve(message.text, isSpent);
      },
      failure: (failure) => new Failed(failure),
    }),
    ...given,
  };
  const pool = new WorkerPool(use, {
    places: places ?? { total: 1, reserved: 0 },
    closing: closing ?? (() => new Error('closed')),
    ...(refused !== undefined && { refused }),
    ...(growMs !== undefined && { growMs }),
  });
  const ask: Workers['ask'] = (order, signal, account = 'a') => pool.run(order, signal, account);
  opened.push(pool);
  return {
    pool,
    started,
    ask,
    lose: (order, signal) => ask(order, signal).then(expectNone, (error: unknown) => error),
    startAs: (given) => (way = given),
  };
}

const heap = { maxOldGenerationSizeMb: 24 };
const opened: Pick<WorkerPool<never, never, never>, 'close'>[] = [];
const expectNone = (answer: string): never => expect.unreachable(`the worker answered ${answer}`);

/** Only the host's own timers stand still; workers live in real time. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
}
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

describe.each<Kind>(['process', 'thread'])('a %s', (kind) => {
  it('starts with the first job, and takes the next ones in order', async () => {
    const { ask, started } = open(kind);
    expect(started).toHaveLength(0);
    expect(await Promise.all([ask('work'), ask('work'), ask('work')])).toEqual(['work 1', 'work 2', 'work 3']);
    expect(started).toHaveLength(1);
  });

  it('reports progress before its answer', async () => {
    const told: number[] = [];
    expect(await open(kind, { progress: (done) => told.push(done) }).ask('progress')).toBe('progress 1');
    expect(told).toEqual([1, 2]);
  });

  it.each<[Order, Record<Kind, Failure['kind']>, Record<Kind, RegExp>]>([
    ['exit', { process: 'exit', thread: 'exit' }, { process: /ended with 7/, thread: /ended with 7/ }],
    ['throw', { process: 'exit', thread: 'crash' }, { process: /ended with 1/, thread: /nobody caught this/ }],
    ['reject', { process: 'exit', thread: 'crash' }, { process: /ended with 1/, thread: /nobody waited for this/ }],
    ['tell', { process: 'crash', thread: 'crash' }, { process: /my last words/, thread: /my last words/ }],
  ])('that crashes during a job (%s) fails that job alone, with the known reason', async (order, expected, words) => {
    const { ask, lose, started } = open(kind);
    const [before, lost, after] = await Promise.all([ask('work'), lose(order), ask('work')]);
    expect([before, after]).toEqual(['work 1', 'work 1']);
    expect(lost).toMatchObject({ failure: { kind: expected[kind], wasReady: true } });
    expect((lost as Failed).failure.cause.message).toMatch(words[kind]);
    expect(started).toHaveLength(2);
  });

  it('that crashes while it is idle has no effect', async () => {
    const { ask, started } = open(kind);
    await ask('work');
    await end(started[0]!);
    expect(await ask('work')).toBe('work 1');
    expect(started).toHaveLength(2);
  });

  it('that fails to start fails the job that it was started for', async () => {
    holdTime();
    const { ask, lose, started, startAs } = open(kind, { startMs: 5_000 });
    startAs('mute');
    const lost = lose('work');
    const next = ask('work');
    startAs('well');
    vi.advanceTimersByTime(5_000);
    expect(await lost).toMatchObject({ failure: { kind: 'time', wasReady: false } });
    expect(await next).toBe('work 1');
    expect(started).toHaveLength(2);
  });

  it('that ends while it loads reports the known reason', async () => {
    const { lose, startAs } = open(kind);
    startAs('dies');
    const lost = (await lose('work')) as Failed;
    expect(lost.failure).toMatchObject({ kind: 'exit', wasReady: false });
    expect(lost.failure.cause.message).toContain(kind === 'process' ? 'a module of mine is missing' : 'ended with 9');
  });

  it('that the system cannot start fails its job, and the next job tries again', async () => {
    const { ask, lose, startAs } = open(kind);
    startAs('refused');
    expect(await lose('work')).toMatchObject({ message: 'no room' });
    startAs('well');
    expect(await ask('work')).toBe('work 1');
  });

  it('is not started for a job that was cancelled before', async () => {
    const { lose, started } = open(kind);
    const reason = new Error('not needed any more');
    expect(await lose('work', AbortSignal.abort(reason))).toBe(reason);
    expect(started).toHaveLength(0);
  });

  it('never gets a job that was cancelled while it waited', async () => {
    const { ask, lose, started } = open(kind);
    const cancel = new AbortController();
    const first = ask('work');
    const cancelled = lose('exit', cancel.signal);
    const last = ask('work');
    const reason = new Error('not needed any more');
    cancel.abort(reason);
    expect(await cancelled).toBe(reason);
    expect(await Promise.all([first, last])).toEqual(['work 1', 'work 2']);
    expect(started).toHaveLength(1);
  });

  it('is ended with a job that is cancelled while it runs', async () => {
    const { ask, lose, started } = open(kind);
    await ask('work');
    const cancel = new AbortController();
    const cancelled = lose('spin', cancel.signal);
    const gone = once(started[0]!, 'exit');
    const reason = new Error('not needed any more');
    cancel.abort(reason);
    expect(await cancelled).toBe(reason);
    await gone;
    expect(await ask('work')).toBe('work 1');
  });

  it('that exceeds its memory fails its job', async () => {
    const { ask, lose } = open(kind, kind === 'process' ? { maxBytes: 150 * 2 ** 20 } : {});
    expect(await lose('fill')).toMatchObject({ failure: { kind: 'memory', wasReady: true } });
    expect(await ask('work')).toBe('work 1');
  });

  it('that exceeds its processor time fails its job', async () => {
    const { ask, lose } = open(kind, { limit: (run) => run.limits.limitProcessor(() => 200) });
    await ask('work');
    expect(await lose('spin')).toMatchObject({ failure: { kind: 'time', wasReady: true } });
    expect(await ask('work')).toBe('work 1');
  });

  it('that exceeds its wall time fails its job', async () => {
    holdTime();
    const { ask, lose } = open(kind, { limit: (run) => run.limits.limitClock(30_000) });
    await ask('work');
    vi.advanceTimersByTime(60_000);
    const lost = lose('hang');
    vi.advanceTimersByTime(30_000);
    expect(await lost).toMatchObject({ failure: { kind: 'time', cause: { message: 'no answer within 30 seconds' } } });
    expect(await ask('work')).toBe('work 1');
  });

  it('is ended after a long idle time, and the next job starts another', async () => {
    holdTime();
    const { ask, started } = open(kind, { idleMs: 60_000 });
    await ask('work');
    vi.advanceTimersByTime(59_999);
    expect(await ask('work')).toBe('work 2');
    const gone = once(started[0]!, 'exit');
    vi.advanceTimersByTime(60_000);
    await gone;
    expect(await ask('work')).toBe('work 1');
  });

  it('is ended after a job that was too large for it', async () => {
    const { ask, started } = open(kind, kind === 'process' ? { maxRestingBytes: 1 } : { isSpent: true });
    expect(await Promise.all([ask('work'), ask('work')])).toEqual(['work 1', 'work 1']);
    expect(started).toHaveLength(2);
  });

  it('is ended when it is idle after such a job, however soon after the one before', async () => {
    const { ask, started } = open(kind, kind === 'process' ? { maxRestingBytes: 1 } : { isSpent: true });
    for (let asked = 1; asked <= 3; asked += 1) expect(await ask('work')).toBe('work 1');
    expect(started).toHaveLength(3);
  });

  it('is ended with its current and waiting jobs when the pool is closed', async () => {
    const { ask, lose, pool, started } = open(kind);
    await ask('work');
    const lost = Promise.all([lose('spin'), lose('work')]);
    const gone = once(started[0]!, 'exit');
    await pool.close();
    expect(await lost).toMatchObject([{ message: 'closed' }, { message: 'closed' }]);
    await gone;
    expect(await lose('work')).toMatchObject({ message: 'closed' });
    expect(started).toHaveLength(1);
  });

  it('that cannot be sent its job fails it', async () => {
    const { ask, pool } = open(kind);
    await ask('work');
    const unsendable = (kind === 'process' ? 1n : () => undefined) as unknown as Order;
    await expect(pool.run(unsendable, undefined, 'a')).rejects.toMatchObject({ failure: { kind: 'crash' } });
    expect(await ask('work')).toBe('work 1');
  });

  it('does not keep its host alive when it is idle', async () => {
    const script = `
      const { WorkerPool } = await import(${JSON.stringify(new URL('../../src/workers/worker-pool.ts', import.meta.url).href)});
      const start = await import(${JSON.stringify(new URL('../../src/workers/start.ts', import.meta.url).href)});
      const file = new URL(${JSON.stringify(stub.href)});
      const use = {
        start: () => ${kind === 'process' ? "start.startProcess(file, { args: ['well'] })" : 'start.startThread(file)'},
        idleMs: 600_000,
        open: ({ job }, run) => ({
          begin: () => run.send(job),
          receive: ({ text }) => run.resolve(text),
          failure: ({ cause }) => cause,
        }),
      };
      const pool = new WorkerPool(use, { places: { total: 1, reserved: 0 }, closing: () => new Error() });
      if ((await pool.run('work', undefined, 'a')) !== 'work 1') process.exit(3);`;
    const host = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
    try {
      expect(await once(host, 'exit')).toEqual([0, null]);
    } finally {
      host.kill('SIGKILL');
    }
  });
});

describe('a process', () => {
  it('that is killed from outside fails its job, and says so', async () => {
    const { ask, lose, started } = open('process');
    await ask('work');
    const lost = lose('hang');
    process.kill((started[0] as ChildProcess).pid!, 'SIGKILL');
    expect(await lost).toMatchObject({ failure: { kind: 'killed', wasReady: true } });
  });

  it('is sent bytes', async () => {
    const use: Given = {
      open: ({ job }, run) => ({
        begin() {
          run.send(job);
          void run.write(Buffer.from('some bytes'));
        },
        receive: (message) => message.kind === 'answer' && run.resolve(message.text),
        failure: (failure) => new Failed(failure),
      }),
    };
    expect(await open('process', use).ask('bytes')).toBe('some bytes');
  });
});

describe('a pool', () => {
  it('has as many workers as slots, and leaves the reserved ones to other accounts', async () => {
    const { ask, started } = open('thread', { places: { total: 3, reserved: 1 } });
    const cancel = new AbortController();
    const hanging = Promise.allSettled(Array.from({ length: 4 }, () => ask('hang', cancel.signal, 'a')));
    expect(await ask('work', undefined, 'b')).toBe('work 1');
    expect(started).toHaveLength(3);
    cancel.abort();
    expect((await hanging).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  });

  it('gives an account one more worker when its own use much processor time, and another account one at once', async () => {
    const { ask, started } = open('thread', { places: { total: 3, reserved: 0 }, growMs: 1_000 });
    await ask('work');
    const cancel = new AbortController();
    const spinning = [ask('spin', cancel.signal)];
    const waiting = ask('work');
    expect(started).toHaveLength(1);
    expect(await ask('work', undefined, 'b')).toBe('work 1');
    // The worker of the other account is idle now.
    expect(await waiting).toBe('work 2');
    expect(started).toHaveLength(2);
    spinning.push(ask('spin', cancel.signal), ask('spin', cancel.signal));
    await until(() => started.length === 3);
    cancel.abort();
    expect((await Promise.allSettled(spinning)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  });

  it('gives an account no other worker while the first one waits, however long', async () => {
    holdTime();
    const { ask, started } = open('process', { places: { total: 2, reserved: 0 }, growMs: 250 });
    await ask('work');
    const cancel = new AbortController();
    const jobs = Promise.allSettled([ask('hang', cancel.signal), ask('work', cancel.signal)]);
    for (let round = 0; round < 20; round += 1) await vi.advanceTimersByTimeAsync(250);
    expect(started).toHaveLength(1);
    cancel.abort();
    expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('does not count the time in which a worker starts', async () => {
    holdTime();
    const { ask, started, startAs } = open('thread', {
      places: { total: 2, reserved: 0 },
      growMs: 250,
      startMs: 5_000,
    });
    startAs('mute');
    const jobs = Promise.allSettled([ask('work'), ask('work')]);
    for (let passed = 0; passed < 4_900; passed += 100) vi.advanceTimersByTime(100);
    expect(started).toHaveLength(1);
    startAs('well');
    vi.advanceTimersByTime(100);
    expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('gives an account no other worker for many short jobs', async () => {
    holdTime();
    const { ask, started } = open('thread', { places: { total: 3, reserved: 0 }, growMs: 250 });
    const jobs: Promise<unknown>[] = [ask('work'), ask('work')];
    for (let round = 0; round < 5; round += 1) {
      await jobs.shift();
      jobs.push(ask('work'));
      vi.advanceTimersByTime(120);
    }
    await Promise.all(jobs);
    expect(started).toHaveLength(1);
  });

  it('does not check waiting jobs repeatedly when every account gets workers at once', async () => {
    holdTime();
    const { ask } = open('thread', { places: { total: 1, reserved: 0 }, growMs: 0 });
    const cancel = new AbortController();
    const hanging = ask('hang', cancel.signal);
    const timers = vi.getTimerCount();
    const waiting = ask('work', cancel.signal);
    expect(vi.getTimerCount()).toBe(timers);
    cancel.abort();
    expect((await Promise.allSettled([hanging, waiting])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
  });

  it('lets a job wait for an existing worker when the system starts no other', async () => {
    const { ask, started, startAs } = open('thread', { places: { total: 2, reserved: 0 } });
    const first = ask('work');
    startAs('refused');
    expect(await Promise.all([first, ask('work')])).toEqual(['work 1', 'work 2']);
    expect(started).toHaveLength(1);
  });

  it("reports in its owner's words that the system starts no worker", async () => {
    const { lose, startAs } = open('thread', { refused: () => new Error('in its words') });
    startAs('refused');
    expect(await lose('work')).toMatchObject({ message: 'in its words' });
  });
});

/** Ends a worker behind its supervisor's back, and waits until its host knows. */
async function end(worker: ChildProcess | Worker): Promise<void> {
  const gone = once(worker, 'exit');
  if ('terminate' in worker) await worker.terminate();
  else worker.kill('SIGKILL');
  await gone;
}
