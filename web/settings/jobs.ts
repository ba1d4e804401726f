import { useEffect } from 'preact/hooks';
import type { ExportJob, ImportJob, List } from '../records.ts';
import { useAnswer, useStore } from '../store.ts';

/** Imports and exports that are shown. */
export const shownJobs = { limit: 10 };
const askAgainMs = 800;

/** Imports or exports, asked for again while one of them has not ended. */
export function useJobs<Job extends ImportJob | ExportJob>(operation: 'list_imports' | 'list_exports'): Job[] {
  const store = useStore();
  const { answer } = useAnswer<List<Job>>(operation, shownJobs);
  const jobs = answer?.items ?? [];
  const isRunning = jobs.some(({ state }) => state === 'waiting' || state === 'running');
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(() => store.refresh(operation), askAgainMs);
    return () => clearTimeout(timer);
  }, [answer]);
  useEffect(() => {
    if (!isRunning) store.refresh('list_library', 'library_state', 'list_tags');
  }, [isRunning]);
  return jobs;
}
