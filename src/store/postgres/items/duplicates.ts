import { type Fingerprinted, groupAlike, type SharedKey } from '../../../domain/duplicates/alike-groups.ts';
import {
  alikeHeads,
  chooseCompared,
  compareWith,
  type ItemText,
  type PassageKey,
  passagesToRead,
} from '../../../domain/duplicates/alike-texts.ts';
import { bandsOf } from '../../../domain/duplicates/simhash.ts';
import { canonicalUrl } from '../../../domain/links/url.ts';
import type { AccountTx } from '../account-access.ts';
import { later } from '../database.ts';
import { addressHash } from './address-hash.ts';

/*
 * Two items are duplicates when their texts are equal, or when most words of each are in the other and they have near
 * fingerprints, or an address and a title in common. The address may be the saved one, the one after redirects, or the
 * canonical one that the page names.
 */

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

/**
 * Stores the addresses of an item whose document has become visible, and marks duplicates anew.
 * @param isSameText whether its text is the one that its copies were compared with: they stay marked
 */
export async function linkDuplicates(
  db: AccountTx,
  item: number,
  documentId: number,
  isSameText = false,
): Promise<void> {
  const { sql, account, now } = db;
  await keepAddresses(db, item, documentId);
  later(sql`
    UPDATE items SET duplicate_of = NULL, updated_at = greatest(updated_at + 1, ${now})
    WHERE account_id = ${account} AND seq = ${item}`);
  if (!isSameText) await regroupCopies(db, item);
  await linkAlike(db, item);
}

/** Whether a document says the same as the one that is visible. */
export async function saysTheSame({ sql, account }: AccountTx, item: number, documentId: number): Promise<boolean> {
  const same = await sql`
    SELECT 1 FROM items i JOIN documents shown ON shown.account_id = ${account} AND shown.id = i.visible_document
      JOIN documents d ON d.account_id = ${account} AND d.id = ${documentId} AND d.text_hash = shown.text_hash
    WHERE i.account_id = ${account} AND i.seq = ${item}`;
  return same.length > 0;
}

/**
 * Takes an item out of the group that it is the first of: the next one becomes the first of those that are still alike.
 * Their texts were compared when they were marked, so only their keys and fingerprints are.
 */
export async function regroupCopies(db: AccountTx, item: number): Promise<void> {
  const { sql, account, now } = db;
  const copies = await sql<{ seq: number }[]>`
    UPDATE items SET duplicate_of = NULL, updated_at = greatest(updated_at + 1, ${now})
    WHERE account_id = ${account} AND duplicate_of = (
      SELECT id FROM items WHERE account_id = ${account} AND seq = ${item}) RETURNING seq`;
  if (copies.length < 2) return;
  const asked = copies.map(({ seq }) => seq);
  const [keys, fingerprints] = await Promise.all([
    sql<SharedKey[]>`
      SELECT i.seq AS item, encode(d.text_hash, 'hex') AS key
      FROM items i JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
      WHERE i.account_id = ${account} AND i.seq = ANY(${asked}) AND d.text <> ''
      UNION ALL
      SELECT i.seq, encode(a.address_hash, 'hex') || ' ' || d.title
      FROM items i JOIN addresses a ON a.account_id = ${account} AND a.item = i.seq
        JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
      WHERE i.account_id = ${account} AND i.seq = ANY(${asked}) AND d.title IS NOT NULL`,
    sql<Fingerprinted[]>`SELECT item, hash FROM fingerprints WHERE account_id = ${account} AND item = ANY(${asked})`,
  ]);
  for (const group of groupAlike(keys, fingerprints)) joinGroups(db, group);
}

