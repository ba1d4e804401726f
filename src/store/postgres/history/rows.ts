import type { ChangedRow, Kind, Values } from '../../history/changed-rows.ts';
import type { AccountTx } from '../account-access.ts';
import { decodeText } from '../text-codec.ts';

type StoredValues = Readonly<Record<string, string | number | null>>;
type StoredRow = Omit<ChangedRow, 'before' | 'after'> & { before: StoredValues | null; after: StoredValues | null };

/** These hold JSON as text, in which every character can stand. */
const jsonColumns = new Set(['analysis', 'locator']);

/** Texts within a record are as they are stored. */
function toValues(stored: StoredValues | null): Values | null {
  if (stored === null) return null;
  return Object.fromEntries(
    Object.entries(stored).map(([column, value]) => [
      column,
      typeof value === 'string' && !jsonColumns.has(column) ? decodeText(value) : value,
    ]),
  );
}

function toRow({ before, after, ...row }: StoredRow): ChangedRow {
  return { ...row, before: toValues(before), after: toValues(after) };
}

const selected = ({ sql, account }: AccountTx, entry: number) => sql`
  SELECT id, entry, kind, key, part, item, subject, before, after FROM history_changes
  WHERE account_id = ${account} AND entry = ${entry} AND before::text IS DISTINCT FROM after::text`;

/** The rows of an entry with smaller ids than `below`, the last ones first. */
export async function changedRows(db: AccountTx, entry: number, below: number, limit: number): Promise<ChangedRow[]> {
  const rows = await db.sql<StoredRow[]>`${selected(db, entry)} AND id < ${below} ORDER BY id DESC LIMIT ${limit}`;
  return rows.map(toRow);
}

/** The first rows of an entry; of an item, an action item, a goal or a highlight when one is given. */
export async function firstRows(
  db: AccountTx,
  entry: number,
  of: { item: number } | { subject: string } | null,
  limit: number,
): Promise<ChangedRow[]> {
  const { sql } = db;
  const about = of === null ? sql`` : 'item' in of ? sql`AND item = ${of.item}` : sql`AND subject = ${of.subject}`;
  const rows = await sql<StoredRow[]>`${selected(db, entry)} ${about} ORDER BY id LIMIT ${limit}`;
  return rows.map(toRow);
}

/** Where the rows of a kind are: the table, and the key and its part. */
const places: Readonly<Record<Kind, { table: string; key: string; part: string }>> = {
  item: { table: 'items', key: 'x.seq', part: `''` },
  action: { table: 'actions', key: 'x.seq', part: `''` },
  goal: { table: 'goals', key: 'x.seq', part: `''` },
  highlight: { table: 'highlights', key: 'x.seq', part: `''` },
  tag: { table: 'item_tags', key: 'x.item', part: 'x.folded' },
  insight: { table: 'insights', key: 'x.item', part: 'x.ordinal::text' },
  original: {
    table: 'originals',
    key: 'x.item',
    part: `CASE WHEN x.name = '' THEN '' ELSE encode(x.name_hash, 'hex') END`,
  },
};

const nameOf = ({ kind, key, part }: Pick<ChangedRow, 'kind' | 'key' | 'part'>) => `${kind} ${key} ${part}`;

const listOf = (keys: readonly number[]): string => `{${keys.join(',')}}`;

/** Finds a row as it is now; null when it is not there. */
export type CurrentRows = (row: Pick<ChangedRow, 'kind' | 'key' | 'part'>) => Values | null;

/** Reads what the rows are now. */
export async function currentRows(
  { sql, account }: AccountTx,
  rows: readonly Pick<ChangedRow, 'kind' | 'key' | 'part' | 'item'>[],
): Promise<CurrentRows> {
  const found = new Map<string, Values | null>();
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const { table, key: keyOf, part: partOf } = places[kind];
    const ofKind = rows.filter((row) => row.kind === kind);
    const keys = [...new Set(ofKind.map(({ key }) => key))];
    // Highlights have no index by their keys alone, and goals are few.
    const items = kind === 'highlight' ? [...new Set(ofKind.flatMap(({ item }) => item ?? []))] : null;
    const stored = await sql.unsafe(
      `SELECT ${keyOf} AS key, ${partOf} AS part, (noted(x)).state AS now FROM ${table} x
       WHERE x.account_id = $1 AND ${keyOf} = ANY($2::text::bigint[])
         ${items === null ? '' : 'AND x.item = ANY($3::text::bigint[])'}`,
      items === null ? [account, listOf(keys)] : [account, listOf(keys), listOf(items)],
    );
    for (const { key, part, now } of stored as unknown as { key: number; part: string; now: StoredValues }[])
      found.set(nameOf({ kind, key, part }), toValues(now));
  }
  return (row) => found.get(nameOf(row)) ?? null;
}
