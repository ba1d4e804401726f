import { createHash } from 'node:crypto';
import type { ExportedItem } from '../../../domain/records/transfers/exported.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { KeptOriginal } from '../../library/originals.ts';
import type { AccountWrite } from '../account-access.ts';
import { json } from '../database.ts';
import { goalsVersion } from '../../library/goals.ts';
import { markPassages } from '../../library/marks.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { addressHash } from '../address-hash.ts';
import { addTags, replaceFingerprint, showDocument, writeAddress, writeOriginal } from '../items/bridged.ts';
import { insertPassages } from '../queue/passages.ts';

/** Keys of the rows of an item that is replaced. With the same ones, the history knows what was there before. */
export interface Keys {
  item: number | null;
  /** By version and hash of the text. */
  documents: ReadonlyMap<string, number>;
  actions: ReadonlyMap<string, number>;
  highlights: ReadonlyMap<string, number>;
}

export const noKeys: Keys = { item: null, documents: new Map(), actions: new Map(), highlights: new Map() };

/** SQL: a key that is given, or the next one. */
const keyOr = ({ sql }: AccountWrite, key: number | null | undefined) => key ?? sql`DEFAULT`;

export async function insertItem(
  db: AccountWrite,
  item: ExportedItem,
  originals: readonly KeptOriginal[],
  keys: Keys,
): Promise<void> {
  const { sql, account } = db;
  const [row] = await sql<{ seq: number }[]>`
    INSERT INTO items (account_id, seq, id, url, canonical_url, url_hash, state, given_title, notes, summary, analysis,
      known, duplicate_of, created_at, updated_at, processed_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${account}, ${keyOr(db, keys.item)}, ${item.id}, ${item.url}, ${item.canonicalUrl},
      ${addressHash(item.canonicalUrl)}, ${item.state}, ${item.givenTitle}, ${item.notes}, ${item.summary},
      ${json(item.analysis)}, ${json(item.known)}, ${item.duplicateOf}, ${item.createdAt},
      ${item.updatedAt}, ${item.processedAt})
    RETURNING seq`;
  if (row === undefined) throw new Error('an item that was just written has no key');
  const { seq } = row;
  for (const [at, original] of item.originals.entries()) {
    const packed = originals[at];
    if (packed !== undefined) writeOriginal(db, seq, original.name, packed, original.isGiven ? 'given' : 'fetched');
  }
  const ids = await Promise.all(item.documents.map((document) => insertDocument(db, seq, document, keys)));
  const versions = new Map(item.documents.map(({ version }, at) => [version, ids[at] ?? -1]));
  for (const address of item.addresses) writeAddress(db, seq, address);
  await Promise.all([
    addTags(db, seq, item.tags),
    showText(db, seq, item, versions),
    insertAnalysis(db, seq, item, versions, keys),
    insertJobs(db, seq, item),
  ]);
  await insertHighlights(db, seq, item, versions, keys);
  await sql`UPDATE items SET updated_at = ${item.updatedAt} WHERE account_id = ${account} AND seq = ${seq}`;
}

/** Shows the text that the item shows elsewhere. */
async function showText(
  db: AccountWrite,
  item: number,
  { visibleVersion, documents, passages, fingerprint }: ExportedItem,
  versions: Versions,
): Promise<void> {
  const shown = documents.find(({ version }) => version === visibleVersion);
  const id = versions.get(visibleVersion ?? -1);
  if (shown === undefined || id === undefined) return;
  showDocument(db, item, id);
  if (passages.length > 0)
    await runSteps(db, insertPassages(postgresDb(db), db.account, item, { id, text: shown.text }, passages));
  if (fingerprint !== null) replaceFingerprint(db, item, Buffer.from(fingerprint, 'hex'));
}

async function insertDocument(
  db: AccountWrite,
  item: number,
  document: ExportedItem['documents'][number],
  keys: Keys,
): Promise<number> {
  const { sql, account } = db;
  const hash = createHash('sha256').update(document.text).digest();
  const key = keys.documents.get(`${document.version} ${hash.toString('hex')}`);
  const [row] = await sql<{ id: number }[]>`
    INSERT INTO documents (account_id, id, item, version, content_type, title, author, site_name, published_at, language,
      canonical_url, duration_seconds, page_count, word_count, warnings, text_hash, created_at, text, blocks)
    OVERRIDING SYSTEM VALUE
    VALUES (${account}, ${keyOr(db, key)}, ${item}, ${document.version}, ${document.contentType}, ${document.title},
      ${document.author}, ${document.siteName}, ${document.publishedAt}, ${document.language}, ${document.canonicalUrl},
      ${document.durationSeconds}, ${document.pageCount}, ${document.wordCount}, ${json(document.warnings)}, ${hash},
      ${document.createdAt}, ${document.text}, ${json(document.blocks)})
    RETURNING id`;
  if (row === undefined) throw new Error('a document that was just written has no id');
  return row.id;
}

