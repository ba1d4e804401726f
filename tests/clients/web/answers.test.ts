import { expect, it } from 'vitest';
import type { Start } from '../../../web/data/records.ts';
import { Store } from '../../../web/data/answers.ts';

/** A store whose calls are answered by hand, in any order. */
function slowStore() {
  const asked: { operation: string; answer: (value: unknown) => Promise<void> }[] = [];
  const call = (operation: string) => {
    const { promise, resolve } = Promise.withResolvers<never>();
    const answer = async (value: unknown): Promise<void> => {
      resolve(value as never);
      await promise;
    };
    asked.push({ operation, answer });
    return promise;
  };
  const store = new Store({ answers: [] } as unknown as Start, call, null);
  return { store, asked, shown: () => store.get('list', {})?.answer };
}

it('repeats a request that was under way when something changed', async () => {
  const { store, asked, shown } = slowStore();
  store.listen('list', {}, () => undefined);
  void store.load('list', {});
  store.refresh('list');
  store.refresh('list', 'other');
  expect(asked).toHaveLength(1);
  await asked[0]?.answer('from before the change');
  expect(asked).toHaveLength(2);
  await asked[1]?.answer('from after it');
  expect([shown(), asked.length]).toEqual(['from after it', 2]);
  store.refresh('list');
  await asked[2]?.answer('once more');
  expect([shown(), asked.length]).toEqual(['once more', 3]);
});

it('drops an answer for something no longer shown', async () => {
  const { store, asked, shown } = slowStore();
  const stop = store.listen('list', {}, () => undefined);
  void store.load('list', {});
  stop();
  store.refresh('list');
  void store.load('list', {});
  await asked[0]?.answer('from before the change');
  expect(shown()).toBeUndefined();
  await asked[1]?.answer('from after it');
  expect(shown()).toBe('from after it');
});
