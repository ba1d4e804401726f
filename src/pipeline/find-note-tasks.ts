import { setImmediate } from 'node:timers/promises';
import { utcDay } from '../domain/clock.ts';
import { ProcessingError } from '../errors.ts';
import type { NotesDue } from '../store/records/analysis-records.ts';
import type { Store } from '../store/store.ts';
import type { FindTasks } from './text-worker/text-worker-pool.ts';

/** Items that are read at once. */
const readAtOnce = 20;
/** Reads before other accounts get their turn: an import may have thousands of notes. */
const maxReads = 50;

/**
 * Makes the tasks in notes on items and highlights actions. The store records which notes have changed, so a killed
 * process continues where it was.
 */
export async function findNoteTasks(store: Store, findTasks: FindTasks, signal: AbortSignal): Promise<void> {
  for (let read = 0; read < maxReads; read += 1) {
    const due = await store.listNotesDue(readAtOnce);
    if (due.length === 0) return;
    // An item that somebody changes meanwhile is read again in the next round.
    for (const item of due) await store.keepNoteTasks(item, await tasksOf(item, findTasks, signal, store.accountId));
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** If the search times out, the notes count as having no tasks; a retry would time out again. */
async function tasksOf(
  { notes, language, updatedAt }: NotesDue,
  findTasks: FindTasks,
  signal: AbortSignal,
  accountId: string,
): ReturnType<FindTasks> {
  if (notes.length === 0) return [];
  try {
    return await findTasks(notes, language, utcDay(updatedAt), signal, accountId);
  } catch (error) {
    if (error instanceof ProcessingError && !error.retryable) return [];
    throw error;
  }
}
