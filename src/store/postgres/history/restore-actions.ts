import { type ChangedRow, differingColumns, type Values } from '../../history/changed-rows.ts';
import { restoredActionColumns } from '../../history/restored-columns.ts';
import type { AccountWrite } from '../account-access.ts';
import { noteChangedGoal } from '../../library/goals.ts';
import { touchAction } from '../../library/merged-actions.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { asJson, assignments } from './assignments.ts';
import { type CurrentRows, currentRows } from '../../library/history-rows.ts';
import { existingDocuments } from '../../library/history-undo.ts';

/** What is there of what action items point to. */
interface PointedTo {
  current: CurrentRows;
  documents: ReadonlySet<unknown>;
  goals: ReadonlySet<string>;
}

const hasDocument = ({ documents }: PointedTo, { document }: Values) => documents.has(document);
const hasGoal = ({ goals }: PointedTo, { goal = null }: Values) => goal === null || goals.has(String(goal));

export async function restoreActions(db: AccountWrite, rows: readonly ChangedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { sql, account } = db;
  for (const { key, before } of rows)
    if (before === null) await sql`DELETE FROM actions WHERE account_id = ${account} AND seq = ${key}`;
  const found: PointedTo = {
    current: await runSteps(db, currentRows(postgresDb(db), rows)),
    documents: await runSteps(db, existingDocuments(postgresDb(db), rows)),
    goals: new Set(
      (await sql<{ id: string }[]>`SELECT id FROM goals WHERE account_id = ${account}`).map(({ id }) => id),
    ),
  };
  for (const one of rows) if (one.before !== null && one.after === null) await insert(db, found, one, one.before);
  for (const one of rows) if (one.before !== null && one.after !== null) await update(db, found, one, one.before);
  for (const { key, before } of rows) if (before !== null) await restoreHead(db, key, before);
}

/** An action that it was merged into may have come back only now. */
async function restoreHead(db: AccountWrite, key: number, { merged_into: head = null }: Values): Promise<void> {
  const { sql, account } = db;
  if (head !== null)
    await sql`
      UPDATE actions SET merged_into = h.seq FROM actions h
      WHERE actions.account_id = ${account} AND actions.seq = ${key} AND actions.merged_into IS NULL
        AND h.account_id = ${account} AND h.seq = ${head} AND h.merged_into IS NULL`;
  await runSteps(db, touchAction(postgresDb(db), key));
}

async function insert(db: AccountWrite, found: PointedTo, changed: ChangedRow, before: Values): Promise<void> {
  if (found.current(changed) !== null || !hasDocument(found, before)) return;
  const { sql, account } = db;
  const value = (column: string) => before[column] ?? null;
  await sql`
    INSERT INTO actions (account_id, seq, id, item, document, goal, goal_reason, title, reason, quote, start_at, end_at,
      locator, url, state, touched_at, completed_at, due, created_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${account}, ${changed.key}, ${changed.subject}, ${value('item')}, ${value('document')},
      ${hasGoal(found, before) ? value('goal') : null}, ${value('goal_reason')}, ${value('title')}, ${value('reason')},
      ${value('quote')}, ${value('start_at')}, ${value('end_at')}, ${asJson(value('locator'))}, ${value('url')},
      ${value('state')}, ${value('touched_at')}, ${value('completed_at')}, ${value('due')},
      ${value('created_at')})`;
}

async function update(db: AccountWrite, found: PointedTo, changed: ChangedRow, before: Values): Promise<void> {
  const { sql, account } = db;
  const there = found.current(changed);
  if (there === null) return;
  const { columns, standsAlone } = restoredActionColumns(changed, there, {
    hasDocument: hasDocument(found, before),
    hasGoal: hasGoal(found, before),
  });
  const own = sql`account_id = ${account} AND seq = ${changed.key}`;
  if (columns.length > 0) await sql`UPDATE actions SET ${assignments(db, columns, before)} WHERE ${own}`;
  if (standsAlone) await sql`UPDATE actions SET merged_into = NULL WHERE ${own}`;
  if (columns.includes('title')) await sql`UPDATE actions SET has_words = false WHERE ${own}`;
}

/** Goals that were there before. They come first, because action items point to them. */
export async function restoreGoals(db: AccountWrite, rows: readonly ChangedRow[]): Promise<void> {
  const current = await runSteps(db, currentRows(postgresDb(db), rows));
  for (const row of rows) if (row.before !== null) await restoreGoal(db, row, row.before, current(row) !== null);
}

async function restoreGoal(db: AccountWrite, changed: ChangedRow, before: Values, isThere: boolean): Promise<void> {
  const { sql, account } = db;
  const { key, subject } = changed;
  const columns = differingColumns(changed);
  if (!isThere)
    await sql`
      INSERT INTO goals (account_id, seq, id, title, category, description, created_at, archived_at)
      OVERRIDING SYSTEM VALUE
      VALUES (${account}, ${key}, ${subject}, ${before['title'] ?? ''}, ${before['category'] ?? ''},
        ${before['description'] ?? null}, ${before['created_at'] ?? 0}, ${before['archived_at'] ?? null})`;
  else if (columns.length > 0)
    await sql`
      UPDATE goals SET ${assignments(db, columns, before)} WHERE account_id = ${account} AND id = ${subject}`;
  await runSteps(db, noteChangedGoal(postgresDb(db), subject ?? '', before['archived_at'] !== null));
}

/** Takes away goals that were not there before. Their action items are linked to other goals. */
export async function removeGoals(db: AccountWrite, rows: readonly ChangedRow[]): Promise<void> {
  const { sql, account } = db;
  for (const { subject, before } of rows) {
    if (before !== null) continue;
    await runSteps(db, noteChangedGoal(postgresDb(db), subject ?? '', false));
    for (const table of ['actions', 'insights'])
      await sql`
        UPDATE ${sql(table)} SET goal = NULL, goal_reason = NULL WHERE account_id = ${account} AND goal = ${subject}`;
    await sql`DELETE FROM goals WHERE account_id = ${account} AND id = ${subject}`;
  }
}
