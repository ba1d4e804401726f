import { expect, test } from 'vitest';
import { openDataFolder } from '../../src/app/data-folder.ts';
import { scopes } from '../../src/domain/records/account.ts';
import { newChange } from '../../src/domain/records/change.ts';
import { ManualClock } from '../support/clock.ts';
import { textResource } from '../support/content.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('the history of an account stays within its bytes: the oldest changes go, and the newest stays, however large', async () => {
  const folder = temporaryFolder();
  const history = { keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 20_000 };
  const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock(), history });
  const as = (operation: string) =>
    stores.open({ account: 'local', change: newChange({ face: 'cli', by: null, operation, scopes: [] }) });
  const store = await stores.open('local');
  const url = 'https://example.com/a';
  const save = { url, canonicalUrl: url, tags: [], notes: undefined };
  // Random bytes cannot be packed: replacing them keeps all of them.
  const bytes = crypto.getRandomValues(new Uint8Array(30_000));
  const { id } = await store.saveContent({ ...save, original: { ...textResource(url, ''), bytes } });
  for (let at = 0; at < 20; at += 1)
    await (await as('update_content')).updateContent(id, { notes: `${at}`.repeat(2_000) });
  const operations = async () => {
    const { items } = (await store.listHistory({ scopes, limit: 100, offset: 0 }))!;
    return items.map(({ operation }) => operation);
  };
  expect(await operations()).toHaveLength(20);
  expect(await store.hasMaintenance()).toBe(true);
  while (await store.maintain());
  const kept = (await operations()).length;
  expect([kept > 1, kept < 6]).toEqual([true, true]);
  expect(await store.hasMaintenance()).toBe(false);
  await (await as('save_content')).saveContent({ ...save, original: textResource(url, 'Other words.') });
  while (await store.maintain());
  expect(await operations()).toEqual(['save_content']);
  await (await as('update_content')).updateContent(id, { notes: 'last' });
  while (await store.maintain());
  expect(await operations()).toEqual(['update_content']);
  await stores.close();
  await folder.remove();
});
