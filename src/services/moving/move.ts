import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportedItem } from '../../domain/records/transfers/exported.ts';
import type { Resource } from '../../domain/records/resource.ts';
import { sha256Hex } from '../../domain/sha256.ts';
import { invalidInput, noSuchAccount, unavailable } from '../../errors.ts';
import type { HistoryPage, ItemToExport } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';
import { listAll, sourcePieces } from '../library/exporting.ts';
import { createHash } from 'node:crypto';
import { type ActionMerge, mergesOf, restoreAllMerges } from '../library/importing-records.ts';

/*
 * Copies the library of an account into another store, item by item, while both are used. Whatever was copied before is
 * skipped, so a move that was killed goes on where it was, and one that is repeated copies what has changed since. At
 * its end, both libraries are read and compared by hash.
 */

interface MovedLibrary extends LibraryComparison {
  /** Items that this run has copied, and the bytes of their originals and texts. */
  copied: number;
  bytes: number;
  /** Items deleted in the target store because they are deleted in this one. */
  removed: number;
}

interface MoveOptions {
  signal: AbortSignal;
  /** Called after some items were copied or skipped. */
  onItem?: (done: number, total: number) => void;
  /** Items that are written together, at most. */
  maxTogether?: number;
}

/** How many items are read concurrently, and the limit for buffered bytes; items being read may exceed it by their own size. */
const maxReadAtOnce = 3;
const maxHeldBytes = 16_000_000;
/** Size of one write. A write delays people's own writes: a page of 200 kB takes some milliseconds. */
const maxBytesTogether = 4_000_000;

/** One change can make others: actions that several items share move on when one of these is replaced. */
const maxRounds = 8;

/**
 * `to` becomes what `from` is; what was changed in `to` is overwritten.
 * @throws {AppError} `invalid_input` when `to` has items that `from` never had: two libraries are not mixed
 */
export async function moveLibrary(
  from: Store,
  to: Store,
  { signal, onItem, maxTogether = 16 }: MoveOptions,
): Promise<MovedLibrary> {
  const counts = { copied: 0, bytes: 0, removed: 0 };
  let differing: readonly string[] = [];
  for (let round = 1; ; round += 1) {
    const items = await listAll(from, signal);
    const there = new Map((await listAll(to, signal)).map(({ id, updatedAt }) => [id, updatedAt]));
    counts.removed += await removeDeleted(from, to, items, there);
    await moveGoals(from, to);
    const again = new Set(differing);
    const changed = items.filter(({ id, updatedAt }) => there.get(id) !== updatedAt || again.has(id));
    let done = items.length - changed.length;
    for await (const { read, bytes, passed } of together(readAhead(from, changed, signal), maxTogether)) {
      await to.restoreItems(read);
      counts.copied += read.length;
      counts.bytes += bytes;
      done += passed;
      onItem?.(done, items.length);
    }
    await moveLists(from, to);
    await to.restoreSources([], 'any');
    for await (const piece of sourcePieces(from, signal)) await to.restoreSources([piece], 'older');
    await moveHistory(from, to, signal);
    const ids = items.map(({ id }) => id);
    const compared = await compareLibraries(from, to, ids, signal);
    if (compared.differing.length === 0 || round === maxRounds) return { ...counts, ...compared };
    ({ differing } = compared);
  }
}

async function removeDeleted(
  from: Store,
  to: Store,
  source: readonly ItemToExport[],
  there: ReadonlyMap<string, number>,
): Promise<number> {
  const known = new Set(source.map(({ id }) => id));
  const surplus = [...there.keys()].filter((id) => !known.has(id));
  if (surplus.length === 0) return 0;
  const deleted = await listDeleted(from);
  const strange = surplus.filter((id) => !deleted.has(id));
  if (strange.length > 0)
    throw invalidInput(
      `The library there has ${strange.length} items that this one does not have. Two libraries are not mixed: empty that one, or export and import instead.`,
    );
  for (const id of surplus) await to.deleteContent(id);
  return surplus.length;
}

async function listDeleted(from: Store): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let offset = 0; ; offset += 100) {
    const { items } = await from.listContent({ deleted: true, limit: 100, offset });
    for (const { id } of items) ids.add(id);
    if (items.length < 100) return ids;
  }
}

