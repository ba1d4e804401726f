import { hostOf } from '../../../domain/links/url.ts';
import { countWords } from '../../../domain/records/texts/document.ts';
import type { KnownPage, Validators } from '../../../domain/records/resource.ts';
import type { Claim, JobFailure, RefreshAsked, RefreshedText, RefreshOptions } from '../../records.ts';
import { all, type Db, first, isKey, later, sql, type Steps, text, touchItem } from '../db.ts';
import {
  hasOriginal,
  insertDocument,
  type KeptOriginal,
  replaceCompanion,
  replaceOriginal,
  textHash,
  visibleDocument,
} from '../items/documents.ts';
import { keepDocuments, keepReplaced, keptDocuments, makeNewest, removeOldDocuments } from '../items/versions.ts';
import { advanceAndRelease, failSave, isHeld, noFailure, requeueJob, requireLease, untried } from './jobs.ts';

/*
 * Refetched pages of finished items. The job is at `fetch` until the page is compared; only a changed text continues to `split`,
 * and becomes visible there. A failure before that leaves the item unchanged.
 */

interface AskedRow {
  id: string;
  seq: number;
  url: string;
  address: string;
  state: string;
  isGiven: boolean | null;
  fetchedAt: string | null;
  checkedAt: number | null;
}

/**
 * Queues the pages of items for refetching. Meanwhile, and when it fails, an item is unchanged. A failed item is retried; one that
 * is being read is left alone.
 */
export function* refreshPages(
  db: Db,
  ids: readonly string[],
  { replaceGiven = false, isBackground, restMs }: RefreshOptions,
): Steps<RefreshAsked[]> {
  const rows = yield* all<AskedRow>`
    SELECT i.id, i.seq, i.url, i.canonical_url AS address, i.state, o.given AS is_given, o.fetched_at,
      c.checked_at
    FROM items i LEFT JOIN originals o ON ${db.of('o')} AND o.item = i.seq AND ${isKey(db, 'o', 'name', '')}
      LEFT JOIN page_checks c ON ${db.of('c')} AND c.item = i.seq
    WHERE ${db.of('i')} AND i.deleted_at IS NULL AND i.id IN (SELECT k.value FROM ${db.texts('k', ids)})`;
  const known = new Map(rows.map((row) => [row.id, row]));
  const hosts = new Map<string | null, number[]>();
  const asked = ids.map((id): RefreshAsked & { row?: AskedRow } => {
    const row = known.get(id);
    if (row === undefined) return { id, outcome: 'not_found' };
    if (!/^https?:/i.test(row.url)) return { id, outcome: 'no_page' };
    if (row.isGiven === true && !replaceGiven) return { id, outcome: 'given' };
    const restedAt = Math.max(row.checkedAt ?? 0, Date.parse(row.fetchedAt ?? '') || 0);
    if (restMs !== undefined && (row.state !== 'completed' || restedAt > db.now - restMs))
      return { id, outcome: 'rested' };
    const host = hostOf(row.address);
    if (row.state === 'completed') hosts.set(host, [...(hosts.get(host) ?? []), row.seq]);
    return { id, outcome: 'queued', row };
  });
  for (const [host, items] of hosts)
    yield* later`
      UPDATE jobs SET state = 'waiting', stage = 'fetch', attempts = 0, due_at = ${db.now}, lease_token = NULL,
        background = ${isBackground}, host = ${host}, refresh = true, ${noFailure}
      WHERE ${db.of('jobs')} AND item IN (SELECT k.value FROM ${db.numbers('k', items)})
        AND (state IN ('done', 'failed') OR (state = 'waiting' AND refresh AND stage = 'fetch'))`;
  for (const { row } of asked) if (row?.state === 'failed') yield* requeueJob(db, row.seq);
  return asked.map(({ id, outcome }) => ({ id, outcome }));
}

