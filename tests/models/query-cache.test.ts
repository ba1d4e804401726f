import { expect, it } from 'vitest';
import { withCpuShare } from '../../src/models/embedding/cpu-share.ts';
import type { Embedder } from '../../src/models/embedding/embedder.ts';
import { withQueryCache } from '../../src/models/embedding/query-cache.ts';
import { ManualClock } from '../support/clock.ts';

const never = new AbortController().signal;

function counting(asked: string[], embedPassages: Embedder['embedPassages'] = () => Promise.resolve([])): Embedder {
  return {
    id: 'e',
    dimensions: 1,
    languages: null,
    embedPassages,
    embedQuery: async (text) => {
      asked.push(text);
      if (text === 'broken') throw new Error('broken');
      return Float32Array.of(text.length);
    },
    close: async () => undefined,
  };
}

it('a question that was asked a while ago costs nothing, one that was asked long ago is embedded again', async () => {
  const asked: string[] = [];
  const embedder = withQueryCache(counting(asked), 2);
  for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) {
    expect(await embedder.embedQuery(text, never)).toEqual(Float32Array.of(text.length));
  }
  expect(asked).toEqual(['a', 'bb', 'ccc', 'bb']);
});

it('a question that failed is tried again; a cancelled one is not answered', async () => {
  const asked: string[] = [];
  const embedder = withQueryCache(counting(asked));
  await expect(embedder.embedQuery('broken', never)).rejects.toThrow('broken');
  await expect(embedder.embedQuery('broken', never)).rejects.toThrow('broken');
  expect(asked).toHaveLength(2);
  await embedder.embedQuery('a', never);
  await expect(embedder.embedQuery('a', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});

it('vectors of another id are not given', async () => {
  const asked: string[] = [];
  const changing = { ...counting(asked), id: 'first' };
  const embedder = withQueryCache(changing);
  await embedder.embedQuery('a', never);
  changing.id = 'second';
  expect(embedder.id).toBe('second');
  await embedder.embedQuery('a', never);
  expect(asked).toEqual(['a', 'a']);
});

it('passages take their share of the time, whoever asks for them, and questions all that they need', async () => {
  const clock = new ManualClock();
  const asked: string[] = [];
  const began: number[] = [];
  const slow = counting(asked, async (texts) => {
    began.push(clock.now());
    expect(texts).toHaveLength(1);
    clock.advance(100);
    return [Float32Array.of(1)];
  });
  const embedder = withCpuShare(slow, 25, clock);
  const start = clock.now();
  const calls = Promise.all([embedder.embedPassages(['a', 'b'], never), embedder.embedPassages(['c'], never)]);
  for (let passage = 0; passage < 3; passage += 1) {
    await clock.untilAsleep(300);
    await embedder.embedQuery('question', never);
    clock.advance(300);
  }
  expect((await calls).flat()).toHaveLength(3);
  expect(began.map((at) => at - start)).toEqual([0, 400, 800]);
  expect(asked).toHaveLength(3);
  expect(withCpuShare(slow, 100, clock)).toBe(slow);
});

it('each of several processors takes its share', async () => {
  const clock = new ManualClock();
  const began: number[] = [];
  const start = clock.now();
  const slow = counting([], async () => {
    began.push(clock.now() - start);
    await clock.sleep(100);
    return [Float32Array.of(1)];
  });
  const call = withCpuShare(slow, 50, clock, 2).embedPassages(['a', 'b', 'c', 'd'], never);
  // Two work and rest, and then the other two.
  for (let step = 0; step < 4; step += 1) {
    while (clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(100);
  }
  expect(await call).toHaveLength(4);
  expect(began).toEqual([0, 0, 200, 200]);
});

it('a call that is cancelled while it rests lets the others go on', async () => {
  const clock = new ManualClock();
  const slow = counting([], async () => {
    clock.advance(100);
    return [Float32Array.of(1)];
  });
  const embedder = withCpuShare(slow, 50, clock);
  const cancel = new AbortController();
  const cancelled = embedder.embedPassages(['a', 'b'], cancel.signal);
  const other = embedder.embedPassages(['c'], never);
  await clock.untilAsleep(100);
  cancel.abort(new Error('enough'));
  await expect(cancelled).rejects.toThrow('enough');
  await clock.untilAsleep(100);
  clock.advance(100);
  expect(await other).toHaveLength(1);
});
