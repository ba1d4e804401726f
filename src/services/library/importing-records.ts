import { shownAddress } from '../../domain/links/shown-address.ts';
import type { ExportedItem } from '../../domain/records/transfers/exported.ts';
import type {
  ImportedLists,
  ImportedSources,
  ImportEntry,
  ImportedRecord,
} from '../../domain/records/transfers/import.ts';
import type { Resource } from '../../domain/records/resource.ts';
import { AppError } from '../../errors.ts';
import { sha256Hex } from '../../domain/sha256.ts';
import type { Store } from '../../store/store.ts';

/* Takes back what this program has exported: whole records, with the ids that they had. */

/** The outcome of one entry of a file. */
export interface EntryResult {
  line: number;
  /** Its address, or another name. */
  what: string;
  title: string | null;
  outcome: 'taken' | 'merged' | 'skipped' | 'failed';
  /** Why it was skipped or failed, or which parts were left out; empty otherwise. */
  reason: string;
  id: string | null;
}

interface RecordImport {
  import(entries: readonly ImportEntry[]): Promise<EntryResult[]>;
  /** Steps that require all items. */
  finish(): Promise<void>;
}

/** @param readOriginal the bytes of a file of the export; null when it is not there */
export function createRecordImport(
  store: Store,
  readOriginal: (folder: string, file: string) => Promise<Uint8Array | null>,
): RecordImport {
  let goalIds = new Map<string, string>();
  const merges: ActionMerge[] = [];
  /** Of items that have another id here. */
  const itemIds = new Map<string, string>();

  const restoreLists = async ({ line, lists }: ImportedLists): Promise<EntryResult[]> => {
    const here = lists.map(({ items, ...list }) => ({
      ...list,
      items: items?.map((id) => itemIds.get(id) ?? id) ?? null,
    }));
    const leftOut = await store.restoreLists(here, 'older');
    const reason = 'there was no room for this list or for all of its items, or there is one of the other kind';
    return leftOut.map((name) => ({ line, what: name, title: name, outcome: 'failed', reason, id: null }));
  };

  const restoreSources = async ({ line, sources }: ImportedSources): Promise<EntryResult[]> => {
    const here = sources.map((source) => ({
      ...source,
      entries: source.entries.map((entry) => ({
        ...entry,
        contentId: itemIds.get(entry.contentId ?? '') ?? entry.contentId,
      })),
    }));
    if ((await store.restoreSources(here, 'older')) === 0) return [];
    const [{ address: what, name: title } = { address: '', name: null }] = sources;
    return [{ line, what, title, outcome: 'failed', reason: 'there is no room for more sources', id: null }];
  };

  const restore = async ({ line, item: exported, place }: ImportedRecord): Promise<EntryResult> => {
    const about = { line, what: shownAddress(exported.url) ?? exported.title ?? '', title: exported.title };
    const originals = await originalsOf(exported, place, readOriginal);
    if (originals === null)
      return {
        ...about,
        outcome: 'failed',
        reason: 'its original is missing from the export, or was changed',
        id: null,
      };
    const item = withGoals(exported, goalIds);
    const restored = await store.restoreItem(item, originals).catch((error: unknown) => {
      // It does not keep the others out.
      if (error instanceof AppError && error.code === 'invalid_input') return error;
      throw error;
    });
    if (restored instanceof AppError) return { ...about, outcome: 'failed', reason: restored.message, id: null };
    const { id, outcome, leftOut } = restored;
    if (id !== exported.id) itemIds.set(exported.id, id);
    merges.push(...mergesOf(item));
    if (outcome === 'unchanged')
      return { ...about, outcome: 'skipped', reason: 'it is in the library already, as new as this or newer', id };
    if (outcome === 'deleted')
      return { ...about, outcome: 'skipped', reason: 'it was deleted here, and stays in the trash', id };
    return { ...about, outcome, reason: leftOut.map((what) => `left out: ${what}`).join('; '), id };
  };

  return {
    async import(entries) {
      const results: EntryResult[] = [];
      for (const entry of entries) {
        if (entry.kind === 'goals') goalIds = await store.restoreGoals(entry.goals);
        else if (entry.kind === 'lists') results.push(...(await restoreLists(entry)));
        else if (entry.kind === 'sources') results.push(...(await restoreSources(entry)));
        else if (entry.kind === 'history') await store.restoreHistory(entry.entries);
        else if (entry.kind === 'record') results.push(await restore(entry));
      }
      return results;
    },
    finish: () => restoreAllMerges(store, merges),
  };
}

function withGoals(item: ExportedItem, goalIds: ReadonlyMap<string, string>): ExportedItem {
  const withGoal = <Linked extends { goalId?: string | null | undefined }>(linked: Linked): Linked => {
    const goalId = goalIds.get(linked.goalId ?? '');
    return goalId === undefined ? linked : { ...linked, goalId };
  };
  return { ...item, insights: item.insights.map(withGoal), actions: item.actions.map(withGoal) };
}

/** Null when a file is missing, or is not the one that was exported. */
async function originalsOf(
  item: ExportedItem,
  place: string,
  readOriginal: (folder: string, file: string) => Promise<Uint8Array | null>,
): Promise<Resource[] | null> {
  const resources: Resource[] = [];
  for (const { url, finalUrl, declaredType, fetchedAt, file, hash } of item.originals) {
    const bytes = await readOriginal(place, file);
    if (bytes === null || (await sha256Hex(bytes)) !== hash) return null;
    resources.push({ url, finalUrl, declaredType, fetchedAt, bytes });
  }
  return resources;
}

/* Merged actions across items, when whole records are restored: all items have to exist first. */

export interface ActionMerge {
  id: string;
  into: string;
}

export function mergesOf({ actions }: Pick<ExportedItem, 'actions'>): ActionMerge[] {
  return actions.flatMap(({ id, mergedInto }) => (mergedInto === null ? [] : [{ id, into: mergedInto }]));
}

const mergedAtOnce = 1_000;

/** In writes of bounded length. */
export async function restoreAllMerges(
  library: Pick<Store, 'restoreMerges'>,
  merges: readonly ActionMerge[],
): Promise<void> {
  for (let from = 0; from < merges.length; from += mergedAtOnce)
    await library.restoreMerges(merges.slice(from, from + mergedAtOnce));
}
