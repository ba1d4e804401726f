import { createHash } from 'node:crypto';
import type { ClockReading } from '../../../domain/clock.ts';
import type { ExportedGoal, ExportedItem } from '../../../domain/records/transfers/exported.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { ImportedContent } from '../../records.ts';
import type { ReplacedItems } from '../../transfer.ts';
import { noteChangedGoal } from '../analyses/goal-links.ts';
import { leavePlaces } from '../analyses/merged-actions.ts';
import { noteTransfer } from '../history/exported-history.ts';
import { markPassages } from '../highlights/marks.ts';
import { replacePassages } from '../index/index.ts';
import { findDeleted } from '../items/deletion.ts';
import { showDocument } from '../items/documents.ts';
import { replaceFingerprint } from '../items/fingerprints.ts';
import { importContent } from '../items/import-content.ts';
import type { PackedResource } from '../../packed-originals.ts';
import { writeOriginal } from '../items/originals.ts';
import { addTags } from '../items/tags.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** Goals whose title is there already are that goal. */
export function restoreGoals(file: SqliteFile, goals: readonly ExportedGoal[]): Map<string, string> {
  noteTransfer(file);
  const ids = new Map<string, string>();
  const fold = (title: string): string => title.normalize('NFC').toLowerCase();
  const known = file.all<{ id: string; title: string }>('SELECT id, title FROM goals');
  const byTitle = new Map(known.map(({ id, title }) => [fold(title), id]));
  const byId = new Set(known.map(({ id }) => id));
  for (const { id, title, category, description, createdAt, archivedAt } of goals) {
    const here = byId.has(id) ? id : byTitle.get(fold(title));
    ids.set(id, here ?? id);
    if (here !== undefined) continue;
    file.run(
      'INSERT INTO goals (id, title, category, description, created_at, archived_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      title,
      category,
      description,
      createdAt,
      archivedAt,
    );
    byTitle.set(fold(title), id);
    byId.add(id);
    noteChangedGoal(file, id, archivedAt !== null);
  }
  return ids;
}

/** See `Transfer.restoreItem`. */
export function restoreItem(
  file: SqliteFile,
  item: ExportedItem,
  originals: readonly PackedResource[],
  replaces: ReplacedItems,
  now: number,
  clock: ClockReading,
): ImportedContent {
  const { id } = item;
  noteTransfer(file);
  const known = file.get<{ seq: number; updatedAt: number; deletedAt: number | null; undone: number }>(
    'SELECT seq, updated_at AS updatedAt, deleted_at AS deletedAt, undone FROM content WHERE id = ?',
    id,
  );
  const isUndone = known?.undone === 1;
  if (known !== undefined && !isUndone && replaces === 'older') {
    if (known.deletedAt !== null) return { id, outcome: 'deleted', leftOut: [] };
    if (known.updatedAt >= item.updatedAt) return { id, outcome: 'unchanged', leftOut: [] };
  }
  const sameAddress = file.get<{ id: string }>(
    'SELECT id FROM content WHERE canonical_url = ? AND deleted_at IS NULL AND id <> ?',
    item.canonicalUrl,
    id,
  );
  const inTrash = known === undefined && replaces === 'older' ? findDeleted(file, item.canonicalUrl, clock) : null;
  if (sameAddress !== undefined || inTrash !== null) return mergeItem(file, item, now, clock);
  const keys = known === undefined ? noKeys : keysOf(file, known.seq);
  if (known !== undefined) {
    if (replaces === 'older') leavePlaces(file, known.seq, now, 'any');
    file.run('DELETE FROM content WHERE seq = ?', known.seq);
  }
  // An action that had moved to another item is this one's again.
  if (replaces === 'any') for (const action of item.actions) file.run('DELETE FROM actions WHERE id = ?', action.id);
  insertItem(file, item, originals, keys, now);
  return { id, outcome: known === undefined || isUndone ? 'taken' : 'merged', leftOut: [] };
}

/** Keys of the rows of an item that is replaced. With the same ones, the history knows what was there before. */
interface Keys {
  content: number | null;
  /** By version and hash of the text. */
  documents: ReadonlyMap<string, number>;
  actions: ReadonlyMap<string, number>;
  highlights: ReadonlyMap<string, number>;
}

const noKeys: Keys = { content: null, documents: new Map(), actions: new Map(), highlights: new Map() };

function keysOf(file: SqliteFile, content: number): Keys {
  const keys = (sql: string) =>
    new Map(file.all<{ id: string; key: number }>(sql, content).map(({ id, key }) => [id, key]));
  return {
    content,
    documents: keys(`SELECT version || ' ' || lower(hex(text_hash)) AS id, id AS key FROM documents WHERE content = ?`),
    actions: keys('SELECT id, seq AS key FROM actions WHERE content = ?'),
    highlights: keys('SELECT id, seq AS key FROM highlights WHERE content = ?'),
  };
}

/** What an export of another program would add. */
function mergeItem(file: SqliteFile, item: ExportedItem, now: number, clock: ClockReading): ImportedContent {
  const { url, canonicalUrl, givenTitle, tags, notes, createdAt } = item;
  const highlights = item.highlights
    .filter(({ deletedAt }) => deletedAt === null)
    .map((one) => ({ ...one, source: one.source ?? `id:${one.id}` }));
  const entry = { url, canonicalUrl, title: givenTitle, tags, notes, createdAt, highlights, original: null };
  const [merged] = importContent(file, [entry], now, clock);
  if (merged === undefined) throw new Error('an import of one entry has no outcome');
  return merged;
}

