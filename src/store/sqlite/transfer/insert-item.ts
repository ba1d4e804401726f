import { createHash } from 'node:crypto';
import { newId } from '../../../domain/records/ids.ts';
import type { ExportedItem } from '../../../domain/records/transfers/exported.ts';
import type { PackedResource } from '../../records/packed-originals.ts';
import { insertInsight } from '../../library/analyses.ts';
import { goalsVersion } from '../../library/goals.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { markPassages } from '../../library/marks.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';
import { replacePassages } from '../index/index.ts';
import { addTags, replaceFingerprint, showDocument, writeOriginal } from '../items/bridged.ts';

/** Keys of the rows of an item that is replaced. With the same ones, the history knows what was there before. */
interface Keys {
  item: number | null;
  /** By version and hash of the text. */
  documents: ReadonlyMap<string, number>;
  actions: ReadonlyMap<string, number>;
  highlights: ReadonlyMap<string, number>;
}

/** For an item that replaces none. */
export const noKeys: Keys = { item: null, documents: new Map(), actions: new Map(), highlights: new Map() };

/** @param seq of the item that is replaced */
export function keysOf(file: SqliteFile, seq: number): Keys {
  const keys = (sql: string) =>
    new Map(file.all<{ id: string; key: number }>(sql, seq).map(({ id, key }) => [id, key]));
  return {
    item: seq,
    documents: keys(`SELECT version || ' ' || lower(hex(text_hash)) AS id, id AS key FROM documents WHERE item = ?`),
    actions: keys('SELECT id, seq AS key FROM actions WHERE item = ?'),
    highlights: keys('SELECT id, seq AS key FROM highlights WHERE item = ?'),
  };
}

/** Inserts an exported item with all that belongs to it. */
export function insertItem(
  file: SqliteFile,
  item: ExportedItem,
  originals: readonly PackedResource[],
  keys: Keys,
  now: number,
): void {
  const { rowId: seq } = file.run(
    `INSERT INTO items (seq, id, url, canonical_url, state, given_title, notes, summary, analysis, known, duplicate_of,
       created_at, updated_at, processed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    keys.item,
    item.id,
    item.url,
    item.canonicalUrl,
    item.state,
    item.givenTitle,
    item.notes,
    item.summary,
    item.analysis === null ? null : JSON.stringify(item.analysis),
    item.known === null ? null : JSON.stringify(item.known),
    item.duplicateOf,
    item.createdAt,
    item.updatedAt,
    item.processedAt,
  );
  addTags(file, seq, item.tags);
  for (const [at, original] of item.originals.entries()) {
    const packed = originals[at];
    if (packed !== undefined) writeOriginal(file, seq, original.name, packed, original.isGiven ? 'given' : 'fetched');
  }
  const versions = new Map(
    item.documents.map((document) => [document.version, insertDocument(file, seq, document, keys)]),
  );
  const visible = versions.get(item.visibleVersion ?? -1);
  if (visible !== undefined) {
    showDocument(file, seq, visible);
    const text = item.documents.find(({ version }) => version === item.visibleVersion)?.text ?? '';
    if (item.passages.length > 0) replacePassages(file, seq, visible, text, item.passages);
    if (item.fingerprint !== null) replaceFingerprint(file, seq, Buffer.from(item.fingerprint, 'hex'));
  }
  for (const address of item.addresses)
    file.run('INSERT INTO addresses (address, item) VALUES (?, ?) ON CONFLICT DO NOTHING', address, seq);
  insertAnalysis(file, seq, item, versions, keys);
  insertHighlights(file, seq, item, versions, keys);
  insertJobs(file, seq, item, now);
  file.run('UPDATE items SET updated_at = ? WHERE seq = ?', item.updatedAt, seq);
}

function insertDocument(
  file: SqliteFile,
  seq: number,
  document: ExportedItem['documents'][number],
  keys: Keys,
): number {
  const hash = createHash('sha256').update(document.text).digest();
  return file.run(
    `INSERT INTO documents
       (id, item, version, content_type, title, author, site_name, published_at, language, canonical_url,
        duration_seconds, page_count, word_count, warnings, text_hash, created_at, text, blocks)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    keys.documents.get(`${document.version} ${hash.toString('hex')}`) ?? null,
    seq,
    document.version,
    document.contentType,
    document.title,
    document.author,
    document.siteName,
    document.publishedAt,
    document.language,
    document.canonicalUrl,
    document.durationSeconds,
    document.pageCount,
    document.wordCount,
    JSON.stringify(document.warnings),
    hash,
    document.createdAt,
    document.text,
    JSON.stringify(document.blocks),
  ).rowId;
}

