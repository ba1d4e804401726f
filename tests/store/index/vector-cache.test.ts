import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RankedPassage } from '../../../src/domain/records/texts/passage.ts';
import { accountSchema } from '../../../src/store/sqlite/schema.ts';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { indexMethods } from '../../../src/app/index-methods.ts';
import { createSearchReads } from '../../../src/store/sqlite/index/index-reader.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { VectorMemories } from '../../../src/store/sqlite/index/vector-cache/vector-memories.ts';
import {
  createRows,
  freeOfThread,
  retireRows,
  rowsPerBlock,
  rowsState,
  stateOfRows,
} from '../../../src/store/sqlite/index/vector-cache/shared-vector-layout.ts';
import { VectorRows } from '../../../src/store/sqlite/index/vector-cache/vector-rows.ts';
import type { PassageFilter } from '../../../src/store/records/search-records.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { passageIds, saveAndProcess } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { forAllAsync } from '../../support/for-all.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { listPassages } from '../../support/store/store-reads.ts';

const unit = (components: readonly number[]): Float32Array => {
  const length = Math.hypot(...components);
  return Float32Array.from(components, (component) => component / length);
};

/** The same cosines at the same places, and each passage with its own. */
function expectSame(found: readonly RankedPassage[], exact: readonly RankedPassage[], all: readonly RankedPassage[]) {
  const scores = new Map(all.map(({ passageId, score }) => [passageId, score]));
  const items = new Map(all.map(({ passageId, contentId }) => [passageId, contentId]));
  expect(found).toHaveLength(exact.length);
  expect(new Set(passageIds(found)).size).toBe(found.length);
  for (const [place, { passageId, contentId, score }] of found.entries()) {
    expect(Math.abs(score - exact[place]!.score)).toBeLessThan(2e-6);
    expect(Math.abs(score - (scores.get(passageId) ?? NaN))).toBeLessThan(2e-6);
    expect(contentId).toBe(items.get(passageId));
  }
}