/** Goals that were copied before are made what they are now. */
async function moveGoals(from: Store, to: Store): Promise<void> {
  const goals = await from.listGoalsToExport();
  const ids = await to.restoreGoals(goals);
  const there = new Map((await to.listGoalsToExport()).map((goal) => [goal.id, goal]));
  for (const goal of goals) {
    const copy = there.get(ids.get(goal.id) ?? goal.id);
    const { title, category, description, archivedAt } = goal;
    const shown = (one: typeof goal) => [one.title, one.category, one.description, one.archivedAt === null];
    if (copy === undefined || digestOf(shown(copy)) === digestOf(shown(goal))) continue;
    await to.updateGoal(copy.id, { title, category, description: description ?? '', archived: archivedAt !== null });
  }
}

/** The lists there become what they are here. */
async function moveLists(from: Store, to: Store): Promise<void> {
  const lists = await from.listListsToExport();
  if (digestOf(lists) === digestOf(await to.listListsToExport())) return;
  const leftOut = await to.restoreLists(lists, 'any');
  if (leftOut.length > 0) throw invalidInput(`There is no room for all items of these lists: ${leftOut.join(', ')}.`);
}

async function moveHistory(from: Store, to: Store, signal: AbortSignal): Promise<void> {
  let after: HistoryPage['next'] = null;
  do {
    signal.throwIfAborted();
    const page: HistoryPage = await from.readHistoryToExport({ after, since: 0, limit: 100 });
    if (page.entries.length > 0) await to.restoreHistory(page.entries);
    after = page.next;
  } while (after !== null);
}

interface ReadItem {
  item: ExportedItem;
  originals: Resource[];
  bytes: number;
}

/** Reads items in order and ahead, while others are written. Null for one that was deleted meanwhile. */
async function* readAhead(
  from: Store,
  items: readonly ItemToExport[],
  signal: AbortSignal,
): AsyncGenerator<ReadItem | null> {
  const ahead: Promise<ReadItem | null>[] = [];
  let [next, reading, heldBytes] = [0, 0, 0];
  const readOne = async (id: string): Promise<ReadItem | null> => {
    reading += 1;
    try {
      const read = await readItem(from, id);
      heldBytes += read?.bytes ?? 0;
      return read;
    } finally {
      reading -= 1;
      readMore();
    }
  };
  const hasRoom = () => reading < maxReadAtOnce && heldBytes < maxHeldBytes;
  const readMore = () => {
    for (; next < items.length && hasRoom(); next += 1) {
      const read = readOne(items[next]?.id ?? '');
      // Whoever takes it later sees the failure.
      read.catch(() => undefined);
      ahead.push(read);
    }
  };
  try {
    for (;;) {
      signal.throwIfAborted();
      readMore();
      const first = ahead.shift();
      if (first === undefined) return;
      const item = await first;
      heldBytes -= item?.bytes ?? 0;
      yield item;
      await nextTurn();
    }
  } finally {
    next = items.length;
    await Promise.allSettled(ahead);
  }
}

interface ReadTogether {
  read: ReadItem[];
  bytes: number;
  /** Number of items in this batch, including any deleted while it was read. */
  passed: number;
}

async function* together(items: AsyncIterable<ReadItem | null>, maxItems: number): AsyncGenerator<ReadTogether> {
  let some: ReadTogether = { read: [], bytes: 0, passed: 0 };
  for await (const item of items) {
    some.passed += 1;
    if (item !== null) {
      some.read.push(item);
      some.bytes += item.bytes;
    }
    if (some.passed < maxItems && some.bytes < maxBytesTogether) continue;
    yield some;
    some = { read: [], bytes: 0, passed: 0 };
  }
  if (some.passed > 0) yield some;
}

const maxAttempts = 5;

/** An item and its originals are read one after the other: when one has changed meanwhile, all are read again. */
async function readItem(from: Store, id: string): Promise<ReadItem | null> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const item = await from.readToExport(id);
    if (item === null) return null;
    const originals = await readOriginals(from, item);
    if (originals === null) continue;
    const texts = item.documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    return { item, originals, bytes: originals.reduce((sum, { bytes }) => sum + bytes.length, texts) };
  }
  throw unavailable(
    `The bytes of the item ${id} are not those of which it has the hash. \`commonplace doctor --check\` says what is damaged; mend it, then move again.`,
  );
}

