import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import type { AnalysedItem } from '../../records/analysis-records.ts';
import type { AccountTx } from '../account-access.ts';
import { touchItem } from '../items/bridged.ts';
import { replaceAnalysis } from './analysis.ts';
import { noteOldGoals } from './goal-links.ts';

export async function listAnalysed({ sql, account }: AccountTx, after: number, limit: number): Promise<AnalysedItem[]> {
  return [
    ...(await sql<AnalysedItem[]>`
      SELECT seq, id AS content_id, url, analysis AS info FROM items
      WHERE account_id = ${account} AND seq > ${after} AND state = 'completed' AND deleted_at IS NULL
      ORDER BY seq LIMIT ${limit}`),
  ];
}

export async function renewExtractiveAnalysis(
  db: AccountTx,
  contentId: string,
  documentId: number,
  analysis: PlacedAnalysis,
  goalsVersion: number,
): Promise<boolean> {
  const { sql, account } = db;
  const [item] = await sql<{ seq: number }[]>`
    SELECT seq FROM items WHERE account_id = ${account} AND id = ${contentId} AND visible_document = ${documentId}
      AND state = 'completed' AND deleted_at IS NULL AND analysis ->> 'by' = 'extractive'`;
  if (item === undefined) return false;
  await replaceAnalysis(db, item.seq, documentId, analysis, goalsVersion);
  await noteOldGoals(db, item.seq, goalsVersion);
  touchItem(db, item.seq);
  return true;
}
