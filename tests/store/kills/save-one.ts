import { setTimeout as sleep } from 'node:timers/promises';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';

/* A separate process, started by a test: saves one item in the data folder, at the time that it is told. */

const [folder, url, now] = process.argv.slice(2);
if (folder === undefined || url === undefined) throw new Error('usage: save-one.ts <folder> <url> <now>');
const stores = await openDataFolder({
  folder,
  clock: { now: () => Number(now), elapsed: () => 0, uptime: () => 0, sleep: (ms) => sleep(ms) },
});
const store = await stores.open('local');
await store.saveContent({ url, canonicalUrl: url, tags: [], notes: undefined });
await stores.close();
