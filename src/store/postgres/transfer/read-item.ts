import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { ExportedAction, ExportedGoal, ExportedItem } from '../../../domain/records/transfers/exported.ts';
import type { ItemToExport } from '../../transfer.ts';
import type { AccountTx } from '../account-access.ts';

export async function listToExport({ sql, account }: AccountTx, after: number, limit: number): Promise<ItemToExport[]> {
  const rows = await sql<(ItemToExport & { url: string; knownTitle: { title?: string } | null })[]>`
    SELECT i.seq, i.id, i.url, i.updated_at, coalesce(i.given_title, d.title) AS title, i.known AS known_title
    FROM items i LEFT JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
    WHERE i.account_id = ${account} AND i.seq > ${after} AND i.deleted_at IS NULL ORDER BY i.seq LIMIT ${limit}`;
  return rows.map(({ knownTitle, ...row }) => ({
    ...row,
    title: row.title ?? knownTitle?.title ?? null,
    url: shownAddress(row.url),
  }));
}

type ItemRow = Omit<
  ExportedItem,
  | 'tags'
  | 'documents'
  | 'passages'
  | 'fingerprint'
  | 'addresses'
  | 'insights'
  | 'actions'
  | 'highlights'
  | 'job'
  | 'betterAnalysis'
  | 'originals'
> & { seq: number };

/** Statements that do not need each other's answers are sent together. */
export async function readToExport(db: AccountTx, id: string): Promise<ExportedItem | null> {
  const { sql, account } = db;
  const [row] = await sql<ItemRow[]>`
    SELECT i.seq, i.id, i.url, i.canonical_url, i.state, coalesce(i.given_title, d.title) AS title, i.given_title,
      i.notes, i.summary, i.analysis, i.known, i.duplicate_of, i.created_at, i.updated_at, i.processed_at,
      d.version AS visible_version
    FROM items i LEFT JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
    WHERE i.account_id = ${account} AND i.id = ${id} AND i.deleted_at IS NULL`;
  if (row === undefined) return null;
  const { seq, ...item } = row;
  const own = sql`account_id = ${account} AND item = ${seq}`;
  const [tags, documents, passages, fingerprints, addresses, originals, jobs, analyses] = await Promise.all([
    sql<{ tag: string }[]>`SELECT tag FROM item_tags WHERE ${own} ORDER BY ordinal, folded`.execute(),
    sql<ExportedItem['documents']>`
      SELECT version, content_type, title, author, site_name, published_at, language, canonical_url, duration_seconds,
        page_count, word_count, warnings, created_at, text, blocks
      FROM documents WHERE ${own} ORDER BY version`.execute(),
    sql<(Omit<ExportedItem['passages'][number], 'fragment'> & { fragment: string | null })[]>`
      SELECT ordinal, start_at AS start, end_at AS "end", heading_path, locator, fragment
      FROM passages WHERE ${own} ORDER BY ordinal`.execute(),
    sql<{ hash: string }[]>`SELECT encode(hash, 'hex') AS hash FROM fingerprints WHERE ${own}`.execute(),
    sql<{ address: string }[]>`
      SELECT address FROM addresses WHERE ${own} AND address IS NOT NULL ORDER BY address COLLATE "C"`.execute(),
    sql<ExportedItem['originals']>`
      SELECT name, url, final_url, declared_type, fetched_at, given AS is_given, encode(hash, 'hex') AS hash, '' AS file
      FROM originals WHERE ${own} ORDER BY name COLLATE "C"`.execute(),
    sql<NonNullable<ExportedItem['job']>[]>`
      SELECT stage, CASE state WHEN 'claimed' THEN 'waiting' ELSE state END AS state, attempts,
        background AS is_background, failure_code, failure_message, failure_retryable AS is_retryable
      FROM jobs WHERE ${own}`.execute(),
    sql<NonNullable<ExportedItem['betterAnalysis']>[]>`
      SELECT CASE WHEN given_up THEN 'failed' WHEN state = 'claimed' THEN 'waiting' ELSE state END AS state, attempts,
        failure_code, failure_message
      FROM llm_analyses WHERE ${own}`.execute(),
  ]);
  return {
    ...item,
    title: item.title ?? titleIn(item.known),
    tags: tags.map(({ tag }) => tag),
    documents: [...documents],
    // As in SQLite: an empty fragment says that there is none, and none that it was not computed.
    passages: passages.map(({ fragment, ...passage }) => ({
      ...passage,
      ...(fragment !== null && { fragment: fragment === '' ? null : fragment }),
    })),
    fingerprint: fingerprints[0]?.hash ?? null,
    addresses: addresses.map(({ address }) => address),
    ...(await readPlaced(db, seq)),
    job: jobs[0] ?? null,
    betterAnalysis: analyses[0] ?? null,
    originals: [...originals],
  };
}

function titleIn(known: ExportedItem['known']): string | null {
  const title = known?.['title'];
  return typeof title === 'string' ? title : null;
}

/** What has a place in a text. */
async function readPlaced(
  { sql, account }: AccountTx,
  item: number,
): Promise<Pick<ExportedItem, 'insights' | 'actions' | 'highlights'>> {
  const place = (table: 'n' | 'a' | 'h') =>
    sql`${sql(table)}.start_at AS start, ${sql(table)}.end_at AS "end", ${sql(table)}.locator, ${sql(table)}.url`;
  const [insights, actions, highlights] = await Promise.all([
    sql<ExportedItem['insights']>`
      SELECT d.version, n.text, n.quote, ${place('n')}, n.goal AS goal_id, n.goal_reason
      FROM insights n JOIN documents d ON d.account_id = ${account} AND d.id = n.document
      WHERE n.account_id = ${account} AND n.item = ${item} ORDER BY n.ordinal`.execute(),
    sql<ExportedAction[]>`
      SELECT a.id, d.version, a.goal AS goal_id, a.goal_reason, a.title, a.reason, a.quote, ${place('a')}, a.state,
        a.touched_at, a.completed_at, a.due, a.created_at, head.id AS merged_into
      FROM actions a LEFT JOIN documents d ON d.account_id = ${account} AND d.id = a.document
        LEFT JOIN actions head ON head.account_id = ${account} AND head.seq = a.merged_into
      WHERE a.account_id = ${account} AND a.item = ${item} ORDER BY a.seq`.execute(),
    sql<ExportedItem['highlights']>`
      SELECT h.id, h.source, h.quote, h.note, h.colour, d.version, ${place('h')}, h.touched_at, h.created_at,
        h.updated_at, h.deleted_at
      FROM highlights h LEFT JOIN documents d ON d.account_id = ${account} AND d.id = h.document
      WHERE h.account_id = ${account} AND h.item = ${item} ORDER BY h.seq`.execute(),
  ]);
  return { insights: [...insights], actions: [...actions], highlights: [...highlights] };
}

export async function listGoalsToExport({ sql, account }: AccountTx): Promise<ExportedGoal[]> {
  const rows = await sql<ExportedGoal[]>`
    SELECT id, title, category, description, created_at, archived_at FROM goals WHERE account_id = ${account}
    ORDER BY seq`;
  return [...rows];
}
