import { shownAddress } from '../../domain/links/shown-address.ts';
import type {
  ExportedAction,
  ExportedGoal,
  ExportedItem,
  ExportedList,
  ExportedSource,
} from '../../domain/records/transfers/exported.ts';
import type { ItemToExport } from '../records.ts';
import { isThere } from './sources.ts';
import { readVersions } from './items/documents.ts';
import { all, type Db, first, fromJson, sql, type Steps, together } from './db.ts';
import {
  actionFields,
  columnsOf,
  goalFields,
  highlightFields,
  insightFields,
  itemFields,
  listFields,
  pageCheckFields,
  recordOf,
  resourceFields,
  sourceFields,
  type Belonging,
} from './fields.ts';

const titleIn = (known: ExportedItem['known']): string | null => {
  const title = known?.['title'];
  return typeof title === 'string' ? title : null;
};

/** Items that are not deleted, in the order in which they were saved. */
export function* listToExport(db: Db, after: number, limit: number): Steps<ItemToExport[]> {
  const rows = yield* all<ItemToExport & { url: string; known: unknown }>`
    SELECT i.seq, i.id, i.url, i.updated_at, coalesce(i.given_title, d.title) AS title, i.known
    FROM items i LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
    WHERE ${db.of('i')} AND i.seq > ${after} AND i.deleted_at IS NULL ORDER BY i.seq LIMIT ${limit}`;
  return rows.map(({ known, ...row }) => ({
    ...row,
    title: row.title ?? titleIn(fromJson(known)),
    url: shownAddress(row.url),
  }));
}

/** Another text whenever an item that is not deleted was changed, added or deleted. */
export function* stateToExport(db: Db): Steps<string> {
  // Of each time the lowest bits: their sum never overflows, and two changes do not make up for each other.
  const row = yield* first<{ state: string }>`
    SELECT concat(count(*), '.', sum(i.updated_at & 4294967295)) AS state
    FROM items i WHERE ${db.of('i')} AND i.deleted_at IS NULL`;
  return row?.state ?? '';
}

/** Null when there is no such item. The `file` of each original is left for the caller to name. */
export function* readToExport(db: Db, id: string): Steps<ExportedItem | null> {
  const row = yield* first<Omit<ExportedItem, Belonging> & { seq: number }>`
    SELECT i.seq, ${columnsOf(itemFields, 'i')}, coalesce(i.given_title, d.title) AS title, d.version AS visible_version
    FROM items i LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
    WHERE ${db.of('i')} AND i.id = ${id} AND i.deleted_at IS NULL`;
  if (row === undefined) return null;
  const { seq, ...item } = recordOf<typeof row>(itemFields, row);
  return { ...item, title: item.title ?? titleIn(item.known), ...(yield* readBelonging(db, seq)) };
}

