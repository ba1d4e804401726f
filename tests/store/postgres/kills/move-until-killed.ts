import { openDataFolder } from '../../../../src/app/installations/data-folder.ts';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { moveLibrary } from '../../../../src/services/moving/move.ts';
import { ManualClock } from '../../../support/clock.ts';

/* A separate process, started by a test: moves a library, and is killed after some items. */

const [folder = '', url = '', killAfter = '0'] = process.argv.slice(2);
const clock = new ManualClock();
const from = await openDataFolder({ folder, clock });
const to = await openPostgresStores({ url, clock });
await moveLibrary(await from.open('local'), await to.open('local'), {
  signal: new AbortController().signal,
  maxTogether: 3,
  onItem: (done) => {
    if (done >= Number(killAfter)) process.kill(process.pid, 'SIGKILL');
  },
});
