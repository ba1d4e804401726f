import type { SqliteFile } from '../../files/sqlite-file.ts';
import { bytesOfRows, rowsPerBlock, rowsState } from './shared-vector-layout.ts';
import { type VectorRows } from './vector-rows.ts';

export interface RowLimits {
  maxBytes: number;
  /** With up to this many vectors, comparing them one by one in the file is cheaper. */
  few: number;
}

/** The embedder whose vectors are kept in memory, and the limits. */
export interface RowsWanted extends RowLimits {
  /** The key in `embedders`. */
  embedder: number;
}

interface Batch {
  count: number;
  last: number | null;
  components: Buffer | null;
  passages: string;
  items: string;
}

/**
 * Aggregates many rows into one: reading them one by one takes four times as long. `group_concat` joins the components
 * byte by byte, whatever the bytes are.
 */
const batched = (rows: string): string =>
  `SELECT count(*) AS count, max(passage) AS last, CAST(group_concat(components, '') AS BLOB) AS components,
     json_group_array(passage) AS passages, json_group_array(item) AS items FROM (${rows})`;

/** The ids of the newest and the oldest entry in the file's log of vector changes. */
export function readLog(file: SqliteFile): { newest: number; oldest: number } {
  const log = file.get<{ newest: number | null; oldest: number | null }>(
    'SELECT (SELECT max(id) FROM vector_changes) AS newest, (SELECT min(id) FROM vector_changes) AS oldest',
  );
  return { newest: log?.newest ?? 0, oldest: log?.oldest ?? 1 };
}

/** Reads every vector of the embedder. Requires the lock and a transaction, and rows that were never searched. */
export function fillRows(file: SqliteFile, rows: VectorRows, { embedder, maxBytes }: RowsWanted): void {
  rows.clear();
  const { newest } = readLog(file);
  const total = file.get<{ count: number }>('SELECT count(*) AS count FROM vectors WHERE embedder = ?', embedder);
  if (bytesOfRows(total?.count ?? 0, rows.dimensions) > maxBytes) {
    rows.state = rowsState.refused;
    return;
  }
  // The unary plus makes SQLite read in row order: with an index, it would look up each row.
  const sql = batched(`SELECT passage, item, components FROM vectors
    WHERE passage > ? AND +embedder = ? ORDER BY passage LIMIT ${rowsPerBlock}`);
  for (let last: number | null = 0; last !== null;) {
    const batch: Batch | undefined = file.get<Batch>(sql, last, embedder);
    if (!appendBatch(rows, batch)) {
      rows.state = rowsState.refused;
      return;
    }
    last = batch?.last ?? null;
  }
  rows.lastChange = newest;
  rows.schema = file.schema();
  rows.state = rowsState.filled;
}

/**
 * Applies the changes in the file since the last time. Requires the lock and a transaction. Retires the rows when the
 * log does not reach back that far, or when there is no room for more.
 */
export function applyChanges(file: SqliteFile, rows: VectorRows, { embedder, maxBytes }: RowsWanted): void {
  const { newest, oldest } = readLog(file);
  const since = rows.lastChange;
  if (since >= newest) return;
  if (oldest > since + 1) {
    rows.state = rowsState.retired;
    return;
  }
  const changed = file.get<{ passages: string }>(
    'SELECT json_group_array(DISTINCT passage) AS passages FROM vector_changes WHERE id > ?',
    since,
  );
  const passages = changed?.passages ?? '[]';
  const before = rows.count;
  const sql = batched(`SELECT v.passage, v.item, v.components
    FROM json_each(?) changed JOIN vectors v ON v.passage = changed.value WHERE +v.embedder = ?`);
  const { largestPassage } = rows;
  // Append new rows first: a thread that searches meanwhile then finds a passage twice rather than not at all.
  if (!appendBatch(rows, file.get<Batch>(sql, passages, embedder)) || rows.bytes > maxBytes) {
    rows.state = rowsState.retired;
    return;
  }
  const old = new Set((JSON.parse(passages) as number[]).filter((passage) => passage <= largestPassage));
  if (old.size > 0) rows.mark(old, before);
  rows.lastChange = newest;
}

function appendBatch(rows: VectorRows, batch: Batch | undefined): boolean {
  if (batch === undefined || batch.components === null) return true;
  const { count, components } = batch;
  if (components.length !== count * rows.dimensions)
    throw new Error('a vector has not as many dimensions as its embedder');
  const [passages, items] = [JSON.parse(batch.passages) as number[], JSON.parse(batch.items) as number[]];
  return rows.append({ count, components, passages, items });
}
