import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { localAccountId } from '../../../src/domain/access/account-names.ts';
import { ManualClock } from '../clock.ts';

/*
 * Making a library takes most of the time of opening and closing it. Some thousands of tests begin with one, so a process that runs tests makes it once and gives each of them a copy. (Making one: `tests/store/files/files.test.ts`, `migrate.test.ts`.)
 */

const files = ['control.db', join('accounts', `${localAccountId}.db`)];
let made: Promise<Map<string, Buffer>> | undefined;

/** Puts a library into which nothing was saved yet at `folder`, which it creates. */
export async function putNewLibrary(folder: string): Promise<void> {
  made ??= makeLibrary();
  const contents = await made;
  mkdirSync(join(folder, 'accounts'), { recursive: true, mode: 0o700 });
  for (const [file, bytes] of contents) writeFileSync(join(folder, file), bytes, { mode: 0o600 });
}

async function makeLibrary(): Promise<Map<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-new-'));
  try {
    const stores = await openDataFolder({ folder, clock: new ManualClock() });
    // The account's file is made when it is first used.
    await (await stores.open(localAccountId)).countKinds();
    await stores.close();
    return new Map(files.map((file) => [file, readFileSync(join(folder, file))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
