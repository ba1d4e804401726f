import type { Change } from '../../domain/records/change.ts';
import { leavesOf } from '../../domain/search/filter.ts';
import type { Undoing } from '../history/recording.ts';
import { undoEntry, type UndoneEntry, type UndoPart, type PartConflicts } from '../history/undo.ts';
import { packResource, type PackedOriginal, type PackedResource, unpackOriginal } from '../records/packed-originals.ts';
import type * as port from '../store.ts';
import type { ReplacedItems } from '../records.ts';
import type { ExportedItem } from '../../domain/records/transfers/exported.ts';
import type { VectorMemory } from './index/index.ts';
import type { Libraries } from './library/libraries.ts';
import { idleAnswers, type partialWorks, reads, works, writes } from './library/methods.ts';
import type { AnnouncedWrite } from './queue/announced-work.ts';

type Names<Methods> = keyof Methods & keyof port.Store;

/** The methods of `Store` with these names, each of which calls `call`. */
function methodsOf<Methods extends object>(
  methods: Methods,
  call: (name: string, args: readonly unknown[]) => Promise<unknown>,
): Pick<port.Store, Names<Methods>> {
  const made = Object.keys(methods).map((name) => [name, (...args: unknown[]) => call(name, args)]);
  return Object.fromEntries(made) as Pick<port.Store, Names<Methods>>;
}

/** The store of one account: the methods of its library with promises, wherever the library is. */
export function createSqliteStore(
  accountId: string,
  libraries: Libraries,
  control: { announceWork(accountId: string, above: number): Promise<number> },
  { change, signal }: { change?: Change | undefined; signal?: AbortSignal | undefined } = {},
): port.Store {
  const read = <T>(name: string, ...args: unknown[]): Promise<T> =>
    libraries.read(accountId, name, args, signal) as Promise<T>;
  const write = <T>(name: string, args: readonly unknown[], more: { generation?: number; undoing?: Undoing } = {}) =>
    libraries.write(accountId, {
      name,
      args,
      change,
      undoing: more.undoing,
      generation: more.generation,
    }) as Promise<T>;
  /**
   * Announces work before it is written. If a worker has settled the announcement in between, nothing is written and
   * the work is announced again.
   */
  const work = async <T>(name: string, args: readonly unknown[], undoing?: Undoing): Promise<T> => {
    let above = 0;
    for (;;) {
      const generation = await control.announceWork(accountId, above);
      const written = await write<AnnouncedWrite<T>>(name, args, { generation, ...(undoing && { undoing }) });
      if (written.isWritten) return written.result;
      above = written.settled;
    }
  };
  const workOf = <N extends keyof typeof partialWorks>(name: N, ...args: unknown[]) =>
    work<ReturnType<(typeof partialWorks)[N]>>(name, args);
  const restorePacked = (item: ExportedItem, packed: readonly PackedResource[], replaces: ReplacedItems) =>
    workOf('restorePackedItem', item, packed, replaces);
  const memoryOf = (embedderId: string, dimensions: number) => libraries.memory(accountId, embedderId, dimensions);
  const keptChange = libraries.history === null ? undefined : change;
  return {
    accountId,
    ...methodsOf(reads, (name, args) => read(name, ...args)),
    ...methodsOf(writes, (name, args) => write(name, args)),
    ...methodsOf(works, (name, args) => work(name, args)),
    ...methodsOf(idleAnswers, async (name, args) => {
      const answer = await read(name, ...args);
      return answer === undefined ? write(name, args) : answer;
    }),

    async saveContent({ original, ...input }) {
      // Only the packed original is stored.
      return workOf('savePackedContent', input, original === undefined ? null : await packResource(original));
    },
    async importContent(entries) {
      const packed: unknown[] = [];
      for (const { original, ...entry } of entries)
        packed.push({ ...entry, original: original === undefined ? null : await packResource(original) });
      return workOf('importPackedContent', packed);
    },
    async updateContent(id, { original, ...changes }) {
      // A new text and new notes leave work.
      const packed = original === undefined ? null : await packResource(original);
      if (packed === null && changes.notes === undefined) return write('updatePackedContent', [id, changes, null]);
      return workOf('updatePackedContent', id, changes, packed);
    },
    async keepOriginalAndRelease(claim, original) {
      await write('keepPackedOriginal', [claim, await packResource(original)]);
    },
    async keepChangedPage(claim, original, companions, text) {
      const packed = await Promise.all(
        companions.map(async ({ name, resource }) => ({ name, kept: await packResource(resource) })),
      );
      await write('keepPackedPage', [claim, await packResource(original), packed, text]);
    },
    async keepCompanion(contentId, name, resource) {
      if (name === '') throw new Error('a companion needs a name: the empty one is that of the original');
      await write('keepPackedCompanion', [contentId, name, await packResource(resource)]);
    },
    async readOriginal(contentId, name = '') {
      const packed = await read<PackedOriginal | null>('readPackedOriginal', contentId, name);
      return packed === null ? null : unpackOriginal(packed);
    },
    async restoreItem(item, originals) {
      return restorePacked(item, await Promise.all(originals.map(packResource)), 'older');
    },
    async restoreItems(items) {
      const packed = await Promise.all(items.map(({ originals }) => Promise.all(originals.map(packResource))));
      for (const [at, { item }] of items.entries()) await restorePacked(item, packed[at] ?? [], 'any');
    },

    // Everything else that a filter asks for is in the file that the index is in.
    resolveFilter: async (filter) =>
      [...leavesOf(filter)].some((one) => 'list' in one) ? read('resolveFilter', filter) : filter,
    async askIndex(method, argument, vectors = [], items) {
      const memories: Record<string, VectorMemory | null> = {};
      for (const first of vectors)
        for (let vector = first ?? undefined; vector !== undefined; vector = vector.before)
          memories[vector.embedderId] = memoryOf(vector.embedderId, vector.values.length);
      return read('askIndex', method, argument, memories, items);
    },
    searchVectors: (embedderId, query, filter, limit) =>
      read('searchVectors', embedderId, query, filter, limit, memoryOf(embedderId, query.length)),

    async undo(id, how) {
      const entry = await read<UndoneEntry | null>('findHistoryEntry', id);
      if (entry === null) return null;
      const undoing = { undoes: id, scopes: entry.scopes };
      const steps = {
        entry,
        conflictsBelow: (below: number) => read<PartConflicts>('conflictsBelow', entry.seq, below),
        undoPart: () =>
          work<UndoPart | null>('undoPart', [id, { force: how.force, undoneBy: keptChange?.id ?? '' }], undoing),
        join: (begun: string) => {
          if (keptChange !== undefined) keptChange.id = begun;
        },
      };
      return undoEntry(steps, how);
    },

    // Another `Store` of this account reopens the file when it needs it.
    async close() {
      libraries.close(accountId);
    },
  };
}
