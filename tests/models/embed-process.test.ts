import { once } from 'node:events';
import { fork, type ChildProcess } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { ProcessingError } from '../../src/errors.ts';
import { createLog } from '../../src/workers/log.ts';
import { createMiniLm, type MiniLm } from '../../src/models/embedding/minilm/minilm.ts';

/*
 * The host's side against a process that speaks the same messages: its vectors are the text's length and a counter of
 * the texts it has answered, and some texts make it misbehave.
 */
const stub = new URL('./embed-stub.ts', import.meta.url);

const never = new AbortController().signal;

interface Workers {
  embedder: MiniLm;
  workers: ChildProcess[];
  /** What the stub is told at its start, from now on. */
  startAs(way: 'mute' | 'dies' | 'well'): void;
}

async function withWorkers(idleMs: number, use: (threads: Workers) => Promise<void>): Promise<void> {
  const workers: ChildProcess[] = [];
  let atStart: Parameters<Workers['startAs']>[0] = 'well';
  const startWorker = (): ChildProcess => {
    const worker = fork(stub, [atStart], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    workers.push(worker);
    return worker;
  };
  const embedder = createMiniLm({ idleMs, log: createLog('silent'), startWorker });
  try {
    await use({ embedder, workers, startAs: (way) => (atStart = way) });
  } finally {
    await embedder.close();
  }
}

/** Only the host's own timers stand still; processes live in real time. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}
afterEach(() => void vi.useRealTimers());

test.each([
  ['at once', 'throw'],
  ['by an event', 'event'],
])('a process that the system cannot start is reported as a limit of the machine, %s', async (_, how) => {
  let refused = 1;
  const startWorker = (): ChildProcess => {
    refused -= 1;
    const error = Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' });
    if (refused >= 0 && how === 'throw') throw error;
    const worker = fork(stub, ['well'], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    if (refused >= 0) setImmediate(() => worker.emit('error', error));
    return worker;
  };
  const embedder = createMiniLm({ idleMs: 60_000, log: createLog('silent'), startWorker });
  await expect(embedder.embedPassages(['a'], never)).rejects.toMatchObject({ code: 'machine_limit', retryable: true });
  expect(await embedder.embedPassages(['a'], never)).toHaveLength(1);
  await embedder.close();
});

test('an idle model can be unloaded, and the next text loads it again', async () => {
  await withWorkers(60_000, async ({ embedder, workers }) => {
    embedder.unload?.();
    const texts = ['one', 'two', 'three'];
    const working = embedder.embedPassages(texts, never);
    embedder.unload?.();
    expect(await working).toHaveLength(texts.length);
    expect(workers).toHaveLength(1);
    const gone = once(workers[0]!, 'exit');
    embedder.unload?.();
    await gone;
    expect(await embedder.embedPassages(['four'], never)).toEqual([Float32Array.of(4, 1)]);
    expect(workers).toHaveLength(2);
  });
});

test('a query overtakes waiting passages and waits for at most one text', async () => {
  await withWorkers(60_000, async ({ embedder }) => {
    const order: string[] = [];
    const first = embedder.embedPassages(Array(50).fill('passage'), never).then((vectors) => {
      order.push('first passages');
      return vectors;
    });
    const second = embedder.embedPassages(['passage'], never).then(() => order.push('second passages'));
    const query = embedder.embedQuery('query', never).then((vector) => {
      order.push('query');
      return vector;
    });
    const [vectors, , [, served]] = await Promise.all([first, second, query]);
    expect(order).toEqual(['query', 'first passages', 'second passages']);
    expect(served).toBe(1);
    expect(vectors.at(-1)?.[1]).toBe(51);
  });
});

test('cancelling rejects at once with its reason and drops the queued texts', async () => {
  await withWorkers(60_000, async ({ embedder }) => {
    const cancel = new AbortController();
    const reason = new Error('not needed any more');
    const cancelled = embedder.embedPassages(Array(1_000).fill('passage'), cancel.signal);
    const kept = embedder.embedPassages(['kept'], never);
    cancel.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    const [[, served] = []] = await kept;
    expect(served).toBeLessThanOrEqual(2);
    await expect(embedder.embedQuery('late', cancel.signal)).rejects.toBe(reason);
  });
});

test('the answer to a cancelled text in progress is dropped', async () => {
  await withWorkers(60_000, async ({ embedder, workers }) => {
    const cancel = new AbortController();
    const cancelled = embedder.embedQuery('a cancelled text', cancel.signal);
    await once(workers[0]!, 'message');
    cancel.abort(new Error('not needed any more'));
    await expect(cancelled).rejects.toThrow('not needed any more');
    const [size] = await embedder.embedQuery('kept', never);
    expect(size).toBe(4);
  });
});

test.each(['exit', 'throw'])(
  'a process that ends (%s) fails the current call with a reason, and another takes the waiting ones',
  async (how) => {
    await withWorkers(60_000, async ({ embedder, workers }) => {
      await embedder.embedQuery('fine', never);
      const calls = [embedder.embedPassages([how, 'more'], never), embedder.embedPassages(['waiting'], never)];
      const [broken, waited] = await Promise.allSettled(calls);
      expect(broken).toMatchObject({ status: 'rejected', reason: { code: 'embedding_failed', retryable: true } });
      expect((broken as PromiseRejectedResult).reason).toBeInstanceOf(ProcessingError);
      expect(waited).toEqual({ status: 'fulfilled', value: [Float32Array.of(7, 1)] });
      expect(workers).toHaveLength(2);
    });
  },
);

test('passages overtaken by a query keep their results when its text ends the process', async () => {
  await withWorkers(60_000, async ({ embedder, workers }) => {
    await embedder.embedQuery('fine', never);
    const passages = embedder.embedPassages(['one', 'three'], never);
    await expect(embedder.embedQuery('exit', never)).rejects.toMatchObject({ code: 'embedding_failed' });
    expect(await passages).toEqual([Float32Array.of(3, 2), Float32Array.of(5, 1)]);
    expect(workers).toHaveLength(2);
  });
});

test('a hanging process is ended after half a minute, and another takes the waiting calls', async () => {
  holdTime();
  await withWorkers(600_000, async ({ embedder, workers }) => {
    await embedder.embedQuery('fine', never);
    const hanging = embedder.embedPassages(['hang', 'more'], never).catch((error: unknown) => error);
    const waiting = embedder.embedQuery('waiting', never);
    const exited = once(workers[0]!, 'exit');
    vi.advanceTimersByTime(29_999);
    expect(workers).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(await hanging).toMatchObject({ code: 'embedding_failed', retryable: true });
    expect(await waiting).toEqual(Float32Array.of(7, 1));
    expect(await exited).toEqual([null, 'SIGKILL']);
  });
});

test.each(['mute', 'well'] as const)(
  'the first text after a start has a minute, loading included (%s)',
  async (how) => {
    holdTime();
    await withWorkers(600_000, async ({ embedder, workers, startAs }) => {
      startAs(how);
      const hanging = embedder.embedQuery('hang', never).catch((error: unknown) => error);
      if (how === 'well') await once(workers[0]!, 'message');
      const exited = once(workers[0]!, 'exit');
      vi.advanceTimersByTime(59_999);
      expect(workers[0]!.killed).toBe(false);
      vi.advanceTimersByTime(1);
      expect(await hanging).toMatchObject({ code: 'embedding_failed', retryable: true });
      expect(await exited).toEqual([null, 'SIGKILL']);
      startAs('well');
      expect(await embedder.embedQuery('again', never)).toEqual(Float32Array.of(5, 1));
    });
  },
);

test('each text has its own timeout, which an answer in time clears', async () => {
  holdTime();
  await withWorkers(600_000, async ({ embedder, workers }) => {
    await embedder.embedQuery('one', never);
    vi.advanceTimersByTime(29_999);
    await embedder.embedQuery('two', never);
    vi.advanceTimersByTime(120_000);
    expect(await embedder.embedQuery('three', never)).toEqual(Float32Array.of(5, 3));
    expect(workers).toHaveLength(1);
  });
});

test('a process that hangs on an abandoned text is ended too', async () => {
  holdTime();
  await withWorkers(600_000, async ({ embedder, workers }) => {
    await embedder.embedQuery('fine', never);
    const cancel = new AbortController();
    const cancelled = embedder.embedQuery('hang', cancel.signal);
    cancel.abort(new Error('not needed any more'));
    await expect(cancelled).rejects.toThrow('not needed any more');
    const waiting = embedder.embedQuery('kept', never);
    vi.advanceTimersByTime(30_000);
    expect(await waiting).toEqual(Float32Array.of(4, 1));
    expect(workers).toHaveLength(2);
  });
});

test('a process that ends while loading fails all waiting calls without another start', async () => {
  await withWorkers(60_000, async ({ embedder, workers, startAs }) => {
    startAs('dies');
    const calls = [embedder.embedQuery('a', never), embedder.embedPassages(['b'], never)];
    const failed = { status: 'rejected', reason: { code: 'embedding_failed', retryable: true } };
    expect(await Promise.allSettled(calls)).toMatchObject([failed, failed]);
    expect(workers).toHaveLength(1);
  });
});

const cannotRun = { code: 'embedding_failed', retryable: false, message: expect.stringContaining('--embedder none') };

test('after three starts without an answer, calls are refused for a minute without a start', async () => {
  holdTime();
  await withWorkers(600_000, async ({ embedder, workers, startAs }) => {
    const ask = (text: string): Promise<unknown> => embedder.embedQuery(text, never).catch((error: unknown) => error);
    startAs('dies');
    expect(await ask('a')).toMatchObject({ code: 'embedding_failed', retryable: true });
    expect(await ask('b')).toMatchObject({ code: 'embedding_failed', retryable: true });
    expect(await Promise.all([ask('c'), ask('d')])).toMatchObject([cannotRun, cannotRun]);
    expect(workers).toHaveLength(3);

    vi.advanceTimersByTime(59_999);
    expect(await ask('refused')).toMatchObject(cannotRun);
    expect(workers).toHaveLength(3);

    vi.advanceTimersByTime(1);
    expect(await ask('one more start')).toMatchObject(cannotRun);
    expect(await ask('refused again')).toMatchObject(cannotRun);
    expect(workers).toHaveLength(4);

    vi.advanceTimersByTime(60_000);
    startAs('well');
    expect(await ask('fine')).toEqual(Float32Array.of(4, 1));
    startAs('dies');
    expect(await ask('exit')).toMatchObject({ code: 'embedding_failed', retryable: true });
    expect(await ask('counted again')).toMatchObject({ code: 'embedding_failed', retryable: true });
  });
});

test('texts that end their process after earlier answers never disable the model', async () => {
  await withWorkers(60_000, async ({ embedder, workers }) => {
    for (let round = 0; round < 5; round += 1) {
      expect(await embedder.embedQuery('fine', never)).toEqual(Float32Array.of(4, 1));
      await expect(embedder.embedQuery('exit', never)).rejects.toMatchObject({ retryable: true });
    }
    expect(workers).toHaveLength(5);
  });
});

test('closing ends the process and rejects waiting and later calls', async () => {
  await withWorkers(60_000, async ({ embedder, workers }) => {
    const waiting = Promise.allSettled([embedder.embedPassages(['hang'], never)]);
    const exited = once(workers[0]!, 'exit');
    await embedder.close();
    expect(await waiting).toMatchObject([{ reason: { code: 'interrupted', retryable: true } }]);
    await exited;
    await expect(embedder.embedQuery('late', never)).rejects.toMatchObject({ code: 'interrupted' });
    expect(workers).toHaveLength(1);
  });
});

test('a preloaded model answers the first text and is not started twice', async () => {
  await withWorkers(60_000, async ({ embedder, workers }) => {
    expect(embedder.isLoading).toBe(true);
    embedder.load?.();
    embedder.load?.();
    await once(workers[0]!, 'message');
    expect(embedder.isLoading).toBe(false);
    expect(await embedder.embedQuery('fine', never)).toEqual(Float32Array.of(4, 1));
    embedder.load?.();
    expect(workers).toHaveLength(1);
  });
});

test('a preloaded model is released when no text comes', async () => {
  await withWorkers(1, async ({ embedder, workers }) => {
    embedder.load?.();
    await once(workers[0]!, 'exit');
    expect(embedder.isLoading).toBe(true);
    expect(await embedder.embedQuery('fine', never)).toEqual(Float32Array.of(4, 1));
  });
});

test('the timeout for loading ends when the model has loaded, even without a text', async () => {
  holdTime();
  await withWorkers(600_000, async ({ embedder, workers }) => {
    embedder.load?.();
    await once(workers[0]!, 'message');
    vi.advanceTimersByTime(120_000);
    expect(await embedder.embedQuery('fine', never)).toEqual(Float32Array.of(4, 1));
    const hanging = embedder.embedQuery('hang', never).catch((error: unknown) => error);
    vi.advanceTimersByTime(30_000);
    expect(await hanging).toMatchObject({ code: 'embedding_failed', retryable: true });
    expect(workers).toHaveLength(1);
  });
});