describe('vectors in memory', () => {
  const clock = new ManualClock();
  let folder: ReturnType<typeof temporaryFolder>;
  let opened: Stores[];
  let inMemory: Store;
  /** Searches in the file, and writes as another process does. */
  let inFile: Store;

  const open = async (vectors: { maxBytes?: number; few?: number }): Promise<Store> => {
    const stores = await openDataFolder({ folder: folder.path, clock, vectors });
    opened.push(stores);
    return stores.open('local');
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    opened = [];
    inMemory = await open({ few: 0 });
    inFile = await open({ maxBytes: 0 });
  });
  afterEach(async () => {
    for (const stores of opened) await stores.close();
    await folder.remove();
  });

  const save = async (name: string, passages: number, tags: string[] = []) => {
    const text = `${name} `.repeat(passages).slice(0, passages * 4);
    return saveAndProcess(inFile, name, { text, passageLength: 4, save: { tags } });
  };
  const passagesOf = async (id: string) => passageIds(await listPassages(inFile, id));
  const expectSameAs = async (
    store: Store,
    embedder: string,
    query: Float32Array,
    filter: PassageFilter,
    limit: number,
  ) => {
    const exact = await inFile.searchVectors(embedder, query, filter, limit);
    const all = await inFile.searchVectors(embedder, query, filter, 100_000);
    expectSame(await store.searchVectors(embedder, query, filter, limit), exact, all);
  };

  const component = fc.integer({ min: -9, max: 9 });
  const vector = fc
    .array(component, { minLength: 5, maxLength: 5 })
    .filter((components) => components.some((one) => one !== 0))
    .map(unit);
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('keep' as const),
        passages: fc.array(fc.nat({ max: 35 }), { minLength: 1, maxLength: 12 }),
        vector,
        embedder: fc.constantFrom('e', 'e', 'f'),
        here: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), item: fc.nat({ max: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), item: fc.nat({ max: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('embed' as const), item: fc.nat({ max: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const) }) },
  );
  const filters: PassageFilter[] = [
    {},
    { items: { tag: 'even' } },
    { phrases: ['fox'] },
    { excluded: ['fox', 'owl'] },
    { items: { tag: 'even' }, excluded: ['fox'] },
    { items: { tag: 'nowhere' } },
  ];

  it('match the file after any change, here and in another process', async () => {
    const items = [await save('fox', 12, ['even']), await save('owl', 12), await save('elk', 12, ['even'])];
    const passages = (await Promise.all(items.map(passagesOf))).flat();
    expect(passages).toHaveLength(36);
    const log = new Database(join(folder.path, 'accounts', 'local.db'));
    await forAllAsync(25, fc.array(step, { minLength: 1, maxLength: 8 }), vector, async (steps, query) => {
      for (const each of steps) {
        if (each.kind === 'keep') {
          const kept = each.passages.map((at, turn) => ({
            passageId: passages[at]!,
            vector: unit([...each.vector].map((one, index) => one + (index === turn % 5 ? turn : 0) + 0.01)),
          }));
          await (each.here ? inMemory : inFile).keepVectors(each.embedder, kept);
        } else if (each.kind === 'delete') await inFile.deleteContent(items[each.item]!);
        else if (each.kind === 'restore') await inMemory.restoreContent(items[each.item]!);
        else if (each.kind === 'embed') await inFile.reprocess('embed', items[each.item]!);
        else log.exec('DELETE FROM vector_changes');
        for (const embedder of ['e', 'f']) {
          for (const filter of filters) await expectSameAs(inMemory, embedder, query, filter, 7);
        }
      }
    });
    log.close();
  });

  const keepMany = async (store: Store, passages: readonly number[], turn: number) =>
    store.keepVectors(
      'e',
      passages.map((passageId) => ({ passageId, vector: unit([Math.sin(passageId * turn), 1, passageId % 7]) })),
    );

  const openFile = () =>
    SqliteFile.open({
      path: join(folder.path, 'accounts', 'local.db'),
      schema: accountSchema,
      readOnly: true,
      extend: loadVectorFunctions,
    });
  const query = unit([1, 2, 3]);
  /** Searches as a thread does that was given these memories. */
  const searchIn = async (memories: VectorMemories, limit = 50) => {
    const file = openFile();
    try {
      const memory = memories.get('local', 'e', query.length);
      const reads = createSearchReads(indexMethods());
      const found = reads.searchVectors(file, null, 'e', query, {}, limit, memory);
      const exact = await inFile.searchVectors('e', query, {}, limit);
      expectSame(found, exact, await inFile.searchVectors('e', query, {}, 100_000));
    } finally {
      file.close();
    }
    return stateOfRows(memories.get('local', 'e', query.length)!.memory);
  };

  it('are read again when a quarter of the rows are obsolete', async () => {
    const memories = new VectorMemories({ maxBytes: 1e9, few: 500 });
    const passages = await passagesOf(await save('fox', rowsPerBlock + 100));
    await keepMany(inFile, passages, 1);
    expect(await searchIn(memories)).toMatchObject({ state: rowsState.filled, rows: passages.length });
    await keepMany(inFile, passages.slice(0, 50), 2);
    expect(await searchIn(memories)).toMatchObject({ state: rowsState.filled, rows: passages.length + 50 });
    await keepMany(inFile, passages, 3);
    expect(await searchIn(memories)).toMatchObject({ state: rowsState.empty, rows: 0 });
    expect(await searchIn(memories)).toMatchObject({ state: rowsState.filled, rows: passages.length });
  });

  it('stay in the file when they are few, when there is no room for them, or for larger requests', async () => {
    const passages = await passagesOf(await save('fox', 300));
    await keepMany(inFile, passages, 1);
    expect(await searchIn(new VectorMemories({ maxBytes: 1e9, few: 300 }))).toMatchObject({ state: rowsState.empty });
    expect(await searchIn(new VectorMemories({ maxBytes: 1e9, few: 299 }))).toMatchObject({ rows: 300 });
    const small = new VectorMemories({ maxBytes: 1_000, few: 0 });
    expect(await searchIn(small)).toMatchObject({ state: rowsState.refused, rows: 0 });
    expect(await searchIn(small)).toMatchObject({ state: rowsState.refused, rows: 0 });
    expect(await searchIn(new VectorMemories({ maxBytes: 1e9, few: 0 }), 5_001)).toMatchObject({ rows: 0 });
  });

  it('are evicted when they exceed their limit', async () => {
    const passages = await passagesOf(await save('fox', 300));
    const memories = new VectorMemories({ maxBytes: 200 * 33, few: 0 });
    await keepMany(inFile, passages.slice(0, 190), 1);
    expect(await searchIn(memories)).toMatchObject({ rows: 190 });
    await keepMany(inFile, passages.slice(190), 1);
    expect(await searchIn(memories)).toMatchObject({ state: rowsState.empty });
    expect(await searchIn(memories)).toMatchObject({ state: rowsState.refused, rows: 0 });
  });

  it('are shared by threads that search while rows are added, and read from the file once', async () => {
    const passages = await passagesOf(await save('fox', 3 * rowsPerBlock));
    await keepMany(inFile, passages.slice(0, 1_000), 1);
    const memory = createRows(3);
    const data = { path: join(folder.path, 'accounts', 'local.db'), memory, query };
    const threads = [1, 2].map(
      () => new Worker(new URL('vector-cache-thread.ts', import.meta.url), { workerData: data }),
    );
    const answer = (thread: Worker) =>
      new Promise<RankedPassage[]>((resolve, reject) => thread.once('message', resolve).once('error', reject));
    const ask = (thread: Worker) => {
      const found = answer(thread);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
      thread.postMessage('search');
      return found;
    };
    try {
      await Promise.all(threads.map(ask));
      expect(stateOfRows(memory)).toMatchObject({ state: rowsState.filled, rows: 1_000 });
      for (let at = 1_000; at < passages.length; at += 2_000) {
        const searching = threads.map(ask);
        await keepMany(inFile, passages.slice(at, at + 2_000), 1);
        for (const found of await Promise.all(searching)) expect(found).toHaveLength(50);
      }
      const exact = await inFile.searchVectors('e', query, {}, 50);
      const all = await inFile.searchVectors('e', query, {}, 100_000);
      // The first may find the lock taken: the second has what was there before, and then all of it.
      await Promise.all(threads.map(ask));
      for (const found of await Promise.all(threads.map(ask))) expectSame(found, exact, all);
      expect(stateOfRows(memory).rows).toBe(passages.length);
    } finally {
      for (const thread of threads) await thread.terminate();
    }
  });
});

