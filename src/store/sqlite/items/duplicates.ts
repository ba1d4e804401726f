import { canonicalUrl } from '../../../domain/links/url.ts';
import { type Fingerprinted, groupAlike, type SharedKey } from '../../../domain/duplicates/alike-groups.ts';
import {
  alikeHeads,
  chooseCompared,
  compareWith,
  type ItemText,
  type PassageKey,
  passagesToRead,
} from '../../../domain/duplicates/alike-texts.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * Two items are duplicates when their texts are equal, or when most words of each are in the other and they have near
 * fingerprints, or an address and a title in common. The address may be the saved one, the one after redirects, or the
 * canonical one that the page names.
 */

/** An `ItemText` of the item `c`. */
const itemText = `c.seq AS item, coalesce(head.seq, c.seq) AS head, c.visible_document AS document,
  c.passage_count AS passages`;
const withHead = 'LEFT JOIN items head ON head.id = c.duplicate_of';

const ownText = `
  SELECT ${itemText}, f.hash FROM items c ${withHead} LEFT JOIN fingerprints f ON f.item = c.seq WHERE c.seq = ?`;

const sameTexts = `
  SELECT DISTINCT coalesce(head.seq, c.seq) AS head
  FROM items mine JOIN documents own ON own.id = mine.visible_document
    CROSS JOIN documents d ON d.text_hash = own.text_hash
    JOIN items c ON c.seq = d.item AND c.visible_document = d.id ${withHead}
  WHERE mine.seq = ? AND own.text <> '' AND c.deleted_at IS NULL`;

const sameAddressesAndTitles = `
  SELECT DISTINCT ${itemText}
  FROM items mine JOIN documents own ON own.id = mine.visible_document
    CROSS JOIN addresses ours ON ours.item = mine.seq
    CROSS JOIN addresses theirs ON theirs.address = ours.address
    JOIN items c ON c.seq = theirs.item
    JOIN documents d ON d.id = c.visible_document AND d.title = own.title ${withHead}
  WHERE mine.seq = ? AND c.deleted_at IS NULL`;

const nearFingerprints = `
  SELECT ${itemText}, f.hash
  FROM (SELECT DISTINCT theirs.item FROM fingerprint_bands mine
      CROSS JOIN fingerprint_bands theirs ON theirs.band = mine.band AND theirs.value = mine.value
      WHERE mine.item = ?) near
    CROSS JOIN fingerprints f ON f.item = near.item
    CROSS JOIN items c ON c.seq = f.item ${withHead}
  WHERE c.deleted_at IS NULL`;

/**
 * Stores the addresses of an item whose document has become visible, and marks duplicates anew.
 * @param isSameText whether its text is the one that its copies were compared with: they stay marked
 */
export function linkDuplicates(
  file: SqliteFile,
  item: number,
  documentId: number,
  now: number,
  isSameText = false,
): void {
  keepAddresses(file, item, documentId);
  file.run('UPDATE items SET duplicate_of = NULL, updated_at = max(updated_at + 1, ?) WHERE seq = ?', now, item);
  if (!isSameText) regroupCopies(file, item, now);
  linkAlike(file, item, now);
}

/** Whether a document says the same as the one that is visible. */
export function saysTheSame(file: SqliteFile, item: number, documentId: number): boolean {
  const same = `SELECT 1 FROM items c JOIN documents shown ON shown.id = c.visible_document
    JOIN documents d ON d.id = ? AND d.text_hash = shown.text_hash WHERE c.seq = ?`;
  return file.get(same, documentId, item) !== undefined;
}

/**
 * Takes an item out of the group that it is the first of: the next one becomes the first of those that are still alike.
 * Their texts were compared when they were marked, so only their keys and fingerprints are.
 */