type Versions = ReadonlyMap<number, number>;

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

function insertAnalysis(file: SqliteFile, seq: number, item: ExportedItem, versions: Versions, keys: Keys): void {
  const db = bridge(file);
  const version = runSteps(file, goalsVersion(db));
  for (const [ordinal, insight] of item.insights.entries()) {
    const document = versions.get(insight.version);
    // For the others nobody has looked among the goals of this library.
    const hasGoal = file.get('SELECT 1 FROM goals WHERE id = ?', insight.goalId ?? null) !== undefined;
    const linkedAt = hasGoal ? version : 0;
    if (document !== undefined) runSteps(file, insertInsight(db, seq, document, ordinal, insight, linkedAt));
  }
  for (const action of item.actions) {
    const document = action.version === null ? null : versions.get(action.version);
    if (document === undefined) continue;
    file.run(
      `INSERT INTO actions (seq, id, item, document, goal, goal_reason, title, reason, quote, start_at, end_at, locator,
         url, state, touched_at, completed_at, due, created_at)
       VALUES (?, ?, ?, ?, (SELECT id FROM goals WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      keys.actions.get(action.id) ?? null,
      action.id,
      seq,
      document,
      action.goalId,
      action.goalReason,
      action.title,
      action.reason,
      action.quote,
      action.start,
      action.end,
      json(action.locator),
      action.url,
      action.state,
      action.touchedAt,
      action.completedAt,
      action.due ?? null,
      action.createdAt,
    );
  }
}

function insertHighlights(file: SqliteFile, seq: number, item: ExportedItem, versions: Versions, keys: Keys): void {
  for (const one of item.highlights) {
    const document = versions.get(one.version ?? -1) ?? null;
    const isDue = one.deletedAt === null && item.visibleVersion !== null && one.version !== item.visibleVersion;
    file.run(
      `INSERT INTO highlights (seq, id, item, source, quote, note, colour, document, start_at, end_at, locator, url,
         place_due, touched_at, created_at, updated_at, deleted_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      keys.highlights.get(one.id) ?? null,
      one.id,
      seq,
      one.source,
      one.quote,
      one.note,
      one.colour,
      document,
      one.start,
      one.end,
      json(one.locator),
      one.url,
      isDue ? 1 : 0,
      one.touchedAt,
      one.createdAt,
      one.updatedAt,
      one.deletedAt,
    );
  }
  if (item.highlights.length > 0) runSteps(file, markPassages(bridge(file), seq));
}

function insertJobs(file: SqliteFile, seq: number, { job, betterAnalysis }: ExportedItem, now: number): void {
  if (job !== null)
    file.run(
      `INSERT INTO jobs (item, id, stage, state, attempts, due_at, background, failure_code, failure_message,
         failure_retryable) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      seq,
      newId('j'),
      job.stage,
      job.state,
      job.attempts,
      job.state === 'waiting' ? now : null,
      job.isBackground ? 1 : 0,
      job.failureCode,
      job.failureMessage,
      job.isRetryable === null ? null : job.isRetryable ? 1 : 0,
    );
  if (betterAnalysis !== null)
    file.run(
      `INSERT INTO llm_analyses (item, state, due_at, attempts, failure_code, failure_message, given_up)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      seq,
      betterAnalysis.state,
      betterAnalysis.state === 'waiting' ? now : null,
      betterAnalysis.attempts,
      betterAnalysis.failureCode,
      betterAnalysis.failureMessage,
      betterAnalysis.state === 'failed' ? 1 : 0,
    );
}
