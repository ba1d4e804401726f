import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import type { Insight } from '../../../domain/records/content.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import type { AccountTx } from '../account-access.ts';
import { json } from '../database.ts';

/**
 * Replaces the item's insights.
 * @param goalsVersion of the goals among which theirs were looked for; 0: nobody has looked for them
 */
export async function replaceInsights(
  { sql, account }: AccountTx,
  item: number,
  documentId: number,
  insights: PlacedAnalysis['insights'],
  goalsVersion: number,
): Promise<void> {
  await sql`DELETE FROM insights WHERE account_id = ${account} AND item = ${item}`;
  for (const [ordinal, insight] of insights.entries()) {
    const { text, quote, start, end, locator, url, goalId = null, goalReason = null } = insight;
    await sql`
      INSERT INTO insights (account_id, item, ordinal, document, text, quote, start_at, end_at, locator, url, goal,
        goal_reason, goals_version)
      VALUES (${account}, ${item}, ${ordinal}, ${documentId}, ${text}, ${quote}, ${start}, ${end},
        ${locator === null ? null : json(locator)}, ${url},
        (SELECT id FROM goals WHERE account_id = ${account} AND id = ${goalId}), ${goalReason}, ${goalsVersion})`;
  }
}

/** The insights from this version of the text. Those from another version would point to the wrong places. */
export async function listInsights(
  { sql, account }: AccountTx,
  item: number,
  documentId: number | null,
): Promise<Insight[]> {
  const rows = await sql<
    {
      text: string;
      quote: string | null;
      locator: Locator | null;
      url: string | null;
      goalId: string | null;
      goalReason: string | null;
    }[]
  >`
    SELECT text, quote, locator, url, goal AS goal_id, goal_reason FROM insights
    WHERE account_id = ${account} AND item = ${item} AND document = ${documentId} ORDER BY ordinal`;
  return rows.map(({ goalId, goalReason, ...row }) => ({
    ...row,
    url: shownAddress(row.url),
    ...(row.quote === null && { unquoted: true as const }),
    ...(goalId !== null && { goalId, ...(goalReason !== null && { goalReason }) }),
  }));
}
