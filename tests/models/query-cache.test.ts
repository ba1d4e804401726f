import { expect, it } from 'vitest';
import type { Embedder } from '../../src/models/embedding/embedder.ts';
import { withQueryCache } from '../../src/models/embedding/query-cache.ts';

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

it('a recent question costs nothing, and an old one is embedded again', async () => {
  const asked: string[] = [];
  const embedder = withQueryCache(counting(asked), 2);
  for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) {
    expect(await embedder.embedQuery(text, never)).toEqual(Float32Array.of(text.length));
  }
  expect(asked).toEqual(['a', 'bb', 'ccc', 'bb']);
});

it('a failed question is retried, and a cancelled one is not answered', async () => {
  const asked: string[] = [];
  const embedder = withQueryCache(counting(asked));
  await expect(embedder.embedQuery('broken', never)).rejects.toThrow('broken');
  await expect(embedder.embedQuery('broken', never)).rejects.toThrow('broken');
  expect(asked).toHaveLength(2);
  await embedder.embedQuery('a', never);
  await expect(embedder.embedQuery('a', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});

it('vectors of another embedder id are not returned', async () => {
  const asked: string[] = [];
  const changing = { ...counting(asked), id: 'first' };
  const embedder = withQueryCache(changing);
  await embedder.embedQuery('a', never);
  changing.id = 'second';
  expect(embedder.id).toBe('second');
  await embedder.embedQuery('a', never);
  expect(asked).toEqual(['a', 'a']);
});
