import type { Insight } from '../../../domain/records/content.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** Replaces the item's insights. */
export function replaceInsights(
  file: SqliteFile,
  content: number,
  documentId: number,
  insights: PlacedAnalysis['insights'],
): void {
  file.run('DELETE FROM insights WHERE content = ?', content);
  for (const [ordinal, insight] of insights.entries()) {
    file.run(
      `INSERT INTO insights (content, document, ordinal, text, quote, start_at, end_at, locator, url)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      content,
      documentId,
      ordinal,
      insight.text,
      insight.quote,
      insight.start,
      insight.end,
      insight.locator === null ? null : JSON.stringify(insight.locator),
      insight.url,
    );
  }
}

/** The insights from this version of the text. Those from another version would point to the wrong places. */
export function listInsights(file: SqliteFile, content: number, documentId: number | null): Insight[] {
  const rows = file.all<{ text: string; quote: string | null; locator: string | null; url: string | null }>(
    'SELECT text, quote, locator, url FROM insights WHERE content = ? AND document = ? ORDER BY ordinal',
    content,
    documentId,
  );
  return rows.map((row) => ({
    ...row,
    locator: row.locator === null ? null : (JSON.parse(row.locator) as Locator),
    ...(row.quote === null && { unquoted: true as const }),
  }));
}