function* readBelonging(db: Db, item: number): Steps<Pick<ExportedItem, Belonging>> {
  const own = sql`${db.of('x')} AND x.item = ${item}`;
  const documentOf = sql`documents d ON ${db.of('d')} AND d.id = x.document`;
  const [
    tags,
    tagProposals,
    documents,
    passages,
    fingerprint,
    addresses,
    originals,
    job,
    pageCheck,
    betterAnalysis,
    insights,
    actions,
    highlights,
  ] = yield* together(
    all<{ tag: string }>`SELECT x.tag FROM item_tags x WHERE ${own} ORDER BY x.ordinal, x.folded`,
    all<NonNullable<ExportedItem['tagProposals']>[number]>`
        SELECT x.tag, x.reason, x.score, x.state, x.decided_at
        FROM tag_proposals x WHERE ${own} ORDER BY x.folded ${db.bytewise}`,
    readVersions(db, item),
    // An item without passages has a row without a document in SQLite.
    all<Omit<ExportedItem['passages'][number], 'fragment'> & { fragment: string | null }>`
        SELECT x.ordinal, x.start_at AS start, x.end_at AS "end", x.heading_path, x.locator, x.fragment
        FROM passages x WHERE ${own} AND x.document IS NOT NULL ORDER BY x.ordinal`,
    first<{ hash: Uint8Array }>`SELECT x.hash FROM fingerprints x WHERE ${own}`,
    all<{ address: string }>`SELECT x.address FROM addresses x WHERE ${own}`,
    all<Omit<ExportedItem['originals'][number], 'hash'> & { hash: Uint8Array }>`
        SELECT x.name, ${columnsOf(resourceFields, 'x')}, x.given AS is_given, x.hash, '' AS file
        FROM originals x WHERE ${own}`,
    first<NonNullable<ExportedItem['job']>>`
        SELECT x.stage, CASE x.state WHEN 'claimed' THEN 'waiting' ELSE x.state END AS state, x.attempts,
          x.background AS is_background, x.failure_code, x.failure_message, x.failure_retryable AS is_retryable
        FROM jobs x WHERE ${own}`,
    first<NonNullable<ExportedItem['pageCheck']>>`
        SELECT ${columnsOf(pageCheckFields, 'x')}
        FROM page_checks x WHERE ${own} AND coalesce(x.etag, x.last_modified, cast(x.checked_at AS text)) IS NOT NULL`,
    first<NonNullable<ExportedItem['betterAnalysis']>>`
        SELECT CASE WHEN x.given_up THEN 'failed' WHEN x.state = 'claimed' THEN 'waiting' ELSE x.state END AS state,
          x.attempts, x.failure_code, x.failure_message
        FROM llm_analyses x WHERE ${own}`,
    all<ExportedItem['insights'][number]>`
        SELECT d.version, ${columnsOf(insightFields, 'x')}
        FROM insights x JOIN ${documentOf} WHERE ${own} ORDER BY x.ordinal`,
    all<ExportedAction>`
        SELECT ${columnsOf(actionFields, 'x')}, d.version, head.id AS merged_into
        FROM actions x LEFT JOIN ${documentOf} LEFT JOIN actions head ON ${db.of('head')} AND head.seq = x.merged_into
        WHERE ${own} ORDER BY x.seq`,
    all<ExportedItem['highlights'][number]>`
        SELECT ${columnsOf(highlightFields, 'x')}, d.version
        FROM highlights x LEFT JOIN ${documentOf} WHERE ${own} ORDER BY x.seq`,
  );
  return {
    tags: tags.map(({ tag }) => tag),
    ...(tagProposals.length > 0 && { tagProposals }),
    documents,
    // An empty fragment means that there is none; null, that it was not computed.
    passages: passages.map(({ fragment, ...passage }) => ({
      ...passage,
      headingPath: fromJson(passage.headingPath),
      locator: fromJson(passage.locator),
      ...(fragment !== null && { fragment: fragment === '' ? null : fragment }),
    })),
    fingerprint: fingerprint === undefined ? null : hex(fingerprint.hash),
    addresses: addresses.map(({ address }) => address).toSorted(),
    insights: insights.map((one) => recordOf(insightFields, one)),
    actions: actions.map((one) => recordOf(actionFields, one)),
    highlights: highlights.map((one) => recordOf(highlightFields, one)),
    job: job ?? null,
    ...(pageCheck !== undefined && { pageCheck }),
    betterAnalysis: betterAnalysis ?? null,
    originals: originals
      .map((original) => ({ ...original, hash: hex(original.hash) }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** In their order, without items in the trash. */
export function* listListsToExport(db: Db): Steps<ExportedList[]> {
  const lists = yield* all<Omit<ExportedList, 'items'> & { seq: number }>`
    SELECT l.seq, ${columnsOf(listFields, 'l')} FROM lists l WHERE ${db.of('l')} ORDER BY l.ordinal, l.seq`;
  const rows = yield* all<{ list: number; id: string }>`
    SELECT x.list, i.id FROM list_items x JOIN items i ON ${db.of('i')} AND i.seq = x.item AND i.deleted_at IS NULL
    WHERE ${db.of('x')} ORDER BY x.list, x.ordinal, x.item`;
  const items = Map.groupBy(rows, ({ list }) => list);
  return lists.map(({ seq, ...list }) => ({
    ...list,
    items: list.query === null ? (items.get(seq) ?? []).map(({ id }) => id) : null,
  }));
}

export function* listGoalsToExport(db: Db): Steps<ExportedGoal[]> {
  return yield* all<ExportedGoal>`
    SELECT ${columnsOf(goalFields)} FROM goals g WHERE ${db.of('g')} ORDER BY g.seq`;
}

/** Their entries are read with `listSourceEntries`. */
export function* listSourcesToExport(db: Db): Steps<Omit<ExportedSource, 'entries'>[]> {
  const sources = yield* all<Omit<ExportedSource, 'entries'>>`
    SELECT ${columnsOf(sourceFields, 's')} FROM sources s WHERE ${db.of('s')} AND ${isThere} ORDER BY s.seq`;
  return sources.map((source) => recordOf(sourceFields, source));
}
