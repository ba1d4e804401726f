import { expect, test } from 'vitest';
import { EmbeddingQueue, type EmbeddingCall } from '../../src/models/embedding/embedding-queue.ts';

const vectorOf = (name: string): Float32Array => Float32Array.from(name, (letter) => letter.charCodeAt(0));

function open(passages: number, isQueryBeside: boolean) {
  const queue = new EmbeddingQueue({ passages, isQueryBeside });
  const add = (kind: EmbeddingCall['kind'], names: string, accountId = 'a') => {
    const texts = [...names].map((text) => ({ text }));
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const call = queue.add({ kind, accountId, texts, resolve, reject });
    return { call, promise };
  };
  const given = new Map<string, number>();
  /** Gives the model all it takes, and returns the names of these texts. */
  const give = (): string => {
    let names = '';
    for (let next = queue.next(); next !== undefined; next = queue.next()) {
      given.set(next.text, next.id);
      names += next.text;
    }
    return names;
  };
  const answer = (name: string): void => queue.answer(given.get(name) ?? 0, vectorOf(name));
  return { queue, add, give, answer };
}

test('several texts of a call are embedded at once, and their vectors keep the order of the texts', async () => {
  const { add, give, answer, queue } = open(2, true);
  const { promise } = add('passages', 'abc');
  expect(give()).toBe('ab');
  answer('b');
  expect(give()).toBe('c');
  answer('c');
  answer('a');
  expect(await promise).toEqual(['a', 'b', 'c'].map(vectorOf));
  expect(queue.isEmpty).toBe(true);
});

test('a query is processed beside passages when the model supports it, one at a time', () => {
  const { add, give, answer } = open(2, true);
  add('passages', 'abcd');
  expect(give()).toBe('ab');
  add('query', 'Q');
  add('query', 'R');
  expect(give()).toBe('Q');
  answer('Q');
  expect(give()).toBe('R');
});

test('accounts take turns, text by text', () => {
  const { add, give, answer } = open(1, true);
  add('passages', 'abc', 'one');
  add('passages', 'xyz', 'other');
  let order = '';
  for (let name = give(); name !== ''; name = give()) {
    order += name;
    answer(name);
  }
  expect(order).toBe('axbycz');
});
