import { expect, it } from 'vitest';
import type { Start } from '../../../web/data/records.ts';
import { Store } from '../../../web/data/answers.ts';
import { CallError } from '../../../web/data/calls.ts';

/** A store whose calls are answered by hand, in any order. */
function slowStore() {
  const asked: { operation: string; answer: (value: unknown) => Promise<void>; refuse: () => void }[] = [];
  const call = (operation: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const answer = async (value: unknown): Promise<void> => {
      resolve(value as never);
      await promise;
    };
    asked.push({ operation, answer, refuse: () => reject(new CallError('No.', 400)) });
    return promise;
  };
  const store = new Store({ answers: [], accountId: 'ann' } as unknown as Start, call, null);
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

it('shows a write at once, also of an earlier page, and keeps it when a request that was under way fails', async () => {
  const { store, asked } = slowStore();
  const title = (): unknown => store.get<{ title: string }>('read_item', { id: 'c_1' })?.answer?.title;
  void store.load('read_item', { id: 'c_1' });
  await asked[0]?.answer({ id: 'c_1', title: 'a' });
  let drawn = 0;
  store.listen('read_item', { id: 'c_1' }, () => (drawn += 1));
  const edit = { operation: 'edit_item', input: { id: 'c_1', title: 'b', before: { title: 'a' } } };
  store.kept.set('outbox 1', edit);
  expect(title()).toBe('a');
  store.resume();
  expect([title(), drawn]).toEqual(['b', 1]);
  // Nothing is drawn again for a write that no answer shows.
  void store.write({ operation: 'update_reading', input: { id: 'c_1', position: 1 } });
  expect(drawn).toBe(1);
  await expect.poll(() => asked.length).toBe(2);
  const loading = store.load('read_item', { id: 'c_1' }, true);
  await asked[1]?.answer({});
  await expect.poll(() => store.waiting.map(([, { operation }]) => operation)).toEqual(['update_reading']);
  asked[2]?.refuse();
  await loading;
  expect(title()).toBe('b');
});
