import type { UndoPart } from '../../history/undo.ts';
import { noteUndone, planUndo } from '../../library/history-undo.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { type Asked, runSteps, sqliteDb } from '../library/sqlite-db.ts';
import { restoreRows } from './apply.ts';

export function undoPart(
  file: SqliteFile,
  asked: Asked,
  id: string,
  how: { force: boolean; undoneBy: string },
): UndoPart | null {
  const db = sqliteDb(file, asked);
  const planned = runSteps(file, planUndo(db, id, how));
  if (planned === null || !('plan' in planned)) return planned;
  const { restore, part } = planned.plan;
  if (restore === null) return part;
  restoreRows({ file, now: asked.now, clock: asked.clock }, restore);
  runSteps(file, noteUndone(db, planned, how.undoneBy));
  return part;
}