/** Null when they differ from the item's hash. */
async function readOriginals(from: Store, item: ExportedItem): Promise<Resource[] | null> {
  const originals: Resource[] = [];
  for (const { name, hash } of item.originals) {
    const original = await from.readOriginal(item.id, name);
    if (original === null) return null;
    const { given: _, ...resource } = original;
    if ((await sha256Hex(resource.bytes)) !== hash) return null;
    originals.push(resource);
  }
  return originals;
}

interface LibraryComparison {
  items: number;
  /** SHA-256 over all items of the first library, their texts and the hashes of their originals. */
  digest: string;
  /** Ids of items that are not the same in both, because they were changed while they were copied, or cannot be copied. */
  differing: string[];
}

/** Items of which the digest is looked up together. */
const batchSize = 8;

/**
 * Reads both libraries and compares them by hash. Merged actions are made one again, where both of them are there: that
 * needs all items.
 * @param ids of the items of the first one
 */
async function compareLibraries(
  from: Store,
  to: Store,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<LibraryComparison> {
  const whole = createHash('sha256');
  const differing: string[] = [];
  const merges: ActionMerge[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    signal.throwIfAborted();
    const batch = ids.slice(at, at + batchSize);
    const read = await Promise.all(
      batch.map(async (id) => {
        const [one, other] = await Promise.all([from.readToExport(id), to.readToExport(id)]);
        return { id, digests: [digestOf(one), digestOf(other)], merged: one === null ? [] : mergesOf(one) };
      }),
    );
    for (const { id, digests, merged } of read) {
      whole.update(`${id} ${digests[0]}\n`);
      if (digests[0] === digests[1]) continue;
      differing.push(id);
      merges.push(...merged);
    }
  }
  await restoreAllMerges(to, merges);
  return {
    items: ids.length,
    digest: whole.digest('hex'),
    differing: merges.length === 0 ? differing : await stillDiffering(from, to, differing),
  };
}

async function stillDiffering(from: Store, to: Store, ids: readonly string[]): Promise<string[]> {
  const differing: string[] = [];
  for (const id of ids)
    if (digestOf(await from.readToExport(id)) !== digestOf(await to.readToExport(id))) differing.push(id);
  return differing;
}

/** SHA-256 in hexadecimal: the same for records of the same content, whatever the order of their keys. */
export function digestOf(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record, sorted)).digest('hex');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/* Copies all accounts, one by one, into an installation on another engine. */

interface MovableInstallation {
  readonly control: Pick<Stores['control'], 'listAccounts' | 'transfer'>;
  open(accountId: string): Promise<Store>;
}

interface MovedInstallation {
  accounts: (MovedLibrary & { id: string })[];
  /** Accounts whose tokens or sign-in changed while they were copied: a further run copies them again. */
  changedMeanwhile: string[];
}

interface MoveInstallationOptions {
  signal: AbortSignal;
  onItem?: (account: string, done: number, total: number) => void;
}

/** Accounts that were set aside are not copied. @throws {AppError} like `moveLibrary` */
export async function moveInstallation(
  from: MovableInstallation,
  to: MovableInstallation,
  { signal, onItem }: MoveInstallationOptions,
): Promise<MovedInstallation> {
  const { transfer: source } = from.control;
  const { transfer: target } = to.control;
  await target.restoreCommon(await source.readCommon());
  const moved: MovedInstallation = { accounts: [], changedMeanwhile: [] };
  for (const { id } of await from.control.listAccounts()) {
    signal.throwIfAborted();
    const account = await source.readAccount(id);
    // Removed meanwhile.
    if (account === null) continue;
    await target.restoreAccount(account);
    const library = await moveLibrary(await from.open(id), await to.open(id), {
      signal,
      onItem: (done, total) => onItem?.(id, done, total),
    });
    moved.accounts.push({ id, ...library });
    const copied = await target.readAccount(id);
    if (copied === null) throw noSuchAccount();
    if (digestOf(copied) !== digestOf(await source.readAccount(id))) moved.changedMeanwhile.push(id);
  }
  return moved;
}
