import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp, type App } from '../../src/app/app.ts';
import type { AppOverrides } from '../../src/app/app-overrides.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { createTitleComparer } from '../../src/models/embedding/index.ts';
import { startTextWorker } from '../../src/pipeline/text-worker/text-reader.ts';
import { createTextWorkerPool, usualTextLimits } from '../../src/pipeline/text-worker/text-worker-pool.ts';
import { startFetching } from '../../src/fetching/fetch-process.ts';
import { createPasswords } from '../../src/services/sign-in/passwords.ts';
import { createReaders } from '../../src/sources/host/index.ts';
import { putNewLibrary } from './store/new-library.ts';

/**
 * For all programs of a process that have no sentence model: to start the threads and the process takes a second of processor time, and to read
 * and to split a page of a test takes a twentieth of it. They end when they have been idle, or with the process.
 */
const shared = {
  texts: createTextWorkerPool({
    ...usualTextLimits,
    compare: createTitleComparer(null, pino({ level: 'silent' })),
    startWorker: startTextWorker,
  }),
  readers: createReaders({ ocr: false, hasYtDlp: false }),
  fetching: startFetching(),
};

/** A thirtieth of what a hash costs: tests sign in some hundred times. */
const passwords = createPasswords(10);

/**
 * The whole program on a data folder of its own, which goes with it. Private addresses are allowed: test sites are on
 * them. Searches run in the test's thread: starting others for a handful of passages takes longer than the test.
 */
export async function openTestServer(
  settings: Record<string, unknown> = {},
  overrides: AppOverrides = {},
  /** For what is secret, which no flag takes. */
  environment: Record<string, string> = {},
): Promise<{ app: App; folder: string; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-test-'));
  await putNewLibrary(folder);
  const config = loadConfig(
    { data: folder, logLevel: 'silent', allowPrivateAddresses: true, ...settings },
    environment,
  );
  const isUsual =
    (overrides.embedder === null || config.embedder === 'none') && config.ocr === 'off' && !config.ytDlpPath;
  const app = await createApp(config, { passwords, ...(isUsual && shared), ...overrides });
  return {
    app,
    folder,
    close: async () => {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
