import { restorableForMs } from '../../../domain/records/limits.ts';
import { AppError } from '../../../errors.ts';
import type { KeptOriginal } from '../../library/originals.ts';
import type { ContentChanges, SaveContent, SaveOutcome } from '../../records.ts';
import type { AccountTx, AccountWrite } from '../account-access.ts';
import { later } from '../database.ts';
import { addressHash } from '../address-hash.ts';
import { restoreContent } from './deletion.ts';
import { insertNewItem } from './new-item.ts';
import {
  addTags,
  hasOriginal,
  removeTags,
  replaceOriginal,
  replaceTags,
  requeueJob,
  restartJob,
  touchItem,
} from './bridged.ts';

interface LiveItem {
  seq: number;
  id: string;
  state: string;
}

async function findLive({ sql, account }: AccountTx, canonicalUrl: string): Promise<LiveItem | undefined> {
  const [item] = await sql<LiveItem[]>`
    SELECT seq, id, state FROM items
    WHERE account_id = ${account} AND url_hash = ${addressHash(canonicalUrl)}
      AND deleted_at IS NULL`;
  return item;
}

/** Items with the address of one that is saved. */
interface SameAddress {
  live: LiveItem | undefined;
  /** The one that was deleted last, and when, by `AccountWrite.passed`. */
  deleted: { id: string; deletedPassed: number } | undefined;
}

export async function findSameAddress({ sql, account }: AccountTx, canonicalUrl: string): Promise<SameAddress> {
  const same = sql`account_id = ${account} AND url_hash = ${addressHash(canonicalUrl)}`;
  const found = await sql<(LiveItem & { deletedPassed: number | null })[]>`
    SELECT seq, id, state, NULL AS deleted_passed FROM items WHERE ${same} AND deleted_at IS NULL
    UNION ALL (SELECT seq, id, state, deleted_passed FROM items WHERE ${same} AND deleted_passed IS NOT NULL
      ORDER BY deleted_passed DESC, deleted_at DESC LIMIT 1)`;
  const items: SameAddress = { live: undefined, deleted: undefined };
  for (const { deletedPassed, ...item } of found)
    if (deletedPassed === null) items.live = item;
    else items.deleted = { id: item.id, deletedPassed };
  return items;
}

/**
 * Inserts the item with its job, or merges into the item with the same canonical URL; a deleted one is restored.
 * Bytes that differ from the item's become its next version. Until that has its passages, the previous version is shown
 * and found.
 */
export async function saveContent(
  db: AccountWrite,
  input: Omit<SaveContent, 'original'>,
  original: KeptOriginal | null,
  { live, deleted: lastDeleted }: SameAddress,
): Promise<{ id: string; outcome: SaveOutcome }> {
  const isRestorable =
    live === undefined && lastDeleted !== undefined && lastDeleted.deletedPassed > db.passed - restorableForMs;
  const deleted = isRestorable ? lastDeleted.id : null;
  if (deleted !== null) await restoreContent(db, deleted);
  const existing = deleted === null ? live : await findLive(db, input.canonicalUrl);
  if (existing === undefined) {
    const { url, canonicalUrl, notes, known, tags } = input;
    const item = { url, canonicalUrl, title: null, notes: notes || null, known: known ?? null, tags, createdAt: null };
    return { id: await insertNewItem(db, item, original), outcome: 'created' };
  }
  const outcome = await merge(db, existing, input, original);
  return { id: existing.id, outcome: deleted === null ? outcome : 'restored' };
}

async function merge(
  db: AccountTx,
  { seq, state }: LiveItem,
  { tags, notes }: Omit<SaveContent, 'original'>,
  original: KeptOriginal | null,
): Promise<SaveOutcome> {
  const { sql, account } = db;
  await addTags(db, seq, tags);
  if (notes !== undefined)
    later(sql`UPDATE items SET notes = ${notes || null} WHERE account_id = ${account} AND seq = ${seq}`);
  touchItem(db, seq);
  if (original !== null && (state === 'failed' || !(await hasOriginal(db, seq, original)))) {
    // A failed item may have failed because of its old bytes, at whatever stage.
    replaceOriginal(db, seq, original, 'given');
    await restartJob(db, seq, 'extract');
    return 'requeued';
  }
  if (state !== 'failed') return 'existed';
  await requeueJob(db, seq);
  return 'requeued';
}

/** The key of an item, or null when there is no such item. */
export async function findItem({ sql, account }: AccountTx, id: string): Promise<number | null> {
  const [row] = await sql<{ seq: number }[]>`
    SELECT seq FROM items WHERE account_id = ${account} AND id = ${id} AND deleted_at IS NULL`;
  return row?.seq ?? null;
}

/** The version of an item that is not deleted: `touchItem` makes it grow. Null when there is none. */
export async function getVersion({ sql, account }: AccountTx, id: string): Promise<number | null> {
  const [row] = await sql<{ version: number }[]>`
    SELECT updated_at AS version FROM items WHERE account_id = ${account} AND id = ${id} AND deleted_at IS NULL`;
  return row?.version ?? null;
}

/** @throws {AppError} `precondition_failed` when the item has changed since this version */
export async function requireUnchanged(db: AccountTx, id: string, version: number | undefined): Promise<void> {
  if (version === undefined || (await getVersion(db, id)) === version) return;
  throw new AppError(
    'precondition_failed',
    'The item has changed since it was read. Read it again, then send the change with its new ETag.',
  );
}

/** Gives a note its new text; until that is processed, the text before is shown and found. */
async function rewriteNote(db: AccountTx, item: number, original: KeptOriginal): Promise<void> {
  const { sql, account } = db;
  const { url } = original.resource;
  const same = await findLive(db, url);
  if (same !== undefined && same.seq !== item)
    throw new AppError('invalid_input', `There is a note with this title and text already: ${same.id}.`);
  if (await hasOriginal(db, item, original)) return;
  await sql`UPDATE items SET url = ${url}, canonical_url = ${url}, url_hash = ${addressHash(url)} WHERE account_id = ${account} AND seq = ${item}`;
  replaceOriginal(db, item, original, 'given');
  await restartJob(db, item, 'extract');
}

/**
 * Changes an item's title, tags and notes, and the text of a note.
 * @throws {AppError} `invalid_input` when another note has this text, and for more tags than an item can have
 */
export async function updateContent(
  db: AccountTx,
  id: string,
  changes: Omit<ContentChanges, 'original'>,
  original: KeptOriginal | null,
): Promise<void> {
  const { sql, account } = db;
  const item = await findItem(db, id);
  if (item === null) return;
  await requireUnchanged(db, id, changes.unchangedSince);
  if (original !== null) await rewriteNote(db, item, original);
  const { title, tags, notes } = changes;
  const own = sql`account_id = ${account} AND seq = ${item}`;
  if (title !== undefined) later(sql`UPDATE items SET given_title = ${title} WHERE ${own}`);
  if (tags !== undefined) await replaceTags(db, item, tags);
  removeTags(db, item, changes.removeTags ?? []);
  if (changes.addTags !== undefined) await addTags(db, item, changes.addTags);
  if (notes !== undefined) later(sql`UPDATE items SET notes = ${notes} WHERE ${own}`);
  touchItem(db, item);
}
