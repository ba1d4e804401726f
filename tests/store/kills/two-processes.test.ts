import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import Database from 'better-sqlite3';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { countUnfinishedJobs } from '../../support/store/store-reads.ts';

const program = fileURLToPath(new URL('claim-all.ts', import.meta.url));
const run = promisify(execFile);

describe('two processes on one data folder', () => {
  const folder = temporaryFolder();
  afterEach(() => folder.remove());

  it('create it together, save the same items once, and never claim a job twice', async () => {
    const share = 200;
    const saveAll = (name: string) => run(process.execPath, [program, folder.path, name, String(share)]);
    const claimAll = async (name: string): Promise<string[]> => {
      const { stdout } = await run(process.execPath, [program, folder.path, name]);
      return JSON.parse(stdout) as string[];
    };
    // One after the other: an item that failed before the other process saves it is rightly queued again.
    await Promise.all([saveAll('first'), saveAll('second')]);
    const claimed = (await Promise.all([claimAll('first'), claimAll('second')])).flat();
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claimed).toHaveLength(3 * share);

    const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
    const store = await stores.open('local');
    expect(await countUnfinishedJobs(store)).toBe(0);
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(3 * share);
    expect((await store.listContent({ limit: 1, offset: 0, status: 'failed' })).total).toBe(3 * share);
    expect(
      (await store.listContent({ limit: 1, offset: 0, filter: { all: [{ tag: 'first' }, { tag: 'second' }] } })).total,
    ).toBe(share);
    expect(await stores.control.listAccounts()).toHaveLength(1);
    await stores.close();
  });

  it('start while the other is creating the library, which does not count as missing', async () => {
    await (await openDataFolder({ folder: folder.path, clock: new ManualClock() })).close();
    const path = join(folder.path, 'accounts', 'local.db');
    const begun = new Database(path);
    begun.pragma('journal_mode = WAL');
    const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
    begun.close();
    const store = await stores.open('local');
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(0);
    await stores.close();
  });
});
