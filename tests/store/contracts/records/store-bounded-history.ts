import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/domain/clock.ts';
import { scopes } from '../../../../src/domain/records/account.ts';
import { maxTags } from '../../../../src/domain/records/limits.ts';
import { type ChangeFace, newChange } from '../../../../src/domain/records/change.ts';
import type { HistoryLimits } from '../../../../src/store/history.ts';
import { maxBetweenWritesMs } from '../../../../src/store/history/recording.ts';
import type { Store, Stores } from '../../../../src/store/store.ts';
import { ManualClock } from '../../../support/clock.ts';
import { saving } from '../items/store-items.ts';

const url = 'https://example.com/';
const dayMs = 24 * 60 * 60_000;
const items = 45;

const tags = (of: string) => Array.from({ length: maxTags }, (_, at) => `${of} ${at}`);

export interface BoundedHistoryEngine {
  /** Opens new, empty storage. */
  open(clock: Clock, history: HistoryLimits): Promise<Stores>;
  /** Takes away what `open` made, after it was closed. */
  remove(): Promise<void>;
}

/** What pruning must leave alone while a change of several parts is undone. */
export function boundedHistoryContract(createEngine: () => BoundedHistoryEngine): void {
  describe('pruned history', () => {
    const clock = new ManualClock();
    let engine: BoundedHistoryEngine;
    let stores: Stores;
    let store: Store;
    /** The first item that the large change touches, and the last. */
    let first: string;
    let last: string;

    const open = async (history: HistoryLimits) => {
      stores = await engine.open(clock, history);
      store = await stores.open('local');
      first = (await store.saveContent(saving(`${url}first`, { tags: tags('first') }))).id;
      last = (await store.saveContent(saving(`${url}last`))).id;
    };

    beforeEach(() => {
      engine = createEngine();
    });
    afterEach(async () => {
      await stores.close();
      await engine.remove();
    });

    const as = async (operation: string, face: ChangeFace = 'cli') => {
      const change = newChange({ face, by: null, operation, scopes: ['content:write'] });
      return { id: change.id, change, store: await stores.open({ account: 'local', change }) };
    };

    const importedItem = (at: number) => ({
      url: `${url}${at}`,
      canonicalUrl: `${url}${at}`,
      title: null,
      tags: tags('imported'),
      notes: null,
      createdAt: at,
    });

    /** A change of more rows than are undone in one write: those of `last` are in the first part, those of `first` in the last. */
    const makeLargeChange = async () => {
      const { id, store: writer } = await as('import');
      await writer.updateContent(first, { tags: [] });
      await writer.importContent(Array.from({ length: items }, (_, at) => importedItem(at)));
      await writer.updateContent(last, { tags: tags('last') });
      return id;
    };

    const undo = async (id: string) => {
      const undoing = await as('undo');
      const outcome = await undoing.store.undo(id, { force: false });
      return { id: undoing.change.id, outcome };
    };

    const prune = async () => {
      // Changes that were just written to may go on, and stay.
      clock.advance(maxBetweenWritesMs);
      while (await store.maintain());
    };

    const ids = async () =>
      (await store.listHistory({ scopes, limit: 100, offset: 0 }))!.items.map(({ id }) => id).toReversed();

    const total = async () => (await store.listContent({ limit: 1, offset: 0 })).total;

    /** Undoes a change whose last part fails, because an item has other tags meanwhile. */
    const interruptUndo = async (id: string, item: string) => {
      await store.updateContent(item, { tags: tags('other') });
      await expect(undo(id)).rejects.toMatchObject({ code: 'invalid_input' });
      const { id: later, store: writer } = await as('update_content');
      await writer.updateContent(item, { tags: [] });
      return later;
    };

    it('an entry being removed in several writes is no longer shown or undone', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 1_000 });
      const change = await makeLargeChange();
      const later = await as('update_content');
      await later.store.updateContent(last, { notes: 'later' });
      clock.advance(maxBetweenWritesMs);
      expect(await store.maintain()).toBe(true);
      expect(await store.hasMaintenance()).toBe(true);
      expect(await ids()).toEqual([later.id]);
      expect((await undo(change)).outcome).toBeNull();
    });

    it('a change still under way is kept and undone as a whole', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 1_000 });
      const importing = await as('import');
      for (const at of [1, 2, 3]) {
        await importing.store.importContent([importedItem(at)]);
        const later = await as('update_content');
        await later.store.updateContent(last, { notes: `${at}` });
        clock.advance(maxBetweenWritesMs - 1);
        while (await store.maintain());
      }
      expect((await undo(importing.id)).outcome).toMatchObject({ outcome: 'undone', conflictsTotal: 0 });
      expect(await total()).toBe(2);
    });

    it('of two changes, the one written to last is kept', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 1_000 });
      const importing = await as('import');
      await importing.store.importContent([importedItem(1)]);
      const other = await as('update_content');
      await other.store.updateContent(first, { tags: [] });
      clock.advance(1_000);
      await importing.store.importContent([importedItem(2)]);
      await prune();
      expect(await ids()).toEqual([importing.id]);
    });

    it('a change without its beginning is never undone in part', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 1_000 });
      const importing = await as('import');
      await importing.store.importContent([importedItem(1)]);
      const later = await as('update_content');
      await later.store.updateContent(last, { notes: 'later' });
      await prune();
      await importing.store.importContent([importedItem(2)]);
      expect(await ids()).toEqual([later.id]);
      expect((await undo(importing.id)).outcome).toBeNull();
      expect(await total()).toBe(4);
    });

    it('an interrupted undo is finished by the same call, however large the history', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 1_000 });
      const before = await as('update_content');
      await before.store.updateContent(last, { notes: 'before' });
      const change = await makeLargeChange();
      const later = await interruptUndo(change, first);
      const there = await total();
      expect(there).toBeGreaterThan(2);
      expect(there).toBeLessThan(items + 2);
      await prune();
      const kept = await ids();
      expect(kept).toEqual([change, expect.any(String), later]);
      const { id: undone, outcome } = await undo(change);
      expect(outcome).toMatchObject({ outcome: 'undone', conflictsTotal: 0 });
      // It is one change with the part that was undone before.
      expect(undone).toBe(kept[1]);
      expect(await ids()).toEqual(kept);
      expect(await total()).toBe(2);
      expect((await store.getContentSummary(first))?.tags).toEqual(tags('first'));
      clock.advance(1_000);
      expect((await undo(undone)).outcome).toMatchObject({ outcome: 'undone', conflictsTotal: 0 });
      expect(await total()).toBe(items + 2);
    });

    it('the undo of a large change reports how many rows are undone', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER });
      const change = await makeLargeChange();
      const told: [number, number][] = [];
      const undoing = await as('undo');
      const outcome = await undoing.store.undo(change, { force: false, onProgress: (...now) => told.push(now) });
      const [atStart, inBetween] = told;
      expect(outcome).toMatchObject({ outcome: 'undone', conflictsTotal: 0 });
      expect(told.length).toBeGreaterThan(2);
      expect(atStart).toEqual([0, outcome?.rows]);
      expect(inBetween?.[0]).toBeGreaterThan(0);
      expect(inBetween?.[0]).toBeLessThan(outcome?.rows ?? 0);
      expect(told.at(-1)).toEqual([outcome?.rows, outcome?.rows]);
    });

    it('an undo finished by another caller is a separate change', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 1e9 });
      const change = await makeLargeChange();
      await interruptUndo(change, first);
      const before = await ids();
      const finishing = await as('undo', 'page');
      expect(await finishing.store.undo(change, { force: false })).toMatchObject({ outcome: 'undone' });
      expect(await ids()).toEqual([...before, finishing.id]);
      expect(await total()).toBe(2);
    });

    it('two concurrent calls that undo a large change make one change', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 1e9 });
      const change = await makeLargeChange();
      const before = await ids();
      const both = await Promise.all([undo(change), undo(change)]);
      expect(new Set(both.map(({ outcome }) => outcome?.outcome))).toEqual(new Set(['undone', 'undone_before']));
      expect((await ids()).length).toBeLessThanOrEqual(before.length + 1);
      expect(await total()).toBe(2);
    });

    it('two concurrent calls that redo a large change make one change', async () => {
      await open({ keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 1_000 });
      const { id: undone } = await undo(await makeLargeChange());
      await prune();
      expect(await ids()).toEqual([undone]);
      const later = await interruptUndo(undone, last);
      await prune();
      expect(await ids()).toEqual([undone, expect.any(String), later]);
      expect((await undo(undone)).outcome).toMatchObject({ outcome: 'undone', conflictsTotal: 0 });
      expect(await total()).toBe(items + 2);
      expect((await store.getContentSummary(last))?.tags).toEqual(tags('last'));
    });

    it('a change being undone is as old as its undo', async () => {
      await open({ keptMs: 30 * dayMs, maxBytes: 1e9 });
      const pass = async (days: number) => {
        for (let day = 0; day < days; day += 1) {
          clock.advance(dayMs);
          await store.updateContent(last, { notes: null });
        }
        await prune();
      };
      const change = await makeLargeChange();
      await pass(29);
      const later = await interruptUndo(change, first);
      await pass(29);
      expect(await ids()).toEqual([change, expect.any(String), later]);
      await pass(2);
      expect(await ids()).toEqual([]);
      expect((await undo(change)).outcome).toBeNull();
    });
  });
}
