import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import type { AnalysisInfo } from '../../../domain/records/content.ts';
import type { AnalysedItem } from '../../records/analysis-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { touchItem } from '../items/bridged.ts';
import { replaceAnalysis } from './analysis.ts';
import { noteOldGoals } from './goal-links.ts';

export function listAnalysed(file: SqliteFile, after: number, limit: number): AnalysedItem[] {
  // By key: the index by state would sort all completed items each time.
  const rows = file.all<Omit<AnalysedItem, 'info'> & { info: string | null }>(
    `SELECT seq, id AS contentId, url, analysis AS info FROM items NOT INDEXED
     WHERE seq > ? AND state = 'completed' AND deleted_at IS NULL ORDER BY seq LIMIT ?`,
    after,
    limit,
  );
  return rows.map(({ info, ...row }) => ({ ...row, info: info === null ? null : (JSON.parse(info) as AnalysisInfo) }));
}

export function renewExtractiveAnalysis(
  file: SqliteFile,
  contentId: string,
  documentId: number,
  analysis: PlacedAnalysis,
  goalsVersion: number,
  now: number,
): boolean {
  const item = file.get<{ seq: number }>(
    `SELECT seq FROM items WHERE id = ? AND visible_document = ? AND state = 'completed' AND deleted_at IS NULL
       AND analysis ->> '$.by' = 'extractive'`,
    contentId,
    documentId,
  );
  if (item === undefined) return false;
  replaceAnalysis(file, item.seq, documentId, analysis, now, goalsVersion);
  noteOldGoals(file, item.seq, goalsVersion);
  touchItem(file, item.seq, now);
  return true;
}
