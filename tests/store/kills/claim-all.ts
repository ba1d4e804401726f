import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { claimJob } from '../../support/store/claims.ts';

/*
 * A separate process, started by a test: opens the data folder and saves its share of items, or, without a share,
 * claims and ends jobs until none is left and prints what it claimed. Every tenth claim is given back once, as a
 * worker that stops does.
 */

const [folder, name, shareText] = process.argv.slice(2);
if (folder === undefined || name === undefined) throw new Error('usage: claim-all.ts <folder> <name> [items to save]');
const share = Number(shareText ?? 0);

const stores = await openDataFolder({
  folder,
  clock: {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    uptime: () => performance.now(),
    sleep: () => Promise.resolve(),
  },
});
const store = await stores.open('local');
for (let i = 0; i < share; i += 1) {
  const url = `https://example.org/${name}/${i}`;
  await store.saveContent({ url, canonicalUrl: url, tags: [], notes: undefined });
  // Both save this one: the second is to find the first.
  await store.saveContent({
    url: `https://example.org/${i}`,
    canonicalUrl: `https://example.org/${i}`,
    tags: [name],
    notes: undefined,
  });
}

const ended: string[] = [];
for (
  let count = 1, claim = share > 0 ? null : await claimJob(store, 600_000);
  claim !== null;
  claim = await claimJob(store, 600_000), count += 1
) {
  if (count % 10 === 0) {
    await store.releaseJob(claim);
    continue;
  }
  await store.failJob(claim, { code: 'internal', message: name, retryable: false, nextAttemptAt: null });
  ended.push(claim.contentId);
}
await stores.close();
process.stdout.write(JSON.stringify(ended));
