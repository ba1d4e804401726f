import type { ChangedRow } from '../../history/changed-rows.ts';
import type { LibraryNow } from '../../history/conflicts.ts';
import { type FindItemName, type ItemName, subjectOf } from '../../history/shown-changes.ts';
import type { AccountTx } from '../account-access.ts';
import { listGoalTitles, sameTitle } from '../analyses/goals.ts';
import { addressHash } from '../items/address-hash.ts';
import { currentRows } from './rows.ts';

/**
 * Looks up beforehand what rows of one entry are called, and what may stand against undoing them: in a few statements,
 * however many rows there are.
 */
export async function libraryNow(db: AccountTx, rows: readonly ChangedRow[]): Promise<LibraryNow> {
  const current = await currentRows(db, rows);
  const findItem = await itemNames(db, rows);
  const documents = await existingDocuments(db, rows);
  const later = await laterChanges(db, rows);
  const addresses = await itemsWithAddresses(db, rows);
  const goals = rows.some(({ kind }) => kind === 'goal') ? await listGoalTitles(db) : [];
  const usedGoals = await goalsUsed(db, rows);
  const highlights = await highlightsOfItems(db, rows);
  return {
    subjectOf: (row) => subjectOf(row, findItem),
    current,
    hasItem: ({ item }) => findItem(item) !== undefined,
    hasDocument: ({ before }) => before?.['document'] === null || documents.has(Number(before?.['document'] ?? -1)),
    laterChange: ({ key }) => later.get(key) ?? null,
    itemWithAddress: ({ key, before }) =>
      addresses.find(({ seq, canonicalUrl }) => seq !== key && canonicalUrl === before?.['canonical_url'])?.id ?? null,
    goalWithTitle: ({ before }) => goals.find(({ title }) => sameTitle(title, String(before?.['title'])))?.id ?? null,
    isGoalUsed: ({ subject }) => usedGoals.has(subject ?? ''),
    mayComeBack: ({ item: key, subject, before }) =>
      findItem(key) !== undefined &&
      !highlights.some(
        ({ id, item, source }) => id === subject || (item === key && source !== null && source === before?.['source']),
      ),
  };
}

/** Finds the names of the items that rows belong to. */
export async function itemNames(
  { sql, account }: AccountTx,
  rows: readonly Pick<ChangedRow, 'item'>[],
): Promise<FindItemName> {
  const keys = [...new Set(rows.flatMap(({ item }) => item ?? []))];
  if (keys.length === 0) return () => undefined;
  const items = await sql<(ItemName & { seq: number })[]>`
    SELECT i.seq, i.id, coalesce(i.given_title, d.title) AS title, i.url
    FROM items i LEFT JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
    WHERE i.account_id = ${account} AND i.seq = ANY(${keys}::bigint[])`;
  const bySeq = new Map(items.map(({ seq, ...name }) => [seq, name]));
  return (key) => (key === null ? undefined : bySeq.get(key));
}

/** Those of the texts that rows pointed to that are still there. */
export async function existingDocuments(
  { sql, account }: AccountTx,
  rows: readonly Pick<ChangedRow, 'before'>[],
): Promise<ReadonlySet<number>> {
  const pointedTo = rows.map(({ before }) => before?.['document']).filter((id) => typeof id === 'number');
  const ids = [...new Set(pointedTo)];
  if (ids.length === 0) return new Set();
  const found = await sql<{ id: number }[]>`
    SELECT id FROM documents WHERE account_id = ${account} AND id = ANY(${ids}::bigint[])`;
  return new Set(found.map(({ id }) => id));
}

/** SQL: a change `x`, of the entry `h`, that was neither undone nor undid another one. */
const stillCounts = ({ sql }: AccountTx) =>
  sql`x.before::text IS DISTINCT FROM x.after::text AND h.undone_by IS NULL AND h.undoes IS NULL`;

/** Of items that the entry saved: the operation of the last change after it. */
async function laterChanges(db: AccountTx, rows: readonly ChangedRow[]): Promise<ReadonlyMap<number, string>> {
  const { sql, account } = db;
  const saved = rows.filter(({ kind, before }) => kind === 'item' && before === null);
  const [first] = saved;
  if (first === undefined) return new Map();
  const found = await sql<{ item: number; operation: string }[]>`
    SELECT DISTINCT ON (x.item) x.item, h.operation
    FROM history_changes x JOIN history h ON h.account_id = ${account} AND h.seq = x.entry
    WHERE x.account_id = ${account} AND x.item = ANY(${saved.map(({ key }) => key)}::bigint[])
      AND x.entry > ${first.entry} AND ${stillCounts(db)}
    ORDER BY x.item, x.entry DESC`;
  return new Map(found.map(({ item, operation }) => [item, operation]));
}

interface Addressed {
  seq: number;
  id: string;
  canonicalUrl: string;
}

/** Items, not in the trash, that have an address which an item of the entry had before. */
async function itemsWithAddresses({ sql, account }: AccountTx, rows: readonly ChangedRow[]): Promise<Addressed[]> {
  const hashes = rows
    .filter(({ kind, before }) => kind === 'item' && before !== null)
    .map(({ before }) => Buffer.from(addressHash(String(before?.['canonical_url']))).toString('hex'));
  if (hashes.length === 0) return [];
  return [
    ...(await sql<Addressed[]>`
      SELECT seq, id, canonical_url FROM items WHERE account_id = ${account} AND deleted_at IS NULL
        AND url_hash IN (SELECT decode(h.hash, 'hex') FROM unnest(${hashes}::text[]) AS h (hash))`),
  ];
}

/** Of goals that the entry made. */
async function goalsUsed(db: AccountTx, rows: readonly ChangedRow[]): Promise<ReadonlySet<string>> {
  const { sql, account } = db;
  const made = rows.filter(({ kind, before }) => kind === 'goal' && before === null);
  const [first] = made;
  if (first === undefined) return new Set();
  const ids = made.flatMap(({ subject }) => subject ?? []);
  const used = await sql<{ id: string }[]>`
    SELECT a.goal AS id FROM actions a
    WHERE a.account_id = ${account} AND a.goal = ANY(${ids}::text[]) AND a.touched_at IS NOT NULL
      -- Action items of items that the same change saved go with them.
      AND NOT EXISTS (SELECT 1 FROM history_changes x WHERE x.account_id = ${account} AND x.entry = ${first.entry}
        AND x.kind = 'item' AND x.key = a.item AND x.part = '' AND x.before IS NULL)
    UNION
    SELECT x.subject FROM history_changes x JOIN history h ON h.account_id = ${account} AND h.seq = x.entry
    WHERE x.account_id = ${account} AND x.kind = 'goal' AND x.subject = ANY(${ids}::text[])
      AND x.entry > ${first.entry} AND ${stillCounts(db)}`;
  return new Set(used.map(({ id }) => id));
}

interface KnownHighlight {
  id: string;
  item: number;
  source: string | null;
}

/** The highlights beside which those of the entry would come back. */
async function highlightsOfItems({ sql, account }: AccountTx, rows: readonly ChangedRow[]): Promise<KnownHighlight[]> {
  const removed = rows.filter(({ kind, before, after }) => kind === 'highlight' && before !== null && after === null);
  if (removed.length === 0) return [];
  const items = [...new Set(removed.flatMap(({ item }) => item ?? []))];
  return [
    ...(await sql<KnownHighlight[]>`
      SELECT id, item, source FROM highlights
      WHERE account_id = ${account}
        AND (item = ANY(${items}::bigint[]) OR id = ANY(${removed.map(({ subject }) => subject ?? '')}::text[]))`),
  ];
}
