import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { Insight } from '../../../domain/records/content.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Replaces the item's insights.
 * @param goalsVersion of the goals among which theirs were looked for; 0: nobody has looked for them
 */
export function replaceInsights(
  file: SqliteFile,
  item: number,
  documentId: number,
  insights: PlacedAnalysis['insights'],
  goalsVersion: number,
): void {
  file.run('DELETE FROM insights WHERE item = ?', item);
  for (const [ordinal, insight] of insights.entries())
    insertInsight(file, item, documentId, ordinal, insight, goalsVersion);
}

/** An insight and where its quote stands in the text; null where it has none. */
interface InsightToStore {
  text: string;
  quote: string | null;
  start: number | null;
  end: number | null;
  locator: Locator | null;
  url: string | null;
  goalId?: string | null | undefined;
  goalReason?: string | null | undefined;
}

export function insertInsight(
  file: SqliteFile,
  item: number,
  documentId: number,
  ordinal: number,
  { text, quote, start, end, locator, url, goalId, goalReason }: InsightToStore,
  goalsVersion: number,
): void {
  file.run(
    `INSERT INTO insights (item, document, ordinal, text, quote, start_at, end_at, locator, url, goal, goal_reason,
       goals_version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM goals WHERE id = ?), ?, ?)`,
    item,
    documentId,
    ordinal,
    text,
    // An import may have an empty quote.
    quote === '' ? null : quote,
    start,
    end,
    locator === null ? null : JSON.stringify(locator),
    url,
    goalId ?? null,
    goalReason ?? null,
    goalsVersion,
  );
}

interface InsightRow extends Omit<InsightToStore, 'start' | 'end' | 'locator' | 'goalId' | 'goalReason'> {
  locator: string | null;
  goalId: string | null;
  goalReason: string | null;
}

/** The insights from this version of the text. Those from another version would point to the wrong places. */
export function listInsights(file: SqliteFile, item: number, documentId: number | null): Insight[] {
  const rows = file.all<InsightRow>(
    `SELECT i.text, i.quote, i.locator, i.url,
       i.goal AS goalId, i.goal_reason AS goalReason FROM insights i
     WHERE i.item = ? AND i.document = ? ORDER BY i.ordinal`,
    item,
    documentId,
  );
  return rows.map(({ text, quote, locator, url, goalId, goalReason }) => ({
    text,
    quote,
    locator: locator === null ? null : (JSON.parse(locator) as Locator),
    url: shownAddress(url),
    ...(quote === null && { unquoted: true as const }),
    ...(goalId !== null && { goalId, ...(goalReason !== null && { goalReason }) }),
  }));
}
