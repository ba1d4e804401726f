import type { Clock } from '../../domain/clock.ts';
import type { ContentItem, ContentSummary } from '../../domain/records/content.ts';
import { stages } from '../../domain/records/stages.ts';
import type { Store } from '../../store/store.ts';

export interface Progress {
  /** Finished stages; only ever rises. */
  progress: number;
  total: number;
  message: string;
}

export interface ProcessingWait {
  onProgress?: ((progress: Progress) => void) | undefined;
  signal: AbortSignal;
}

const pollMs = 100;

const stageMessages = {
  fetch: 'Fetching the page',
  extract: 'Reading out the text',
  split: 'Splitting it into passages',
  embed: 'Preparing it for search',
  analyse: 'Summarising it',
} as const;

function endMessage({ status }: ContentSummary): string {
  if (status === 'completed') return 'Done';
  return status === 'failed' ? 'It could not be processed' : 'Put off to a later attempt';
}

/** Waits for an item while it is processed, and reports its progress. */
export interface ProcessingWatch {
  /** Until the item is processed or put off, or for `waitMs`. */
  untilProcessed(store: Store, id: string, waitMs: number, waiting: ProcessingWait): Promise<void>;
  /** The item after at most `waitSeconds`; null when that is 0, or when the item was deleted. */
  waitAndRead(store: Store, id: string, waitSeconds: number, waiting: ProcessingWait): Promise<ContentItem | null>;
}

export function createProcessingWatch(clock: Clock): ProcessingWatch {
  const untilProcessed = async (store: Store, id: string, waitMs: number, { onProgress, signal }: ProcessingWait) => {
    const deadline = clock.elapsed() + waitMs;
    let reported = -1;
    for (;;) {
      const item = await store.getContentSummary(id);
      if (item === null) return;
      if (item.progress === undefined || item.failure !== undefined) {
        onProgress?.({ progress: stages.length, total: stages.length, message: endMessage(item) });
        return;
      }
      const finished = stages.indexOf(item.progress.stage);
      if (finished > reported) {
        reported = finished;
        onProgress?.({ progress: finished, total: stages.length, message: stageMessages[item.progress.stage] });
      }
      if (clock.elapsed() >= deadline) return;
      await clock.sleep(Math.min(pollMs, Math.max(1, deadline - clock.elapsed())), signal);
    }
  };

  const waitAndRead = async (store: Store, id: string, waitSeconds: number, waiting: ProcessingWait) => {
    if (waitSeconds <= 0) return null;
    await untilProcessed(store, id, waitSeconds * 1_000, waiting);
    return store.getContent(id);
  };

  return { untilProcessed, waitAndRead };
}
