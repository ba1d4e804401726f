import type { ContentItem, ContentSummary } from '../../../domain/records/content.ts';
import { restorableForMs } from '../../../domain/records/limits.ts';
import { foldTag } from '../../../domain/records/tags.ts';
import { type ContentRecord, summaryOf, titleOf, type TitleRecord } from '../../records/content-record.ts';
import type { ContentQuery, ItemTitle, ItemWithoutText, KindCount, KnownNames, Page } from '../../records.ts';
import type { Coverage } from '../../records/search-records.ts';
import { type AccountTx, passedTime } from '../account-access.ts';
import { listActionsOfItem } from '../../library/actions.ts';
import { listInsights } from '../../library/analyses.ts';
import { highlightsShownWith } from '../../library/highlights.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { decodeText } from '../text-codec.ts';
import { readText } from '../../library/documents.ts';

/** An item `i` with its visible document, its job and its LLM analysis. */
const record = ({ sql, account }: AccountTx) => sql`
  i.seq, i.id, i.url, i.canonical_url, i.state, i.notes, i.summary, i.analysis, i.duplicate_of, i.known, i.deleted_at,
  i.created_at, i.processed_at, i.visible_document, i.content_type, coalesce(i.given_title, d.title) AS title,
  (SELECT coalesce(json_agg(t.tag ORDER BY t.ordinal), '[]') FROM item_tags t
    WHERE t.account_id = ${account} AND t.item = i.seq) AS tags,
  d.author, d.site_name, d.published_at, d.language, d.word_count, d.duration_seconds, d.page_count, d.warnings,
  j.stage, j.state AS job_state, j.attempts, j.due_at, j.failure_code, j.failure_message, j.failure_retryable,
  b.given_up AS is_given_up, b.failure_code AS llm_failure_code, b.failure_message AS llm_failure_message`;

const joined = ({ sql }: AccountTx) => sql`
  items i LEFT JOIN documents d ON d.account_id = i.account_id AND d.id = i.visible_document
  LEFT JOIN jobs j ON j.account_id = i.account_id AND j.item = i.seq
  LEFT JOIN llm_analyses b ON b.account_id = i.account_id AND b.item = i.seq`;

/** The driver decodes texts, but not those within JSON that a statement makes. */
function withTags(row: ContentRecord): ContentRecord {
  return { ...row, tags: row.tags.map(decodeText) };
}

async function readRecord(db: AccountTx, id: string): Promise<ContentRecord | undefined> {
  const { sql, account } = db;
  const [row] = await sql<ContentRecord[]>`
    SELECT ${record(db)} FROM ${joined(db)} WHERE i.account_id = ${account} AND i.id = ${id} AND i.deleted_at IS NULL`;
  return row === undefined ? undefined : withTags(row);
}

/** A deleted item that can still be restored. */
export async function getDeletedSummary(db: AccountTx, id: string, passed: number): Promise<ContentSummary | null> {
  const { sql, account, now } = db;
  const [row] = await sql<ContentRecord[]>`
    SELECT ${record(db)} FROM ${joined(db)}
    WHERE i.account_id = ${account} AND i.id = ${id} AND i.deleted_passed > ${passed - restorableForMs}`;
  return row === undefined ? null : summaryOf(withTags(row), now);
}

export async function getContentSummary(db: AccountTx, id: string): Promise<ContentSummary | null> {
  const row = await readRecord(db, id);
  return row === undefined ? null : summaryOf(row, db.now);
}

export async function getContent(db: AccountTx, id: string): Promise<ContentItem | null> {
  const item = await getItem(db, id);
  if (item === null) return null;
  const text = await runSteps(db, readText(postgresDb(db), id));
  return { ...item, ...(text !== null && { transcript: text.text }) };
}

/** The item without its text, as a save returns it. */
export async function getItem(db: AccountTx, id: string): Promise<ItemWithoutText | null> {
  const row = await readRecord(db, id);
  if (row === undefined) return null;
  const [keyInsights, actions, highlights] = await Promise.all([
    runSteps(db, listInsights(postgresDb(db), row.seq, row.visibleDocument)),
    runSteps(db, listActionsOfItem(postgresDb(db), row.seq)),
    runSteps(db, highlightsShownWith(postgresDb(db), row.seq)),
  ]);
  return { ...summaryOf(row, db.now), keyInsights, actions, ...highlights };
}

/** One that was just made: nothing was found in it yet. */
export async function getNewItem(db: AccountTx, id: string): Promise<ItemWithoutText | null> {
  const summary = await getContentSummary(db, id);
  return summary === null ? null : { ...summary, keyInsights: [], actions: [] };
}

/** Newest first, unless the query says otherwise; deleted items by time of deletion. */
export async function listContent(db: AccountTx, query: ContentQuery): Promise<Page<ContentSummary>> {
  const { sql, now } = db;
  const { condition, order } = await listed(db, query);
  const rows = await sql<ContentRecord[]>`
    SELECT ${record(db)} FROM ${joined(db)} WHERE ${condition} ${order} LIMIT ${query.limit} OFFSET ${query.offset}`;
  return { items: rows.map((row) => summaryOf(withTags(row), now)), total: await countListed(db, condition) };
}

