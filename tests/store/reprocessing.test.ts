import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import { analysisOf, claim, processToPassages, saveAndProcess } from './contracts/items/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('reprocessing an item', () => {
  const oldText = 'Do one. Do two. Do three. Do four.';
  const newText = 'A new beginning. Do  one. Do three. Do five.';
  let folder: ReturnType<typeof temporaryFolder>;
  let stores: Stores;
  let store: Store;
  let id: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    const clock = new ManualClock();
    stores = await openDataFolder({ folder: folder.path, clock });
    store = await stores.open('local');
    const actions = ['Do one.', 'Do two.', 'Do three.', 'Do four.'];
    id = await saveAndProcess(store, 'a', { text: oldText, actions });
    const [one, two] = (await store.getContent(id))!.actions;
    await store.updateAction(one!.id, { state: 'done' });
    await store.updateAction(two!.id, { state: 'dismissed' });
    await store.reprocess('extract', id);
    clock.advance(60_000);
  });
  afterEach(async () => {
    await stores.close();
    await folder.remove();
  });

  it('replaces untouched records, and relocates those that a person changed', async () => {
    const before = (await store.getContent(id))!.actions;
    const embedding = await processToPassages(store, await claim(store), { text: newText });
    const { documentId } = (await store.readDocument(id))!;
    const quotes = ['Do  one.', 'Do three.', 'Do five.'];
    await store.keepAnalysis(await store.finishEmbedding(embedding), documentId, analysisOf(newText, quotes));
    const after = (await store.getContent(id))!.actions;
    const states = Object.fromEntries(after.map(({ title, state }) => [title, state]));
    expect(states).toEqual({ 'Do one.': 'done', 'Do two.': 'dismissed', 'Do three.': 'open', 'Do five.': 'open' });
    const [one, two, three] = ['Do one.', 'Do two.', 'Do three.'].map((title) => after.find((a) => a.title === title)!);
    expect(one).toEqual({ ...before[0], quote: 'Do  one.', url: '#17', locator: { kind: 'text', start: 17, end: 25 } });
    expect(newText.slice(17, 25)).toBe(one!.quote);
    expect(two).toEqual({ ...before[1], locator: null, url: null, quoteGone: true });
    expect(three).toEqual({ ...before[2], url: '#26', locator: { kind: 'text', start: 26, end: 35 } });
    const five = after.find(({ title }) => title === 'Do five.')!;
    expect(before.map((action) => action.id)).not.toContain(five.id);
    expect(five.createdAt).toBe('2026-01-01T00:01:00.000Z');
  });
});
