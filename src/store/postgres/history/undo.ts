import type { UndoPart } from '../../history/undo.ts';
import { noteUndone, planUndo } from '../../library/history-undo.ts';
import type { AccountWrite } from '../account-access.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { restoreRows } from './restore-rows.ts';

export async function undoPart(
  db: AccountWrite,
  id: string,
  how: { force: boolean; undoneBy: string },
): Promise<UndoPart | null> {
  const planned = await runSteps(db, planUndo(postgresDb(db), id, how));
  if (planned === null || !('plan' in planned)) return planned;
  const { restore, part } = planned.plan;
  if (restore === null) return part;
  await restoreRows(db, restore);
  await runSteps(db, noteUndone(postgresDb(db), planned, how.undoneBy));
  return part;
}
