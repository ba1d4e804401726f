import type { GoalLink, Linkable, LinksDue, ToLink } from '../../records/analysis-records.ts';
import type { AccountTx, AccountWrite } from '../account-access.ts';
import { touchItem } from '../items/bridged.ts';
import { touchAction } from './merged-actions.ts';

/*
 * When a goal changes, open actions that no person edited are linked again: those without a goal, and those of the
 * changed goal. A link to an unchanged goal stays, because it may come from an analyst that used more than keywords.
 * Nobody but this program links insights, so all of them are linked again: `goals_version` of an insight says among which
 * goals its goal was looked for.
 */

export async function goalsVersion({ sql, account }: AccountTx): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    SELECT goals_version AS version FROM libraries WHERE account_id = ${account}`;
  return row?.version ?? 0;
}

const untouched = ({ sql, account }: AccountTx) =>
  sql`account_id = ${account} AND state = 'open' AND touched_at IS NULL`;

/** Notes a goal's change. An archived goal gets no new links and keeps those that it has: nothing is linked again. */
export async function noteChangedGoal(db: AccountTx, goalId: string, isArchived: boolean): Promise<void> {
  const { sql, account } = db;
  if (isArchived) return;
  await sql`UPDATE libraries SET goals_version = goals_version + 1 WHERE account_id = ${account}`;
  await sql`
    UPDATE actions SET link_due = true WHERE ${untouched(db)} AND NOT link_due AND (goal IS NULL OR goal = ${goalId})`;
}

/** Queues the item's actions for linking if the goals have changed since `version`, which their analyst used. */
export async function noteOldGoals(db: AccountTx, item: number, version: number): Promise<void> {
  if ((await goalsVersion(db)) === version) return;
  await db.sql`UPDATE actions SET link_due = true WHERE ${untouched(db)} AND item = ${item}`;
}

export async function hasLinksDue(db: AccountTx): Promise<boolean> {
  const { sql, account } = db;
  const [action] = await sql`SELECT 1 FROM actions WHERE account_id = ${account} AND link_due LIMIT 1`;
  if (action !== undefined) return true;
  return (await sql`SELECT 1 FROM insights x WHERE ${insightIsDue(db)} LIMIT 1`).length > 0;
}

const insightIsDue = ({ sql, account }: AccountTx) =>
  sql`x.account_id = ${account} AND x.goals_version < (SELECT goals_version FROM libraries WHERE account_id = ${account})`;

interface DueRow extends Omit<ToLink, 'of' | 'headingPath'> {
  headingPath: string[] | null;
}

/** Actions first: a person sees them in one list. */
export async function listLinksDue(db: AccountTx, limit: number): Promise<Omit<LinksDue, 'goals'>> {
  const { sql, account } = db;
  const columns = sql`d.title AS document_title, d.language, p.heading_path, p.text AS passage`;
  const context = sql`
    LEFT JOIN documents d ON d.account_id = ${account} AND d.id = coalesce(x.document,
      (SELECT visible_document FROM items WHERE account_id = ${account} AND seq = x.item))
    LEFT JOIN LATERAL (
      SELECT heading_path, text FROM passages
      WHERE account_id = ${account} AND document = x.document AND start_at <= x.start_at AND end_at > x.start_at
      ORDER BY ordinal LIMIT 1) p ON true`;
  const toLink = ({ headingPath, text, documentTitle, language, passage }: DueRow, of: Linkable): ToLink => ({
    of,
    text,
    documentTitle,
    language,
    headingPath: headingPath ?? [],
    passage,
  });
  const actions = await sql<(DueRow & { actionId: string })[]>`
    SELECT x.id AS action_id, coalesce(x.quote, x.title) AS text, ${columns} FROM actions x ${context}
    WHERE x.account_id = ${account} AND x.link_due ORDER BY x.seq LIMIT ${limit}`;
  const insights = await sql<(DueRow & { item: number; ordinal: number })[]>`
    SELECT x.item, x.ordinal, x.text, ${columns} FROM insights x ${context}
    WHERE ${insightIsDue(db)} LIMIT ${limit - actions.length}`;
  return {
    goalsVersion: await goalsVersion(db),
    due: [
      ...actions.map((row) => toLink(row, { actionId: row.actionId })),
      ...insights.map((row) => toLink(row, { item: row.item, ordinal: row.ordinal, text: row.text })),
    ],
  };
}

/**
 * Stores new links. Actions that a person edited in the meantime keep their link, and so do those linked to an archived
 * goal. Returns false, and stores nothing, when the goals have changed since `version`, or a linked one is archived.
 */
export async function keepGoalLinks(db: AccountWrite, version: number, links: readonly GoalLink[]): Promise<boolean> {
  const { sql, account } = db;
  if ((await goalsVersion(db)) !== version) return false;
  const archived = await sql<{ id: string }[]>`
    SELECT id FROM goals WHERE account_id = ${account} AND archived_at IS NOT NULL`;
  if (archived.some(({ id }) => links.some(({ goalId }) => goalId === id))) return false;
  for (const { of, goalId, reason } of links) {
    const changed = sql`(goal IS DISTINCT FROM ${goalId} OR goal_reason IS DISTINCT FROM ${reason})
      AND (goal IS NULL OR goal NOT IN (
        SELECT id FROM goals WHERE account_id = ${account} AND archived_at IS NOT NULL))`;
    if ('actionId' in of) {
      await sql`UPDATE actions SET link_due = false WHERE account_id = ${account} AND id = ${of.actionId}`;
      const [linked] = await sql<{ seq: number }[]>`
        UPDATE actions SET goal = ${goalId}, goal_reason = ${reason}
        WHERE ${untouched(db)} AND id = ${of.actionId} AND ${changed} RETURNING seq`;
      if (linked !== undefined) await touchAction(db, linked.seq);
    } else {
      // The words: another analysis may have replaced the item's insights meanwhile.
      const same = sql`account_id = ${account} AND item = ${of.item} AND ordinal = ${of.ordinal} AND text = ${of.text}`;
      await sql`UPDATE insights SET goals_version = ${version} WHERE ${same}`;
      const linked = await sql`
        UPDATE insights SET goal = ${goalId}, goal_reason = ${reason} WHERE ${same} AND ${changed} RETURNING 1`;
      if (linked.length > 0) touchItem(db, of.item);
    }
  }
  return true;
}
