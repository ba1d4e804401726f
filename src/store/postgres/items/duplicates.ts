import { bandsOf, differingBits, maxDifferingBits } from '../../../domain/duplicates/simhash.ts';
import { canonicalUrl } from '../../../domain/links/url.ts';
import type { AccountTx } from '../account-access.ts';
import { addressHash } from './address-hash.ts';

/*
 * Two items are duplicates when their texts are equal or nearly equal, or when they share an address and a title. The
 * address may be the saved one, the one after redirects, or the canonical one that the page names. An address alone
 * proves little: some sites name their front page as the canonical address of every page.
 */

/** Items of equal text, or of the same address and title. */
async function sameItems({ sql, account }: AccountTx, item: number, documentId: number): Promise<number[]> {
  const rows = await sql<{ item: number }[]>`
    SELECT other.item FROM documents mine
      JOIN documents other ON other.account_id = ${account} AND other.text_hash = mine.text_hash
      JOIN items i ON i.account_id = ${account} AND i.seq = other.item AND i.visible_document = other.id
    WHERE mine.account_id = ${account} AND mine.id = ${documentId} AND mine.text <> '' AND i.deleted_at IS NULL
    UNION ALL
    SELECT theirs.item FROM addresses ours
      JOIN addresses theirs ON theirs.account_id = ${account} AND theirs.address_hash = ours.address_hash
      JOIN documents mine ON mine.account_id = ${account} AND mine.id = ${documentId}
      JOIN items i ON i.account_id = ${account} AND i.seq = theirs.item
      JOIN documents other ON other.account_id = ${account} AND other.id = i.visible_document AND other.title = mine.title
    WHERE ours.account_id = ${account} AND ours.item = ${item} AND theirs.item <> ${item} AND i.deleted_at IS NULL`;
  return rows.map((row) => row.item);
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

/** The items whose visible text is nearly the same as this one's. */
async function nearCopies({ sql, account }: AccountTx, item: number): Promise<number[]> {
  const [own] = await sql<{ hash: Uint8Array }[]>`
    SELECT hash FROM fingerprints WHERE account_id = ${account} AND item = ${item}`;
  if (own === undefined) return [];
  const candidates = await sql<{ item: number; hash: Uint8Array }[]>`
    SELECT DISTINCT other.item, other.hash FROM fingerprint_bands mine
      JOIN fingerprint_bands theirs ON theirs.account_id = ${account} AND theirs.band = mine.band
        AND theirs.value = mine.value AND theirs.item <> mine.item
      JOIN fingerprints other ON other.account_id = ${account} AND other.item = theirs.item
    WHERE mine.account_id = ${account} AND mine.item = ${item}`;
  return candidates
    .filter(({ hash }) => differingBits(own.hash, hash) <= maxDifferingBits)
    .map((candidate) => candidate.item);
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
  const alike = new Set([...(await sameItems(db, item, documentId)), ...(await nearCopies(db, item))]);
  alike.delete(item);
  if (alike.size === 0) return;
  // A duplicate points to the first item of its group, which is never a duplicate itself: chains stay one step long.
  const [first, ...copies] = await sql<{ seq: number; id: string }[]>`
    SELECT DISTINCT coalesce(head.seq, i.seq) AS seq, coalesce(head.id, i.id) AS id
    FROM items i LEFT JOIN items head ON head.account_id = ${account} AND head.id = i.duplicate_of
    WHERE i.account_id = ${account} AND i.seq = ANY(${[item, ...alike]}) AND (i.deleted_at IS NULL OR i.seq = ${item})
    ORDER BY 1`;
  if (first === undefined || copies.length === 0) return;
  await sql`
    UPDATE items SET duplicate_of = ${first.id}, updated_at = greatest(updated_at + 1, ${now})
    WHERE account_id = ${account}
      AND (seq = ANY(${copies.map(({ seq }) => seq)}) OR duplicate_of = ANY(${copies.map(({ id }) => id)}))`;
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