/** The validators for a conditional request; null: it is fetched unconditionally. */
export function* readKnownPage(db: Db, contentId: string): Steps<KnownPage | null> {
  const page = yield* first<KnownPage>`
    SELECT c.etag, c.last_modified, o.final_url
    FROM items i JOIN page_checks c ON ${db.of('c')} AND c.item = i.seq
      JOIN originals o ON ${db.of('o')} AND o.item = i.seq AND ${isKey(db, 'o', 'name', '')} AND NOT o.given
    WHERE ${db.of('i')} AND i.id = ${contentId} AND coalesce(c.etag, c.last_modified) IS NOT NULL`;
  return page ?? null;
}

interface PageCheck {
  /** Absent: the known ones stay. */
  validators?: Validators | undefined;
  hasChanged?: boolean;
  failure?: { code: string; message: string } | null;
}

function* noteCheck(db: Db, item: number, { validators, hasChanged = false, failure = null }: PageCheck): Steps<void> {
  const kept = { checked_at: db.now, failure_code: failure?.code ?? null, failure_message: failure?.message ?? null };
  yield* later`
    ${db.row('page_checks', { item, ...kept, ...(hasChanged && { changed_at: db.now }) })}
    ON CONFLICT ${db.key('item')} DO UPDATE SET checked_at = excluded.checked_at,
      changed_at = coalesce(excluded.changed_at, page_checks.changed_at), failure_code = excluded.failure_code,
      failure_message = excluded.failure_message`;
  if (validators !== undefined) yield* keepValidators(db, item, validators);
}

/** Keeps what a fetched page is asked for with the next time. */
export function* keepValidators(db: Db, item: number, { etag, lastModified }: Validators): Steps<void> {
  const columns = { item, etag, last_modified: lastModified };
  const conflict = sql`${db.key('item')} DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified`;
  if (etag !== null || lastModified !== null) yield* later`${db.row('page_checks', columns)} ON CONFLICT ${conflict}`;
  else
    yield* later`
      UPDATE page_checks SET etag = NULL, last_modified = NULL WHERE ${db.of('page_checks')} AND item = ${item}`;
}

/** SQL: the item is as finished as before. */
const over = sql`state = 'done', due_at = NULL, lease_token = NULL, attempts = 0, background = false, refresh = false`;

function* endRefresh(db: Db, item: number, check: PageCheck): Steps<void> {
  yield* noteCheck(db, item, check);
  yield* later`UPDATE jobs SET ${over}, ${noFailure} WHERE ${db.of('jobs')} AND item = ${item}`;
  yield* touchItem(db, item);
}

/** Goes on with a text that becomes visible at `split`. */
function* splitNewest(db: Db, item: number, check: PageCheck): Steps<void> {
  yield* noteCheck(db, item, check);
  yield* later`UPDATE items SET state = 'unfinished' WHERE ${db.of('items')} AND seq = ${item}`;
  yield* advanceAndRelease(db, item, 'split');
}

/**
 * Ends a refresh whose page is unchanged. If its text could not be split, that is tried again.
 * @param hash of the received bytes; null: the site says that the page has not changed
 * @returns false, and does nothing, when the bytes differ from the stored ones
 */
export function* keepSamePage(
  db: Db,
  claim: Claim,
  hash: Uint8Array | null,
  validators: Validators | undefined,
): Steps<boolean> {
  const item = yield* requireLease(db, claim, 'fetch');
  if (hash !== null && !(yield* hasOriginal(db, item, { hash }))) return false;
  const { unsplit } = yield* keptDocuments(db, item);
  // A document that was made later has been read from the same original.
  if (unsplit !== undefined && unsplit > ((yield* visibleDocument(db, item)) ?? 0)) {
    yield* makeNewest(db, item, unsplit);
    yield* splitNewest(db, item, { validators });
  } else yield* endRefresh(db, item, { validators });
  return true;
}

/** A text with less than this share of the words before is not shown without being asked: it may be an error page. */
const minShare = 0.2;
/** Of shorter texts the share says nothing. */
const minWords = 50;

