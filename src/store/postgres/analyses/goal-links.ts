import type { ActionToLink, GoalLink, LinksDue } from '../../records/analysis-records.ts';
import type { AccountTx } from '../account-access.ts';
import { touchAction } from './merged-actions.ts';

/*
 * When a goal changes, open actions that no person edited are linked again: those without a goal, and those of the
 * changed goal. A link to an unchanged goal stays, because it may come from an analyst that used more than keywords.
 */

export async function goalsVersion({ sql, account }: AccountTx): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    SELECT goals_version AS version FROM libraries WHERE account_id = ${account}`;
  return row?.version ?? 0;
}

const untouched = ({ sql, account }: AccountTx) =>
  sql`account_id = ${account} AND state = 'open' AND touched_at IS NULL`;

/** Notes a goal's change that affects links. An archived goal gets no new links and keeps those that it has. */
export async function noteChangedGoal(db: AccountTx, goalId: string, isArchived: boolean): Promise<void> {
  const { sql, account } = db;
  await sql`UPDATE libraries SET goals_version = goals_version + 1 WHERE account_id = ${account}`;
  if (isArchived) return;
  await sql`
    UPDATE actions SET link_due = true WHERE ${untouched(db)} AND NOT link_due AND (goal IS NULL OR goal = ${goalId})`;
}

/** Queues the item's actions for linking if the goals have changed since `version`, which their analyst used. */
export async function noteOldGoals(db: AccountTx, item: number, version: number): Promise<void> {
  if ((await goalsVersion(db)) === version) return;
  await db.sql`UPDATE actions SET link_due = true WHERE ${untouched(db)} AND item = ${item}`;
}

export async function hasLinksDue({ sql, account }: AccountTx): Promise<boolean> {
  return (await sql`SELECT 1 FROM actions WHERE account_id = ${account} AND link_due LIMIT 1`).length > 0;
}

export async function listLinksDue(db: AccountTx, limit: number): Promise<Omit<LinksDue, 'goals'>> {
  const { sql, account } = db;
  const rows = await sql<(Omit<ActionToLink, 'headingPath'> & { headingPath: string[] | null })[]>`
    SELECT a.id, coalesce(a.quote, a.title) AS quote, d.title AS document_title, d.language, p.heading_path, p.text AS passage
    FROM actions a JOIN documents d ON d.account_id = ${account} AND d.id = a.document
      LEFT JOIN LATERAL (
        SELECT heading_path, text FROM passages
        WHERE account_id = ${account} AND document = a.document AND start_at <= a.start_at AND end_at > a.start_at
        ORDER BY ordinal LIMIT 1) p ON true
    WHERE a.account_id = ${account} AND a.link_due ORDER BY a.seq LIMIT ${limit}`;
  const actions = rows.map((row) => ({ ...row, headingPath: row.headingPath ?? [] }));
  return { goalsVersion: await goalsVersion(db), actions };
}

/**
 * Stores new links. Actions that a person edited in the meantime keep their link, and so do those linked to an archived
 * goal. Returns false, and stores nothing, when the goals have changed since `version`.
 */
export async function keepGoalLinks(db: AccountTx, version: number, links: readonly GoalLink[]): Promise<boolean> {
  const { sql, account } = db;
  if ((await goalsVersion(db)) !== version) return false;
  for (const { actionId, goalId, reason } of links) {
    await sql`UPDATE actions SET link_due = false WHERE account_id = ${account} AND id = ${actionId}`;
    const [linked] = await sql<{ seq: number }[]>`
      UPDATE actions SET goal = ${goalId}, goal_reason = ${reason}
      WHERE ${untouched(db)} AND id = ${actionId}
        AND (goal IS DISTINCT FROM ${goalId} OR goal_reason IS DISTINCT FROM ${reason})
        AND (goal IS NULL OR goal NOT IN (
          SELECT id FROM goals WHERE account_id = ${account} AND archived_at IS NOT NULL))
      RETURNING seq`;
    if (linked !== undefined) await touchAction(db, linked.seq);
  }
  return true;
}
