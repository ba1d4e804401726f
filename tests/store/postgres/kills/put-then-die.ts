import { randomBytes } from 'node:crypto';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { resource, saving } from '../../contracts/items/store-items.ts';
import { ManualClock } from '../../../support/clock.ts';
import { MemoryObjects } from '../../../support/postgres/memory-objects.ts';

/* A separate process, started by a test: is killed when its object has been put, before any row names it. */

const [url = ''] = process.argv.slice(2);
class Dying extends MemoryObjects {
  override async put(): Promise<void> {
    process.kill(process.pid, 'SIGKILL');
  }
}
const stores = await openPostgresStores({ url, clock: new ManualClock(), objects: new Dying() });
const store = await stores.open('local');
const bytes = randomBytes(20_000);
await store.saveContent(saving('https://example.org/', { original: resource('x', '', { bytes }) }));
