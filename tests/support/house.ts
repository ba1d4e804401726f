import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type App, type AppOverrides } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { putNewLibrary } from './new-library.ts';

/**
 * The whole program on a data folder of its own, which goes with it. Private addresses are allowed: test sites are on
 * them. Searches run in the test's thread: starting others for a handful of passages takes longer than the test.
 */
export async function openHouse(
  settings: Record<string, unknown> = {},
  overrides: AppOverrides = {},
  /** For what is secret, which no flag takes. */
  environment: Record<string, string> = {},
): Promise<{ app: App; folder: string; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-test-'));
  await putNewLibrary(folder);
  const config = loadConfig(
    { data: folder, logLevel: 'silent', allowPrivateAddresses: true, searchThreads: false, ...settings },
    environment,
  );
  const app = await createApp(config, overrides);
  return {
    app,
    folder,
    close: async () => {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