/** Marks an item, which is not marked, and those that it is like: in a group of duplicates, all but the first. */
async function linkAlike(db: AccountTx, item: number): Promise<void> {
  const { sql, account } = db;
  const itemText = sql`i.seq AS item, coalesce(head.seq, i.seq) AS head, i.visible_document AS document,
    coalesce(i.passage_count, 0) AS passages`;
  const withHead = sql`LEFT JOIN items head ON head.account_id = ${account} AND head.id = i.duplicate_of`;
  const own = sql`
    SELECT d.title, d.text, d.text_hash FROM items mine
      JOIN documents d ON d.account_id = ${account} AND d.id = mine.visible_document
    WHERE mine.account_id = ${account} AND mine.seq = ${item}`;
  const [[text], equal, claimed, near] = await Promise.all([
    sql<(ItemText & { hash: Uint8Array | null })[]>`
      SELECT ${itemText}, f.hash FROM items i ${withHead}
        LEFT JOIN fingerprints f ON f.account_id = ${account} AND f.item = i.seq
      WHERE i.account_id = ${account} AND i.seq = ${item}`,
    sql<{ head: number }[]>`
      WITH own AS (${own})
      SELECT DISTINCT coalesce(head.seq, i.seq) AS head
      FROM own JOIN documents d ON d.account_id = ${account} AND d.text_hash = own.text_hash
        JOIN items i ON i.account_id = ${account} AND i.seq = d.item AND i.visible_document = d.id ${withHead}
      WHERE own.text <> '' AND i.deleted_at IS NULL`,
    sql<ItemText[]>`
      WITH own AS (${own})
      SELECT DISTINCT ${itemText}
      FROM own JOIN addresses ours ON ours.account_id = ${account} AND ours.item = ${item}
        JOIN addresses theirs ON theirs.account_id = ${account} AND theirs.address_hash = ours.address_hash
        JOIN items i ON i.account_id = ${account} AND i.seq = theirs.item
        JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document AND d.title = own.title ${withHead}
      WHERE i.deleted_at IS NULL`,
    sql<(ItemText & { hash: Uint8Array })[]>`
      SELECT ${itemText}, f.hash FROM fingerprints f
        JOIN items i ON i.account_id = ${account} AND i.seq = f.item ${withHead}
      WHERE f.account_id = ${account} AND i.deleted_at IS NULL AND f.item IN (
        SELECT theirs.item FROM fingerprint_bands mine
          JOIN fingerprint_bands theirs ON theirs.account_id = ${account} AND theirs.band = mine.band
            AND theirs.value = mine.value
        WHERE mine.account_id = ${account} AND mine.item = ${item})`,
  ]);
  if (text === undefined) return;
  const heads = new Set([item, ...equal.map(({ head }) => head)]);
  const comparisons = compareWith(text, chooseCompared(text, near, claimed, heads));
  if (comparisons.length > 0) {
    const asked = passagesToRead(comparisons);
    const passages = await sql<(PassageKey & { text: string })[]>`
      SELECT p.document, p.ordinal, p.text
      FROM unnest(${asked.map(({ document }) => document)}::bigint[], ${asked.map(({ ordinal }) => ordinal)}::int[])
          AS asked (document, ordinal)
        JOIN passages p ON p.account_id = ${account} AND p.document = asked.document AND p.ordinal = asked.ordinal`;
    for (const head of alikeHeads(comparisons, passages)) heads.add(head);
  }
  joinGroups(db, [...heads]);
}

/** Of items that are not marked, the first stays so. The others and their duplicates become its duplicates. */
function joinGroups({ sql, account, now }: AccountTx, heads: readonly number[]): void {
  const [first, ...others] = heads.toSorted((a, b) => a - b);
  if (first === undefined || others.length === 0) return;
  later(sql`
    UPDATE items SET duplicate_of = (SELECT id FROM items WHERE account_id = ${account} AND seq = ${first}),
      updated_at = greatest(updated_at + 1, ${now})
    WHERE account_id = ${account} AND (seq = ANY(${others}) OR duplicate_of = ANY(
      SELECT id FROM items WHERE account_id = ${account} AND seq = ANY(${others})))`);
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