/** The same items in the same order as `listContent`. */
export async function listTitles(db: AccountTx, query: ContentQuery): Promise<Page<ItemTitle>> {
  const { sql } = db;
  const { condition, order } = await listed(db, query);
  const rows = await sql<TitleRecord[]>`
    SELECT i.id, coalesce(i.given_title, d.title, i.known ->> 'title') AS title, i.url, i.content_type,
      i.created_at
    FROM items i LEFT JOIN documents d ON d.account_id = i.account_id AND d.id = i.visible_document
      LEFT JOIN jobs j ON j.account_id = i.account_id AND j.item = i.seq
    WHERE ${condition} ${order} LIMIT ${query.limit} OFFSET ${query.offset}`;
  return { items: rows.map(titleOf), total: await countListed(db, condition) };
}

type Fragment = ReturnType<typeof listCondition>;

async function countListed({ sql }: AccountTx, condition: Fragment): Promise<number> {
  const [counted] = await sql<{ total: number }[]>`
    SELECT count(*) AS total FROM items i LEFT JOIN jobs j ON j.account_id = i.account_id AND j.item = i.seq
    WHERE ${condition}`;
  return counted?.total ?? 0;
}

/** Which items `i`, with documents `d` and jobs `j`, are in a list, and their order. */
async function listed(db: AccountTx, query: ContentQuery): Promise<{ condition: Fragment; order: Fragment }> {
  const { sql } = db;
  const { deleted = false, order = 'newest' } = query;
  const orders = {
    newest: sql`ORDER BY i.created_at DESC, i.seq DESC`,
    oldest: sql`ORDER BY i.created_at, i.seq`,
    // Only letters of ASCII count as the same in either case, as in SQLite.
    title: sql`ORDER BY lower(coalesce(i.given_title, d.title, i.url) COLLATE "C"), i.seq DESC`,
  };
  return {
    condition: listCondition(db, query, deleted ? await passedTime(db) : 0),
    order: deleted ? sql`ORDER BY i.deleted_at DESC, i.seq DESC` : orders[order],
  };
}

/** Not async: a fragment that is awaited is run as a statement. */
function listCondition(db: AccountTx, query: ContentQuery, passed: number) {
  const { sql, account, now } = db;
  const { status } = query;
  const isProcessing = sql`(j.state = 'claimed' AND j.due_at > ${now})`;
  const conditions = [sql`i.account_id = ${account}`];
  if (query.deleted === true)
    conditions.push(sql`i.deleted_at IS NOT NULL AND i.deleted_passed > ${passed - restorableForMs}`);
  else conditions.push(sql`i.deleted_at IS NULL`);
  if (status === 'processing') conditions.push(sql`i.state = 'unfinished' AND ${isProcessing}`);
  else if (status === 'pending') conditions.push(sql`i.state = 'unfinished' AND NOT ${isProcessing}`);
  else if (status !== undefined) conditions.push(sql`i.state = ${status}`);
  if (query.createdSince !== undefined) conditions.push(sql`i.created_at >= ${query.createdSince}`);
  if (query.createdBefore !== undefined) conditions.push(sql`i.created_at < ${query.createdBefore}`);
  if (query.processedSince !== undefined) conditions.push(sql`i.processed_at >= ${query.processedSince}`);
  if (query.neverProcessed === true) conditions.push(sql`i.processed_at IS NULL`);
  if (query.contentType !== undefined) conditions.push(sql`i.content_type = ${query.contentType}`);
  for (const tag of new Set((query.tags ?? []).map(foldTag)))
    conditions.push(
      sql`i.seq IN (SELECT t.item FROM item_tags t WHERE t.account_id = ${account} AND t.folded = ${tag})`,
    );
  return conditions.reduce((all, one) => sql`${all} AND ${one}`);
}

export async function countKinds({ sql, account }: AccountTx): Promise<KindCount[]> {
  return [
    ...(await sql<KindCount[]>`
      SELECT content_type AS kind, count(*) FROM items
      WHERE account_id = ${account} AND deleted_at IS NULL AND content_type IS NOT NULL
      GROUP BY 1 ORDER BY 2 DESC, content_type COLLATE "C"`),
  ];
}

export async function listNames({ sql, account }: AccountTx, limit: number): Promise<KnownNames> {
  const tags = await sql<{ tag: string }[]>`
    SELECT min(t.tag COLLATE "C") AS tag
    FROM item_tags t JOIN items i ON i.account_id = t.account_id AND i.seq = t.item
    WHERE t.account_id = ${account} AND i.deleted_at IS NULL
    GROUP BY t.folded ORDER BY count(*) DESC, t.folded COLLATE "C" LIMIT ${limit}`;
  const items = await sql<{ id: string; title: string }[]>`
    SELECT i.id, coalesce(i.given_title, d.title) AS title
    FROM items i LEFT JOIN documents d ON d.account_id = i.account_id AND d.id = i.visible_document
    WHERE i.account_id = ${account} AND i.deleted_at IS NULL AND coalesce(i.given_title, d.title) IS NOT NULL
    ORDER BY i.created_at DESC, i.seq DESC LIMIT ${limit}`;
  return { tags: tags.map(({ tag }) => tag), items: [...items] };
}

export async function coverage({ sql, account }: AccountTx): Promise<Coverage> {
  const [counts] = await sql<Coverage[]>`
    SELECT count(*) FILTER (WHERE passage_count > 0) AS searchable,
      count(*) FILTER (WHERE passage_count = 0 AND state = 'unfinished') AS pending,
      count(*) FILTER (WHERE passage_count = 0 AND state = 'failed') AS failed
    FROM items WHERE account_id = ${account} AND deleted_at IS NULL`;
  return counts ?? { searchable: 0, pending: 0, failed: 0 };
}