/** By version. */
type Versions = ReadonlyMap<number, number>;

async function insertAnalysis(
  db: AccountWrite,
  item: number,
  { insights, actions }: ExportedItem,
  versions: Versions,
  keys: Keys,
): Promise<void> {
  const { sql, account } = db;
  const rows: Promise<unknown>[] = [];
  const currentGoals = await runSteps(db, goalsVersion(postgresDb(db)));
  for (const [ordinal, insight] of insights.entries()) {
    const { version, text, quote, start, end, locator, url, goalId, goalReason = null } = insight;
    const document = versions.get(version);
    if (document === undefined) continue;
    // For those without a goal nobody has looked among the goals of this library.
    const row = sql`
      INSERT INTO insights (account_id, item, ordinal, document, text, quote, start_at, end_at, locator, url, goal,
        goal_reason, goals_version)
      VALUES (${account}, ${item}, ${ordinal}, ${document}, ${text}, ${quote}, ${start}, ${end},
        ${json(locator)}, ${url}, (SELECT id FROM goals WHERE account_id = ${account} AND id = ${goalId ?? null}),
        ${goalReason},
        coalesce((SELECT ${currentGoals}::int FROM goals WHERE account_id = ${account} AND id = ${goalId ?? null}), 0))`;
    rows.push(row.execute());
  }
  for (const action of actions) {
    const document = action.version === null ? null : versions.get(action.version);
    if (document === undefined) continue;
    const row = sql`
      INSERT INTO actions (account_id, seq, id, item, document, goal, goal_reason, title, reason, quote, start_at, end_at,
        locator, url, state, touched_at, completed_at, due, created_at)
      OVERRIDING SYSTEM VALUE
      VALUES (${account}, ${keyOr(db, keys.actions.get(action.id))}, ${action.id}, ${item}, ${document},
        (SELECT id FROM goals WHERE account_id = ${account} AND id = ${action.goalId}), ${action.goalReason},
        ${action.title}, ${action.reason}, ${action.quote}, ${action.start}, ${action.end},
        ${json(action.locator)}, ${action.url}, ${action.state}, ${action.touchedAt}, ${action.completedAt},
        ${action.due ?? null}, ${action.createdAt})
      ON CONFLICT DO NOTHING`;
    rows.push(row.execute());
  }
  await Promise.all(rows);
}

async function insertHighlights(
  db: AccountWrite,
  item: number,
  { highlights, visibleVersion }: ExportedItem,
  versions: Versions,
  keys: Keys,
): Promise<void> {
  const { sql, account } = db;
  const rows: Promise<unknown>[] = [];
  for (const one of highlights) {
    const document = versions.get(one.version ?? -1) ?? null;
    const isDue = one.deletedAt === null && visibleVersion !== null && one.version !== visibleVersion;
    const row = sql`
      INSERT INTO highlights (account_id, seq, id, item, source, quote, note, colour, document, start_at, end_at, locator,
        url, place_due, touched_at, created_at, updated_at, deleted_at)
      OVERRIDING SYSTEM VALUE
      VALUES (${account}, ${keyOr(db, keys.highlights.get(one.id))}, ${one.id}, ${item}, ${one.source}, ${one.quote},
        ${one.note}, ${one.colour}, ${document}, ${one.start}, ${one.end}, ${json(one.locator)}, ${one.url},
        ${isDue}, ${one.touchedAt}, ${one.createdAt}, ${one.updatedAt}, ${one.deletedAt})
      ON CONFLICT DO NOTHING`;
    rows.push(row.execute());
  }
  await Promise.all(rows);
  if (highlights.length > 0) await runSteps(db, markPassages(postgresDb(db), item));
}

async function insertJobs(db: AccountWrite, item: number, { job, betterAnalysis }: ExportedItem): Promise<void> {
  const { sql, account, now } = db;
  const due = (state: string) => (state === 'waiting' ? now : null);
  if (job !== null)
    await sql`
      INSERT INTO jobs (account_id, item, id, stage, state, attempts, due_at, background, failure_code, failure_message,
        failure_retryable)
      VALUES (${account}, ${item}, ${newId('j')}, ${job.stage}, ${job.state}, ${job.attempts}, ${due(job.state)},
        ${job.isBackground}, ${job.failureCode}, ${job.failureMessage}, ${job.isRetryable})`;
  if (betterAnalysis !== null)
    await sql`
      INSERT INTO llm_analyses (account_id, item, state, due_at, attempts, failure_code, failure_message, given_up)
      VALUES (${account}, ${item}, ${betterAnalysis.state}, ${due(betterAnalysis.state)}, ${betterAnalysis.attempts},
        ${betterAnalysis.failureCode}, ${betterAnalysis.failureMessage}, ${betterAnalysis.state === 'failed'})`;
}
