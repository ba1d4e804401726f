import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import type { Control } from '../../src/store/control/control.ts';
import { AccountFiles } from '../../src/store/sqlite/files/account-files.ts';
import { createSqliteStore } from '../../src/store/sqlite/account-store.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { indexMethods } from '../../src/app/index-methods.ts';
import { Libraries } from '../../src/store/sqlite/library/libraries.ts';
import type { Store } from '../../src/store/store.ts';
import { ManualClock } from '../support/clock.ts';
import { saveUrls } from '../support/store/stores.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { claimJob } from '../support/store/claims.ts';

describe('work that is announced and then settled before it is written', () => {
  const folder = temporaryFolder();
  const clock = new ManualClock();
  afterEach(() => folder.remove());

  /** What a worker does that finds nothing to do. */
  async function clearAsWorker(control: Control, store: Store): Promise<boolean[]> {
    const settled: boolean[] = [];
    for (const { generation } of await control.accountsWithWork()) {
      const isSettled = await store.settleWork(generation);
      if (isSettled) await control.clearWork(localAccountId, generation);
      settled.push(isSettled);
    }
    return settled;
  }

  async function open(afterAnnouncing: (times: number) => Promise<void>) {
    mkdirSync(folder.path, { recursive: true });
    const stores = await openDataFolder({ folder: folder.path, clock });
    let announced = 0;
    const control: Control = Object.assign(Object.create(stores.control) as Control, {
      async announceWork(accountId: string, above?: number) {
        const generation = await stores.control.announceWork(accountId, above);
        announced += 1;
        await afterAnnouncing(announced);
        return generation;
      },
      async getAccount(id: string) {
        return stores.control.getAccount(id);
      },
    });
    // Opened there first, so that the file is made and known.
    await stores.open(localAccountId).then((one) => one.nextJobDueAt());
    const files = new AccountFiles({
      folder: `${folder.path}/accounts`,
      readOnly: false,
      recordOf: () => 'made',
    });
    const folderOfFiles = `${folder.path}/accounts`;
    const libraries = new Libraries({
      folder: folderOfFiles,
      files,
      clock,
      indexMethods: indexMethods(),
      history: null,
    });
    const store = createSqliteStore(localAccountId, libraries, control);
    const close = async () => {
      files.closeAll();
      await stores.close();
    };
    return { stores, store, announced: () => announced, close };
  }

  it.each([1, 3])('is announced again, %i times over', async (times) => {
    const settled: boolean[] = [];
    const opened = await open(async (announced) => {
      if (announced <= times)
        settled.push(...(await clearAsWorker(opened.stores.control, await opened.stores.open(localAccountId))));
    });
    await saveUrls(opened.store, ['https://example.com/late']);
    expect(settled).toEqual(Array.from({ length: times }, () => true));
    expect(opened.announced()).toBe(times + 1);
    expect(await opened.stores.control.accountsWithWork()).toHaveLength(1);
    expect(await claimJob(opened.store, 1_000)).not.toBeNull();
    // Work that is written is never settled, claimed or not.
    expect(await clearAsWorker(opened.stores.control, opened.store)).toEqual([false]);
    await opened.close();
  });

  it('is announced above the settled number when control.db was replaced and counts from the beginning', async () => {
    const opened = await open(async () => {});
    expect(await opened.store.settleWork(500)).toBe(true);
    await saveUrls(opened.store, ['https://example.com/after']);
    const [hint] = await opened.stores.control.accountsWithWork();
    expect(hint?.generation).toBe(501);
    expect(opened.announced()).toBe(2);
    await opened.close();
  });
});
