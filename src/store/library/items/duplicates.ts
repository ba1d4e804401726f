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
import { all, type Db, first, grown, keyed, later, sql, type Steps, text, together } from '../db.ts';

/*
 * Two items are duplicates when their texts are equal, or when most words of each are in the other and they have near
 * fingerprints, or an address and a title in common. The address may be the saved one, the one after redirects, or the
 * canonical one that the page names.
 *
 * `CROSS JOIN` keeps SQLite from looking for the item among all others.
 */

/** Replaces the fingerprint of an item's visible text; null: the text is too short to have one. */
export function* replaceFingerprint(db: Db, item: number, fingerprint: Uint8Array | null): Steps<void> {
  yield* later`DELETE FROM fingerprints WHERE ${db.of('fingerprints')} AND item = ${item}`;
  if (fingerprint === null) return;
  yield* later`${db.row('fingerprints', { item, hash: fingerprint })}`;
  // A band has 16 bits.
  const bands = Array.from(bandsOf(fingerprint), ([band, value]) => band * 65_536 + value);
  yield* later`
    INSERT INTO fingerprint_bands (${db.account.column} band, value, item)
    SELECT ${db.account.value} b.value / 65536, b.value % 65536, ${item} FROM ${db.numbers('b', bands)}`;
}

/**
 * Stores the addresses of an item whose document has become visible, and marks duplicates again.
 * @param isSameText whether its duplicates were compared with the same text: they stay marked
 */
export function* linkDuplicates(db: Db, item: number, documentId: number, isSameText = false): Steps<void> {
  yield* keepAddresses(db, item, documentId);
  yield* later`
    UPDATE items SET duplicate_of = NULL, updated_at = ${grown(db.now)} WHERE ${db.of('items')} AND seq = ${item}`;
  if (!isSameText) yield* regroupCopies(db, item);
  yield* linkAlike(db, item);
}

/** Whether a document says the same as the one that is visible. */
export function* saysTheSame(db: Db, item: number, documentId: number): Steps<boolean> {
  const same = yield* first`
    SELECT 1 AS found FROM items i JOIN documents shown ON ${db.of('shown')} AND shown.id = i.visible_document
      JOIN documents d ON ${db.of('d')} AND d.id = ${documentId} AND d.text_hash = shown.text_hash
    WHERE ${db.of('i')} AND i.seq = ${item}`;
  return same !== undefined;
}

/**
 * Removes an item from the group that it is the first of: the next one becomes the first of those that are still similar. Their
 * texts were compared when they were marked, so only their keys and fingerprints are.
 */
export function* regroupCopies(db: Db, item: number): Steps<void> {
  const copies = yield* all<{ seq: number }>`
    UPDATE items SET duplicate_of = NULL, updated_at = ${grown(db.now)}
    WHERE ${db.of('items')} AND duplicate_of = (SELECT h.id FROM items h WHERE ${db.of('h')} AND h.seq = ${item})
    RETURNING seq`;
  if (copies.length < 2) return;
  const asked = db.numbers(
    'asked',
    copies.map(({ seq }) => seq),
  );
  const [texts, addresses, fingerprints] = yield* together(
    all<{ item: number; hash: Uint8Array }>`
      SELECT i.seq AS item, d.text_hash AS hash FROM ${asked} CROSS JOIN items i
        JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
      WHERE ${db.of('i')} AND i.seq = asked.value AND d.text <> ''`,
    all<{ item: number; address: string; title: string }>`
      SELECT i.seq AS item, a.address, d.title FROM ${asked} CROSS JOIN addresses a
        JOIN items i ON ${db.of('i')} AND i.seq = a.item
        JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
      WHERE ${db.of('a')} AND a.item = asked.value AND d.title IS NOT NULL`,
    all<Fingerprinted>`
      SELECT f.item, f.hash FROM ${asked} CROSS JOIN fingerprints f WHERE ${db.of('f')} AND f.item = asked.value`,
  );
  const keys: SharedKey[] = [
    ...texts.map(({ item: copy, hash }) => ({ item: copy, key: Buffer.from(hash).toString('hex') })),
    ...addresses.map(({ item: copy, address, title }) => ({ item: copy, key: JSON.stringify([address, title]) })),
  ];
  for (const group of groupAlike(keys, fingerprints)) yield* joinGroups(db, group);
}