export function regroupCopies(file: SqliteFile, item: number, now: number): void {
  const copies = file.all<{ seq: number }>(
    `UPDATE items SET duplicate_of = NULL, updated_at = max(updated_at + 1, ?)
     WHERE duplicate_of = (SELECT id FROM items WHERE seq = ?) RETURNING seq`,
    now,
    item,
  );
  if (copies.length < 2) return;
  const asked = JSON.stringify(copies.map(({ seq }) => seq));
  const keys = file.all<SharedKey>(
    `SELECT c.seq AS item, hex(d.text_hash) AS key
     FROM json_each(@asked) copy CROSS JOIN items c ON c.seq = copy.value JOIN documents d ON d.id = c.visible_document
     WHERE d.text <> ''
     UNION ALL
     SELECT c.seq, json_array(a.address, d.title)
     FROM json_each(@asked) copy CROSS JOIN addresses a ON a.item = copy.value JOIN items c ON c.seq = a.item
       JOIN documents d ON d.id = c.visible_document
     WHERE d.title IS NOT NULL`,
    { asked },
  );
  const fingerprints = file.all<Fingerprinted>(
    'SELECT f.item AS item, f.hash FROM json_each(?) copy CROSS JOIN fingerprints f ON f.item = copy.value',
    asked,
  );
  for (const group of groupAlike(keys, fingerprints)) joinGroups(file, group, now);
}

/** Marks an item, which is not marked, and those that it is like: in a group of duplicates, all but the first. */
function linkAlike(file: SqliteFile, item: number, now: number): void {
  const own = file.get<ItemText & { hash: Uint8Array | null }>(ownText, item);
  if (own === undefined) return;
  const heads = new Set([item, ...file.all<{ head: number }>(sameTexts, item).map(({ head }) => head)]);
  const near = file.all<ItemText & { hash: Uint8Array }>(nearFingerprints, item);
  const claimed = file.all<ItemText>(sameAddressesAndTitles, item);
  const comparisons = compareWith(own, chooseCompared(own, near, claimed, heads));
  if (comparisons.length > 0) {
    const passages = file.all<PassageKey & { text: string }>(
      `SELECT p.document, p.ordinal, p.text FROM json_each(?) asked CROSS JOIN passages p
       ON p.document = asked.value ->> 'document' AND p.ordinal = asked.value ->> 'ordinal'`,
      JSON.stringify(passagesToRead(comparisons)),
    );
    for (const head of alikeHeads(comparisons, passages)) heads.add(head);
  }
  joinGroups(file, [...heads], now);
}

/** Of items that are not marked, the first stays so. The others and their duplicates become its duplicates. */
function joinGroups(file: SqliteFile, heads: readonly number[], now: number): void {
  const [first, ...others] = heads.toSorted((a, b) => a - b);
  if (first === undefined || others.length === 0) return;
  file.run(
    `UPDATE items SET duplicate_of = (SELECT id FROM items WHERE seq = @first), updated_at = max(updated_at + 1, @now)
     WHERE seq IN (SELECT value FROM json_each(@others) UNION ALL
       SELECT copy.seq FROM json_each(@others) other CROSS JOIN items head ON head.seq = other.value
         CROSS JOIN items copy ON copy.duplicate_of = head.id)`,
    { first, now, others: JSON.stringify(others) },
  );
}

function keepAddresses(file: SqliteFile, item: number, documentId: number): void {
  const known = file.get<{ saved: string; landed: string | null; claimed: string | null }>(
    `SELECT c.canonical_url AS saved, o.final_url AS landed, d.canonical_url AS claimed
     FROM items c JOIN documents d ON d.id = ? LEFT JOIN originals o ON o.item = c.seq AND o.name = ''
     WHERE c.seq = ?`,
    documentId,
    item,
  );
  if (known === undefined) return;
  file.run('DELETE FROM addresses WHERE item = ?', item);
  const others = [known.landed, known.claimed].filter((address) => address !== null && address !== known.saved);
  for (const address of new Set([known.saved, ...others.map((other) => canonicalUrl(other ?? ''))])) {
    file.run('INSERT INTO addresses (address, item) VALUES (?, ?)', address, item);
  }
}
