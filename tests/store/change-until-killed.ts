import { join } from 'node:path';
import { openDataFolder } from '../../src/app/data-folder.ts';
import { newChange } from '../../src/domain/records/change.ts';
import { createSearches } from '../../src/search/searches.ts';
import { createSqliteStore } from '../../src/store/sqlite/account-store.ts';
import { AccountFiles } from '../../src/store/sqlite/files/account-files.ts';
import { WriteQueues } from '../../src/store/sqlite/files/write-queue.ts';
import { createSearchReads, VectorMemories } from '../../src/store/sqlite/index/index.ts';
import { defaultSizes } from '../../src/store/sqlite/writing/write-threads.ts';
import { ManualClock } from '../support/clock.ts';

/*
 * A process of its own, started by a test: changes an item, and is killed before one of the statements of that. With the
 * number 0 it is not, and prints how many statements there are.
 */

const [folder = '', id = '', notes = '', at = '0'] = process.argv.slice(2);
const clock = new ManualClock();
const { control } = await openDataFolder({ folder, clock });
let statements = Number.NEGATIVE_INFINITY;
const files = new AccountFiles({
  folder: join(folder, 'accounts'),
  readOnly: false,
  recordOf: () => 'made',
  beforeStatement: () => {
    statements += 1;
    if (statements === Number(at)) process.kill(process.pid, 'SIGKILL');
  },
});
const parts = {
  files,
  writes: new WriteQueues(
    (account) => files.use(account),
    () => undefined,
  ),
  control,
  clock,
  threads: null,
  writeThreads: null,
  largeSizes: defaultSizes,
  memories: new VectorMemories({ maxBytes: 0, few: 0 }),
  reads: createSearchReads(createSearches()),
  historyLimits: { keptMs: 1e12, maxBytes: 1e9 },
};
const change = newChange({ face: 'cli', by: null, operation: 'update_content', scopes: ['content:write'] });
const store = createSqliteStore('local', parts, { change });
files.use('local');
statements = 0;
await store.updateContent(id, { notes, addTags: [notes] });
process.stdout.write(`${statements}\n`);
process.exit();