/** Marks an unmarked item and similar ones: all but the first of a group of duplicates. */
function* linkAlike(db: Db, item: number): Steps<void> {
  const itemText = sql`
    i.seq AS item, coalesce(head.seq, i.seq) AS head, i.visible_document AS document, i.passage_count AS passages`;
  const withHead = sql`LEFT JOIN items head ON ${db.of('head')} AND head.id = i.duplicate_of`;
  const own = sql`items mine JOIN documents own ON ${db.of('own')} AND own.id = mine.visible_document`;
  const address = text(db.keyColumn('address'));
  const [found, equal, claimed, near] = yield* together(
    first<ItemText & { hash: Uint8Array | null }>`
      SELECT ${itemText}, f.hash FROM items i ${withHead}
        LEFT JOIN fingerprints f ON ${db.of('f')} AND f.item = i.seq
      WHERE ${db.of('i')} AND i.seq = ${item}`,
    all<{ head: number }>`
      SELECT DISTINCT coalesce(head.seq, i.seq) AS head
      FROM ${own} CROSS JOIN documents d
        JOIN items i ON ${db.of('i')} AND i.seq = d.item AND i.visible_document = d.id ${withHead}
      WHERE ${db.of('mine')} AND mine.seq = ${item} AND own.text <> ''
        AND ${db.of('d')} AND d.text_hash = own.text_hash AND i.deleted_at IS NULL`,
    all<ItemText>`
      SELECT DISTINCT ${itemText}
      FROM ${own} CROSS JOIN addresses ours CROSS JOIN addresses theirs
        JOIN items i ON ${db.of('i')} AND i.seq = theirs.item
        JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document AND d.title = own.title ${withHead}
      WHERE ${db.of('mine')} AND mine.seq = ${item} AND ${db.of('ours')} AND ours.item = mine.seq
        AND ${db.of('theirs')} AND theirs.${address} = ours.${address} AND i.deleted_at IS NULL`,
    all<ItemText & { hash: Uint8Array }>`
      SELECT ${itemText}, f.hash
      FROM (SELECT DISTINCT theirs.item FROM fingerprint_bands ours CROSS JOIN fingerprint_bands theirs
          WHERE ${db.of('ours')} AND ours.item = ${item}
            AND ${db.of('theirs')} AND theirs.band = ours.band AND theirs.value = ours.value) near
        CROSS JOIN fingerprints f CROSS JOIN items i ${withHead}
      WHERE ${db.of('f')} AND f.item = near.item AND ${db.of('i')} AND i.seq = f.item AND i.deleted_at IS NULL`,
  );
  if (found === undefined) return;
  const heads = new Set([item, ...equal.map(({ head }) => head)]);
  const comparisons = compareWith(found, chooseCompared(found, near, claimed, heads));
  if (comparisons.length > 0) {
    const passages = yield* readPassages(db, passagesToRead(comparisons));
    for (const head of alikeHeads(comparisons, passages)) heads.add(head);
  }
  yield* joinGroups(db, [...heads]);
}

function* readPassages(db: Db, asked: readonly PassageKey[]): Steps<(PassageKey & { text: string })[]> {
  const ordinals = new Map<number, number[]>();
  for (const { document, ordinal } of asked) ordinals.set(document, [...(ordinals.get(document) ?? []), ordinal]);
  const found = yield* together(
    ...[...ordinals].map(
      ([document, those]) => all<PassageKey & { text: string }>`
        SELECT p.document, p.ordinal, p.text FROM passages p
        WHERE ${db.of('p')} AND p.document = ${document}
          AND p.ordinal IN (SELECT value FROM ${db.numbers('those', those)})`,
    ),
  );
  return found.flat();
}

/** Of items that are not marked, the first stays so. The others and their duplicates become its duplicates. */
function* joinGroups(db: Db, heads: readonly number[]): Steps<void> {
  const [lead, ...others] = heads.toSorted((a, b) => a - b);
  if (lead === undefined || others.length === 0) return;
  const other = db.numbers('other', others);
  yield* later`
    UPDATE items SET duplicate_of = (SELECT l.id FROM items l WHERE ${db.of('l')} AND l.seq = ${lead}),
      updated_at = ${grown(db.now)}
    WHERE ${db.of('items')} AND seq IN (
      SELECT value FROM ${other} UNION ALL
      SELECT copy.seq FROM ${other} CROSS JOIN items head CROSS JOIN items copy
      WHERE ${db.of('head')} AND head.seq = other.value AND ${db.of('copy')} AND copy.duplicate_of = head.id)`;
}

function* keepAddresses(db: Db, item: number, documentId: number): Steps<void> {
  const known = yield* first<{ saved: string; landed: string | null; claimed: string | null }>`
    SELECT i.canonical_url AS saved, o.final_url AS landed, d.canonical_url AS claimed
    FROM items i JOIN documents d ON ${db.of('d')} AND d.id = ${documentId}
      LEFT JOIN originals o ON ${db.of('o')} AND o.item = i.seq AND o.name = ''
    WHERE ${db.of('i')} AND i.seq = ${item}`;
  if (known === undefined) return;
  yield* later`DELETE FROM addresses WHERE ${db.of('addresses')} AND item = ${item}`;
  const others = [known.landed, known.claimed].filter((address) => address !== null && address !== known.saved);
  for (const address of new Set([known.saved, ...others.map((other) => canonicalUrl(other ?? ''))]))
    yield* writeAddress(db, item, address);
}

export function* writeAddress(db: Db, item: number, address: string): Steps<void> {
  yield* later`${db.row('addresses', { item, ...keyed(db, 'address', address) })} ON CONFLICT DO NOTHING`;
}