describe('the vector memories of a process', () => {
  const rowsOf = (count: number) => ({
    count,
    components: new Uint8Array(count * 16).fill(1),
    passages: Array.from({ length: count }, (_, index) => index + 1),
    items: Array.from({ length: count }, () => 1),
  });

  it('evict the least recently used one when there is no room', () => {
    const memories = new VectorMemories({ maxBytes: 250 * 33, few: 0 });
    const [a, b] = [memories.get('a', 'e', 16)!, memories.get('b', 'e', 16)!];
    for (const { memory } of [a, b]) new VectorRows(memory).append(rowsOf(100));
    expect(memories.get('a', 'e', 16)).toBe(a);
    const c = memories.get('c', 'e', 16)!;
    new VectorRows(c.memory).append(rowsOf(100));
    expect(memories.get('c', 'e', 16)).toBe(c);
    expect(stateOfRows(b.memory).state).toBe(rowsState.retired);
    expect(memories.get('a', 'e', 16)).toBe(a);
    expect(memories.get('b', 'e', 16)).not.toBe(b);
  });

  it('are limited in number, one per embedder, and disabled at zero', () => {
    const memories = new VectorMemories({ maxBytes: 1e9, few: 0 });
    const first = memories.get('0', 'e', 16);
    for (let account = 1; account <= 40; account += 1) memories.get(String(account), 'e', 16);
    expect(memories.get('0', 'e', 16)).not.toBe(first);
    expect(memories.get('40', 'e', 16)).not.toBe(memories.get('40', 'f', 16));
    expect(memories.get('40', 'e', 16)).not.toBe(memories.get('40', 'e', 32));
    expect(new VectorMemories({ maxBytes: 0, few: 0 }).get('a', 'e', 16)).toBeNull();
  });

  it('are replaced when they were retired, and forgotten with their account', () => {
    const memories = new VectorMemories({ maxBytes: 1e9, few: 0 });
    const first = memories.get('a', 'e', 16)!;
    retireRows(first.memory);
    const second = memories.get('a', 'e', 16)!;
    expect(second).not.toBe(first);
    memories.forget('a');
    expect(stateOfRows(second.memory).state).toBe(rowsState.retired);
  });

  it('are released from a thread that ended with the lock', () => {
    const rows = new VectorRows(createRows(16));
    new Int32Array(rows.memory.buffer, 0, 6)[5] = 8;
    expect(rows.tryAlone(() => undefined)).toBe(false);
    rows.waitForOther();
    freeOfThread(rows.memory, 6);
    expect(rows.tryAlone(() => undefined)).toBe(false);
    freeOfThread(rows.memory, 7);
    expect(rows.tryAlone(() => undefined)).toBe(true);
    expect(() =>
      rows.tryAlone(() => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    expect(rows.tryAlone(() => undefined)).toBe(true);
  });
});
