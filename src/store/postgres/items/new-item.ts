import { hostOf } from '../../../domain/links/host.ts';
import type { KnownMetadata } from '../../../domain/records/document.ts';
import { newId } from '../../../domain/records/ids.ts';
import { maxTags } from '../../../domain/records/limits.ts';
import { tooManyTags } from '../../../domain/records/tags.ts';
import type { AccountTx } from '../account-access.ts';
import type { KeptOriginal } from '../../library/originals.ts';
import { foldedTags } from '../../library/tags.ts';
import { json, later } from '../database.ts';
import { addressHash } from '../address-hash.ts';
import { writeOriginal } from './bridged.ts';

interface NewItem {
  url: string;
  canonicalUrl: string;
  title: string | null;
  notes: string | null;
  known: KnownMetadata | null;
  tags: readonly string[];
  /** Null: now. */
  createdAt: number | null;
  /** Whether its job gives way to all other jobs. */
  isBackground?: boolean;
}

/**
 * Inserts an item with its tags and its job, in one statement: nothing has to be waited for before the commit, unless the
 * item has an original, whose row needs the item's key.
 * @returns the item's id
 * @throws {AppError} `invalid_input` for more tags than an item can have
 */
export async function insertNewItem(db: AccountTx, item: NewItem, original: KeptOriginal | null): Promise<string> {
  const { sql, account, now } = db;
  const { url, canonicalUrl, title, notes, known, isBackground = false } = item;
  const tags = foldedTags(item.tags);
  if (tags.size > maxTags) throw tooManyTags();
  const id = newId('c');
  const [stage, host] = original === null ? ['fetch', hostOf(canonicalUrl)] : ['extract', null];
  const inserted = sql<{ seq: number }[]>`
    WITH item AS (
      INSERT INTO items (account_id, id, url, canonical_url, url_hash, given_title, notes, known, created_at, updated_at)
      VALUES (${account}, ${id}, ${url}, ${canonicalUrl}, ${addressHash(canonicalUrl)}, ${title}, ${notes},
        ${json(known)}, ${item.createdAt ?? now}, ${now})
      RETURNING seq),
    tagged AS (
      INSERT INTO item_tags (account_id, item, folded, tag, ordinal)
      SELECT ${account}, item.seq, t.folded, t.tag, t.at - 1
      FROM item, unnest(${[...tags.keys()]}::text[], ${[...tags.values()]}::text[]) WITH ORDINALITY AS t (folded, tag, at)),
    queued AS (
      INSERT INTO jobs (account_id, item, id, stage, state, due_at, host, background)
      SELECT ${account}, item.seq, ${newId('j')}, ${stage}, 'waiting', ${now}, ${host}, ${isBackground} FROM item)
    SELECT seq FROM item`;
  if (original === null) {
    later(inserted);
    return id;
  }
  const [row] = await inserted;
  if (row === undefined) throw new Error('an item that was just written has no key');
  writeOriginal(db, row.seq, '', original, 'given');
  return id;
}
