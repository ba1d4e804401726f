import { noSuchAccount } from '../../../errors.ts';
import {
  type CopiedDocument,
  type CopiedItem,
  type CopiedPassage,
  type CopiedVector,
  completeCopy,
  type CopyState,
  type IndexPage,
  type ChangePosition,
} from '../../sqlite/copies/index-page.ts';
import type { AccountTx } from '../account-access.ts';

/* The changes that a replica of an account's search index lacks. JSON is passed on as text, and parsed by the reader of the replica. */

/** The required state of the replica: every change up to this one. */
export interface IndexState {
  source: string;
  change: number;
}

/**
 * An account that never wrote has nothing. The timeline is another one after a failover or a restore, when changes with
 * the same numbers may be others. @throws {AppError} `not_found` when the account was removed or is hidden
 */
export async function readIndexState({ sql, account }: AccountTx): Promise<IndexState> {
  const [row] = await sql<{ epoch: string; timeline: string; change: number; closed: boolean }[]>`
    SELECT index_epoch AS epoch, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline, index_change AS change,
      closed
    FROM libraries WHERE account_id = ${account}`;
  if (row === undefined) return { source: 'nothing', change: 0 };
  if (row.closed) throw noSuchAccount();
  return { source: `${row.epoch} ${row.timeline}`, change: row.change };
}

/** The limit of one page, which has at least one item. */
const maxOfPage = { items: 500, passages: 500, vectors: 2_000 };

interface ChangedItemRow extends Omit<CopiedItem, 'tags' | 'text' | 'marks' | 'id'> {
  change: number;
  /** Null when the item is gone. */
  id: string | null;
  hasText: boolean;
  document: number | null;
}

/**
 * The next part for a replica. Items are read in their current state; one that changes meanwhile comes again, at the end. A text is
 * copied when it changed after `complete`, however often its item was changed since.
 *
 * Vectors come after all items: they belong to passages, which have to exist. Vectors written later are skipped, because their
 * passages may be missing.
 */
export async function readPage(db: AccountTx, before: CopyState): Promise<IndexPage> {
  const { source } = before;
  if (before.toward !== null) {
    const vectors = await readVectors(db, before.vectors, before.toward);
    return { before, gone: [], items: [], vectors, after: afterVectors(before, before.toward, vectors) };
  }
  const [{ change: now }, { rows, isCut, copied }] = await Promise.all([readIndexState(db), readItems(db, before)]);
  const page = { before, gone: rows.filter(({ id }) => id === null).map(({ seq }) => seq), items: copied };
  const last = rows.at(-1);
  if (isCut && last !== undefined)
    return { ...page, vectors: [], after: { ...before, items: { change: last.change, key: last.seq } } };
  const vectors = await readVectors(db, before.vectors, now);
  return { ...page, vectors, after: afterVectors({ ...before, items: completeCopy(source, now).items }, now, vectors) };
}

function afterVectors(state: CopyState, toward: number, vectors: readonly ChangedVectorRow[]): CopyState {
  const last = vectors.at(-1);
  if (vectors.length < maxOfPage.vectors || last === undefined) return completeCopy(state.source, toward);
  return { ...state, toward, vectors: { change: last.change, key: last.passage } };
}

