import {
  copiesOf,
  type Fingerprinted,
  groupAlike,
  type Member,
  type SharedKey,
} from '../../../domain/duplicates/alike-groups.ts';
import { bandsOf } from '../../../domain/duplicates/simhash.ts';
import { canonicalUrl } from '../../../domain/links/url.ts';
import type { AccountTx } from '../account-access.ts';
import { addressHash } from './address-hash.ts';

/*
 * Two items are duplicates when their texts are equal or nearly equal, or when they share an address and a title. The
 * address may be the saved one, the one after redirects, or the canonical one that the page names. An address alone
 * proves little: some sites name their front page as the canonical address of every page.
 */

/** Items of equal text, or of the same address and title, as one of these. */
async function sharedKeys({ sql, account }: AccountTx, items: readonly number[]): Promise<SharedKey[]> {
  const own = sql`
    SELECT d.title, d.text, d.text_hash FROM items i
      JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
    WHERE i.account_id = ${account} AND i.seq = ANY(${[...items]})`;
  return sql<SharedKey[]>`
    WITH own AS (${own})
    SELECT i.seq AS item, encode(texts.text_hash, 'hex') AS key
    FROM (SELECT DISTINCT text_hash FROM own WHERE text <> '') texts
      JOIN documents d ON d.account_id = ${account} AND d.text_hash = texts.text_hash
      JOIN items i ON i.account_id = ${account} AND i.seq = d.item AND i.visible_document = d.id
    WHERE i.deleted_at IS NULL
    UNION ALL
    SELECT i.seq AS item, encode(ours.address_hash, 'hex') || ' ' || d.title AS key
    FROM (SELECT DISTINCT address_hash FROM addresses WHERE account_id = ${account} AND item = ANY(${[...items]})) ours
      JOIN addresses theirs ON theirs.account_id = ${account} AND theirs.address_hash = ours.address_hash
      JOIN items i ON i.account_id = ${account} AND i.seq = theirs.item
      JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
    WHERE i.deleted_at IS NULL AND d.title IN (SELECT title FROM own)`;
}

/** Replaces the fingerprint of an item's visible text; null: the text is too short to have one. */
export async function replaceFingerprint(
  { sql, account }: AccountTx,
  item: number,
  fingerprint: Uint8Array | null,
): Promise<void> {
  await sql`DELETE FROM fingerprints WHERE account_id = ${account} AND item = ${item}`;
  if (fingerprint === null) return;
  await sql`INSERT INTO fingerprints (account_id, item, hash) VALUES (${account}, ${item}, ${fingerprint})`;
  const bands = [...bandsOf(fingerprint)];
  await sql`
    INSERT INTO fingerprint_bands (account_id, band, value, item)
    SELECT ${account}, b.band, b.value, ${item}
    FROM unnest(${bands.map(([band]) => band)}::int[], ${bands.map(([, value]) => value)}::int[]) AS b (band, value)`;
}

/** The fingerprints of these items, and of all others that share a band with one of them. */
async function nearCandidates({ sql, account }: AccountTx, items: readonly number[]): Promise<Fingerprinted[]> {
  return sql<Fingerprinted[]>`
    SELECT f.item, f.hash FROM fingerprints f JOIN items i ON i.account_id = ${account} AND i.seq = f.item
    WHERE f.account_id = ${account} AND i.deleted_at IS NULL AND f.item IN (
      SELECT theirs.item
      FROM (SELECT DISTINCT band, value FROM fingerprint_bands WHERE account_id = ${account} AND item = ANY(${[...items]}))
          bands
        JOIN fingerprint_bands theirs ON theirs.account_id = ${account} AND theirs.band = bands.band
          AND theirs.value = bands.value)`;
}

/**
 * Stores the addresses of an item whose document has become visible, and marks duplicates: in a group of equal items
 * all but the first.
 */
export async function linkDuplicates(db: AccountTx, item: number, documentId: number): Promise<void> {
  const { sql, account, now } = db;
  await keepAddresses(db, item, documentId);
  await sql`
    UPDATE items SET duplicate_of = NULL, updated_at = greatest(updated_at + 1, ${now})
    WHERE account_id = ${account} AND (seq = ${item}
      OR duplicate_of = (SELECT id FROM items WHERE account_id = ${account} AND seq = ${item}))`;
  await linkAlike(db, [item]);
}

/**
 * Marks the duplicates among these items and those like them. Takes time in proportion to the items. None of them may
 * be marked as a duplicate yet.
 */
export async function linkAlike(db: AccountTx, items: readonly number[]): Promise<void> {
  if (items.length === 0) return;
  const { sql, account, now } = db;
  const groups = groupAlike(items, await sharedKeys(db, items), await nearCandidates(db, items));
  const alike = groups.list().flat();
  if (alike.length === 0) return;
  const members = await sql<Member[]>`
    SELECT i.seq, coalesce(head.seq, i.seq) AS "headSeq", coalesce(head.id, i.id) AS "headId"
    FROM items i LEFT JOIN items head ON head.account_id = ${account} AND head.id = i.duplicate_of
    WHERE i.account_id = ${account} AND i.seq = ANY(${alike})`;
  for (const { firstId, seqs, ids } of copiesOf(groups, members))
    await sql`
      UPDATE items SET duplicate_of = ${firstId}, updated_at = greatest(updated_at + 1, ${now})
      WHERE account_id = ${account} AND (seq = ANY(${seqs}) OR duplicate_of = ANY(${ids}))`;
}

/** Addresses are compared by their hashes: they may be longer than what an index holds. */
async function keepAddresses(db: AccountTx, item: number, documentId: number): Promise<void> {
  const { sql, account } = db;
  const [known] = await sql<{ saved: string; landed: string | null; claimed: string | null }[]>`
    SELECT i.canonical_url AS saved, o.final_url AS landed, d.canonical_url AS claimed
    FROM items i JOIN documents d ON d.account_id = ${account} AND d.id = ${documentId}
      LEFT JOIN originals o ON o.account_id = ${account} AND o.item = i.seq AND o.name = ''
    WHERE i.account_id = ${account} AND i.seq = ${item}`;
  if (known === undefined) return;
  await sql`DELETE FROM addresses WHERE account_id = ${account} AND item = ${item}`;
  const others = [known.landed, known.claimed].filter((address) => address !== null && address !== known.saved);
  for (const address of new Set([known.saved, ...others.map((other) => canonicalUrl(other ?? ''))])) {
    await writeAddress(db, item, address);
  }
}

export async function writeAddress({ sql, account }: AccountTx, item: number, address: string): Promise<void> {
  await sql`
    INSERT INTO addresses (account_id, item, address_hash, address)
    VALUES (${account}, ${item}, ${addressHash(address)}, ${address}) ON CONFLICT DO NOTHING`;
}
