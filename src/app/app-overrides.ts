import type { Clock } from '../domain/clock.ts';
import type { LlmAnalyst, Analyst } from '../models/analysis/analyst.ts';
import type { FetchProcess } from '../fetching/fetch-process.ts';
import type { Embedder } from '../models/embedding/index.ts';
import type { TextWorkerPool } from '../pipeline/text-worker/text-worker-pool.ts';
import type { Passwords } from '../services/sign-in/passwords.ts';
import type { Readers } from '../sources/host/index.ts';
import type { TakeModelAhead } from './model-ahead.ts';

/** Parts that a command, or a test, replaces, whatever the settings say. */
export interface AppOverrides {
  clock?: Clock;
  /** Overrides of the settings. */
  analyst?: Analyst;
  embedder?: Embedder | null;
  llmAnalyst?: LlmAnalyst | null;
  /** Replaces the app's own threads and processes. They outlive the app. */
  texts?: TextWorkerPool;
  readers?: Readers;
  fetching?: FetchProcess;
  /** Instead of hashes that are slow to guess, for tests that sign in often. */
  passwords?: Passwords;
  modelsFolder?: string;
  fetchMs?: number;
  /** Another archive than the Wayback Machine, which answers in the same way. */
  webArchive?: { lookupUrl: string; copiesUrl: string };
  /** Requests with a wrong token a minute and address; 0: no limit. */
  failedAuthPerMinute?: number;
  analysesAtOnce?: number;
  memoryMegabytes?: number;
  /** Opens the data folder for reading only: nothing is created, migrated or written, and nothing can be processed. */
  readOnly?: boolean;
  loadsModel?: boolean;
  /** A process of the sentence model that is used in place of one to start. */
  takeModelAhead?: TakeModelAhead;
  /** Clients can ask again, so a search does not wait long for a model that is loading. */
  isServer?: boolean;
  /** The program serves several accounts at once: their libraries run in threads, so that no account waits for another. */
  servesMany?: boolean;
  /** Path of the library to adopt, which may be all that is left of the data folder. */
  adopting?: string | undefined;
}
