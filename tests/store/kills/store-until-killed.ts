import { join } from 'node:path';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import { indexMethods } from '../../../src/app/index-methods.ts';
import { createSqliteStore } from '../../../src/store/sqlite/account-store.ts';
import { AccountFiles } from '../../../src/store/sqlite/files/account-files.ts';
import { Libraries } from '../../../src/store/sqlite/library/libraries.ts';
import { ManualClock } from '../../support/clock.ts';

/**
 * A store, for its own process, which is killed before one of the statements that follow. With the number 0 it is not.
 * @returns the store, which records one change, and how many statements there have been
 */
export async function openUntilKilled(folder: string, operation: string, at: number) {
  const clock = new ManualClock();
  const { control } = await openDataFolder({ folder, clock });
  let statements = Number.NEGATIVE_INFINITY;
  const files = new AccountFiles({
    folder: join(folder, 'accounts'),
    readOnly: false,
    recordOf: () => 'made',
    beforeStatement: () => {
      statements += 1;
      if (statements === at) process.kill(process.pid, 'SIGKILL');
    },
  });
  const libraries = new Libraries({
    folder: join(folder, 'accounts'),
    files,
    clock,
    indexMethods: indexMethods(),
    history: { keptMs: 1e12, maxBytes: 1e9 },
  });
  const change = newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] });
  const store = createSqliteStore('local', libraries, control, { change });
  files.use('local');
  statements = 0;
  return { store, statements: () => statements };
}