async function readItems(
  db: AccountTx,
  { complete, items: { change, key } }: CopyState,
): Promise<{ rows: readonly ChangedItemRow[]; isCut: boolean; copied: CopiedItem[] }> {
  const { sql, account } = db;
  const found = await sql<(ChangedItemRow & { total: number })[]>`
    SELECT c.item AS seq, c.change, c.text_change > ${complete} AS has_text, i.id, i.url, i.canonical_url, i.state,
      i.content_type, coalesce(i.passage_count, 0) AS passage_count, i.duplicate_of, i.given_title, i.notes,
      i.known::varchar AS known, i.card, i.created_at, i.deleted_at, i.visible_document AS document,
      sum(CASE WHEN c.text_change > ${complete} THEN coalesce(i.passage_count, 0) ELSE 0 END)
        OVER (ORDER BY c.change, c.item) AS total
    FROM (
      SELECT item, change, text_change FROM index_changes
      WHERE account_id = ${account} AND (change, item) > (${change}::bigint, ${key}::bigint)
      ORDER BY change, item LIMIT ${maxOfPage.items}) c
      LEFT JOIN items i ON i.account_id = ${account} AND i.seq = c.item
    ORDER BY c.change, c.item`;
  const rows = found.filter(({ total }, at) => at === 0 || Number(total) <= maxOfPage.passages);
  const there = rows.filter(({ id }) => id !== null);
  const ofAll = there.map(({ seq }) => seq);
  const withText = there.filter(({ hasText }) => hasText);
  const documentIds = withText.flatMap(({ document }) => document ?? []);
  const [tags, documents, passages, marks] = await Promise.all([
    sql<{ item: number; folded: string; tag: string }[]>`
      SELECT item, folded, tag FROM item_tags WHERE account_id = ${account} AND item = ANY(${ofAll}::bigint[])
      ORDER BY item, ordinal, folded`.execute(),
    documentIds.length === 0
      ? []
      : sql<CopiedDocument[]>`
          SELECT id, content_type, title, author, site_name, published_at, language, warnings::varchar AS warnings,
            text, blocks::varchar AS blocks
          FROM documents WHERE account_id = ${account} AND id = ANY(${documentIds}::bigint[])`.execute(),
    documentIds.length === 0
      ? []
      : sql<(CopiedPassage & { document: number })[]>`
          SELECT id, document, ordinal, start_at AS start, end_at AS "end", heading_path::varchar AS heading_path,
            locator::varchar AS locator, text, fragment, marks::varchar AS marks
          FROM passages WHERE account_id = ${account} AND document = ANY(${documentIds}::bigint[])
          ORDER BY id`.execute(),
    sql<{ id: number; item: number; marks: string }[]>`
      SELECT id, item, marks::varchar AS marks FROM passages
      WHERE account_id = ${account} AND marks IS NOT NULL
        AND item = ANY(${there.filter(({ hasText }) => !hasText).map(({ seq }) => seq)}::bigint[])`.execute(),
  ]);
  const tagsOf = Map.groupBy(tags, ({ item }) => item);
  const passagesOf = Map.groupBy(passages, ({ document }) => document);
  const marksOf = Map.groupBy(marks, ({ item }) => item);
  const documentOf = new Map(documents.map((document) => [document.id, document]));
  const copied = there.map(({ hasText, document, id, change: _change, total: _total, ...item }): CopiedItem => {
    const text = document === null ? undefined : documentOf.get(document);
    return {
      ...item,
      id: id ?? '',
      tags: (tagsOf.get(item.seq) ?? []).map(({ folded, tag }) => ({ folded, tag })),
      ...(hasText
        ? { text: text === undefined ? null : { document: text, passages: passagesOf.get(text.id) ?? [] } }
        : { marks: (marksOf.get(item.seq) ?? []).map((row) => ({ id: row.id, marks: row.marks })) }),
    };
  });
  return { rows, isCut: rows.length < found.length || found.length === maxOfPage.items, copied };
}

interface ChangedVectorRow extends CopiedVector {
  change: number;
}

async function readVectors(
  { sql, account }: AccountTx,
  { change, key }: ChangePosition,
  toward: number,
): Promise<readonly ChangedVectorRow[]> {
  if (change >= toward) return [];
  return sql<ChangedVectorRow[]>`
    SELECT passage, embedder, scale, components, change FROM vectors
    WHERE account_id = ${account} AND (change, passage) > (${change}::bigint, ${key}::bigint) AND change <= ${toward}
    ORDER BY change, passage LIMIT ${maxOfPage.vectors}`;
}