function insertItem(
  file: SqliteFile,
  item: ExportedItem,
  originals: readonly PackedResource[],
  keys: Keys,
  now: number,
): void {
  const { rowId: content } = file.run(
    `INSERT INTO content (seq, id, url, canonical_url, state, given_title, notes, summary, analysis, known, duplicate_of,
       created_at, updated_at, processed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    keys.content,
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
  // The trigger that notes changed titles fires on updates alone.
  file.run('INSERT INTO titles_due (content) VALUES (?) ON CONFLICT DO NOTHING', content);
  addTags(file, content, item.tags);
  for (const [at, original] of item.originals.entries()) {
    const packed = originals[at];
    if (packed !== undefined)
      writeOriginal(file, content, original.name, packed, original.isGiven ? 'given' : 'fetched');
  }
  const versions = new Map(
    item.documents.map((document) => [document.version, insertDocument(file, content, document, keys)]),
  );
  const visible = versions.get(item.visibleVersion ?? -1);
  if (visible !== undefined) {
    showDocument(file, content, visible);
    if (item.passages.length > 0) replacePassages(file, content, visible, item.passages);
    if (item.fingerprint !== null) replaceFingerprint(file, content, Buffer.from(item.fingerprint, 'hex'));
  }
  for (const address of item.addresses)
    file.run('INSERT INTO addresses (address, content) VALUES (?, ?) ON CONFLICT DO NOTHING', address, content);
  insertAnalysis(file, content, item, versions, keys);
  insertHighlights(file, content, item, versions, keys);
  insertJobs(file, content, item, now);
  file.run('UPDATE content SET updated_at = ? WHERE seq = ?', item.updatedAt, content);
}

function insertDocument(
  file: SqliteFile,
  content: number,
  document: ExportedItem['documents'][number],
  keys: Keys,
): number {
  const hash = createHash('sha256').update(document.text).digest();
  return file.run(
    `INSERT INTO documents
       (id, content, version, content_type, title, author, site_name, published_at, language, canonical_url,
        duration_seconds, page_count, word_count, warnings, text_hash, created_at, text, blocks)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    keys.documents.get(`${document.version} ${hash.toString('hex')}`) ?? null,
    content,
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

function insertAnalysis(file: SqliteFile, content: number, item: ExportedItem, versions: Versions, keys: Keys): void {
  for (const [ordinal, { version, text, quote, start, end, locator, url }] of item.insights.entries()) {
    const document = versions.get(version);
    if (document === undefined) continue;
    file.run(
      `INSERT INTO insights (content, document, ordinal, text, quote, start_at, end_at, locator, url)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      content,
      document,
      ordinal,
      text,
      quote,
      start,
      end,
      json(locator),
      url,
    );
  }
  for (const action of item.actions) {
    const document = versions.get(action.version);
    if (document === undefined) continue;
    file.run(
      `INSERT INTO actions (seq, id, content, document, goal, goal_reason, title, reason, quote, start_at, end_at, locator,
         url, state, touched_at, completed_at, created_at)
       VALUES (?, ?, ?, ?, (SELECT id FROM goals WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      keys.actions.get(action.id) ?? null,
      action.id,
      content,
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
      action.createdAt,
    );
  }
}

function insertHighlights(file: SqliteFile, content: number, item: ExportedItem, versions: Versions, keys: Keys): void {
  for (const one of item.highlights) {
    const document = versions.get(one.version ?? -1) ?? null;
    const isDue = one.deletedAt === null && item.visibleVersion !== null && one.version !== item.visibleVersion;
    file.run(
      `INSERT INTO highlights (seq, id, content, source, quote, note, colour, document, start_at, end_at, locator, url,
         place_due, touched_at, created_at, updated_at, deleted_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      keys.highlights.get(one.id) ?? null,
      one.id,
      content,
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
  if (item.highlights.length > 0) markPassages(file, content);
}

function insertJobs(file: SqliteFile, content: number, { job, betterAnalysis }: ExportedItem, now: number): void {
  if (job !== null)
    file.run(
      `INSERT INTO jobs (content, id, stage, state, attempts, due_at, background, failure_code, failure_message,
         failure_retryable) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      content,
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
      `INSERT INTO better_analyses (content, state, due_at, attempts, failure_code, failure_message)
       VALUES (?, ?, ?, ?, ?, ?)`,
      content,
      betterAnalysis.state,
      betterAnalysis.state === 'waiting' ? now : null,
      betterAnalysis.attempts,
      betterAnalysis.failureCode,
      betterAnalysis.failureMessage,
    );
}

export function restoreMerges(file: SqliteFile, merges: readonly { id: string; into: string }[]): void {
  for (const { id, into } of merges)
    file.run(
      `UPDATE actions SET merged_into = (SELECT seq FROM actions WHERE id = @into AND merged_into IS NULL)
       WHERE id = @id AND id <> @into AND merged_into IS NULL`,
      { id, into },
    );
}