/** Keeps a text that differs as the next version. One that has lost most of its words is kept aside. */
export function* keepChangedPage(
  db: Db,
  claim: Claim,
  original: KeptOriginal,
  companions: readonly { name: string; kept: KeptOriginal }[],
  { document, transcript, validators }: RefreshedText,
): Steps<void> {
  const item = yield* requireLease(db, claim, 'fetch');
  const visible = yield* visibleDocument(db, item);
  const versions = yield* all<{ id: number; version: number; wordCount: number; isSame: boolean }>`
    SELECT d.id, d.version, d.word_count, d.text_hash = ${textHash(transcript.text)} AS is_same
    FROM documents d WHERE ${db.of('d')} AND d.item = ${item} ORDER BY d.version DESC`;
  const shown = versions.find(({ id }) => id === visible);
  const wordCount = countWords(transcript.text);
  const last = versions[0]?.version ?? 0;
  const { unsplit } = yield* keptDocuments(db, item);
  if (shown?.isSame === true && unsplit === undefined) return yield* endRefresh(db, item, { validators });
  const add = (): Steps<number> =>
    insertDocument(db, item, { ...document, ...transcript, wordCount, createdAt: db.now, version: last + 1 });
  if (
    visible !== null &&
    shown !== undefined &&
    shown.wordCount >= minWords &&
    wordCount < shown.wordCount * minShare
  ) {
    const before = versions.find(({ isSame }) => isSame);
    const id = before?.id ?? (yield* add());
    if (before === undefined) yield* makeNewest(db, item, visible);
    yield* keepDocuments(db, item, { shrunk: id });
    yield* removeOldDocuments(db, item);
    const message = `The page has only ${wordCount} of ${shown.wordCount} words now, so the text from before stays. If the new one is right, show it: it is version ${before?.version ?? last + 1}.`;
    return yield* endRefresh(db, item, { failure: { code: 'page_shrunk', message } });
  }
  yield* replaceOriginal(db, item, original, 'fetched');
  for (const { name, kept } of companions) yield* replaceCompanion(db, item, name, kept);
  if (shown?.isSame === true) {
    yield* keepDocuments(db, item, { unsplit: undefined });
    return yield* endRefresh(db, item, { validators });
  }
  if (visible !== null) yield* keepReplaced(db, item, visible, document.language);
  yield* keepDocuments(db, item, { unsplit: yield* add() });
  yield* splitNewest(db, item, { validators, hasChanged: true });
}

/**
 * Ends the attempt at the claim's stage. At `extract`, the companions are deleted: the next attempt fetches them
 * again. Does nothing when another worker holds the job.
 */
export function* failJob(db: Db, claim: Claim, failure: JobFailure): Steps<void> {
  yield* claim.isRefresh ? failRefresh(db, claim, failure) : failSave(db, claim, failure);
}

/** After the last attempt, the item is as it was before, and says why. */
function* failRefresh(db: Db, claim: Claim, failure: JobFailure): Steps<void> {
  const { code, message, nextAttemptAt, isUntried = false } = failure;
  const again = sql`
    state = 'waiting', due_at = ${nextAttemptAt}, lease_token = NULL, attempts = ${isUntried ? untried : text('attempts')}`;
  const failed = yield* first<{ item: number; stage: string }>`
    UPDATE jobs SET ${nextAttemptAt === null ? over : again} WHERE ${isHeld(db, claim)} RETURNING item, stage`;
  if (failed === undefined) return;
  const { item, stage } = failed;
  if (nextAttemptAt === null) {
    yield* noteCheck(db, item, { failure: { code, message } });
    const visible = yield* visibleDocument(db, item);
    if (stage === 'split' && visible !== null) yield* makeNewest(db, item, visible);
    yield* later`UPDATE items SET state = 'completed' WHERE ${db.of('items')} AND seq = ${item}`;
  }
  yield* touchItem(db, item);
}
