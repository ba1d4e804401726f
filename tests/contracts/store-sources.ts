import { describe, expect, it } from 'vitest';
import type { CheckOutcome, SourceEntry } from '../../src/domain/records/source.ts';
import { LeaseLostError, type Store } from '../../src/store/store.ts';
import { saving } from './store-items.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const feed = { kind: 'feed', address: 'https://blog.example:8443/feed', name: 'Blog' } as const;
const lease = 60_000;
const succeeded: CheckOutcome = { nextCheckInMs: 3_600_000, hasChanged: true, problem: null };

const entry = (key: string, more: Partial<SourceEntry> = {}): SourceEntry => ({
  key,
  state: 'headline',
  contentId: null,
  address: `https://blog.example/${key}`,
  title: key,
  publishedAt: null,
  fingerprint: null,
  seenAt: 0,
  ...more,
});

export function sourcesContract(underTest: () => StoreUnderTest): void {
  describe('sources', () => {
    const claim = async (store: Store, busyHosts: string[] = []) =>
      store.claimSource(lease, { kinds: ['feed', 'folder'], busyHosts });

    it('are added once for each address, changed and removed', async () => {
      const { store } = underTest();
      const added = await store.addSource({ ...feed, options: { tags: ['blog'] } });
      expect(added).toMatchObject({ ...feed, state: 'active', options: { tags: ['blog'] }, everyMinutes: null });
      expect(added.nextCheckAt).not.toBeNull();
      const paused = await store.updateSource(added.id, { state: 'paused', name: 'Mine', everyMinutes: 60 });
      expect(paused).toMatchObject({ name: 'Mine', state: 'paused', everyMinutes: 60, nextCheckAt: null });
      const again = await store.addSource({ ...feed, options: { take: 'headlines' } });
      expect(again).toMatchObject({ id: added.id, name: 'Mine', state: 'active', everyMinutes: 60 });
      expect(again.options).toEqual({ tags: ['blog'], take: 'headlines' });
      await store.addSource({ kind: 'folder', address: feed.address, name: 'a folder' });
      expect((await store.listSources()).map(({ name }) => name)).toEqual(['a folder', 'Mine']);
      expect(await store.listSources('folder')).toHaveLength(1);
      expect(await store.deleteSource(added.id)).toMatchObject({ id: added.id });
      expect(await store.getSource(added.id)).toBeNull();
      expect(await store.updateSource(added.id, { name: 'x' })).toBeNull();
      expect(await store.deleteSource(added.id)).toBeNull();
    });

    it('are claimed by one worker at a time, when they are due', async () => {
      const { store, clock } = underTest();
      const { id } = await store.addSource(feed);
      expect(await store.claimSource(lease, { kinds: ['mailbox'] })).toBeNull();
      expect(await claim(store, ['blog.example:8443'])).toBeNull();
      const first = await claim(store);
      expect(first).toMatchObject({ id, host: 'blog.example:8443', memory: {}, failures: 0, checkedAt: null });
      expect(await claim(store)).toBeNull();
      clock.advance(lease);
      const second = await claim(store);
      expect(second?.id).toBe(id);
      expect(await store.renewSource(first!, lease)).toBe(false);
      await expect(store.keepSourceEntries(first!, [entry('a')])).rejects.toBeInstanceOf(LeaseLostError);
      await store.endSourceCheck(first!, succeeded);
      expect(await store.renewSource(second!, lease)).toBe(true);
      await store.endSourceCheck(second!, { ...succeeded, memory: { etag: 'x' }, name: 'A Blog' });
      expect(await store.getSource(id)).toMatchObject({ name: 'A Blog', problem: null });
      expect(await store.nextSourceDueAt()).toBe(clock.now() + succeeded.nextCheckInMs);
      expect(await claim(store)).toBeNull();
      expect(await store.askSource(id)).toBe(true);
      expect(await claim(store)).toMatchObject({ memory: { etag: 'x' }, checkedAt: clock.now() });
    });

    it('say why a check failed, count failures, and forget both when one succeeds', async () => {
      const { store, clock } = underTest();
      const { id } = await store.addSource(feed);
      const problem = { code: 'timeout', message: 'Too slow.' };
      await store.endSourceCheck((await claim(store))!, { nextCheckInMs: 1_000, hasChanged: false, problem });
      expect(await store.getSource(id)).toMatchObject({ problem, checkedAt: null });
      clock.advance(1_000);
      const again = await claim(store);
      expect(again?.failures).toBe(1);
      // One that was not made changes nothing, and comes again soon.
      await store.endSourceCheck(again!, null);
      expect(await store.getSource(id)).toMatchObject({ problem });
      clock.advance(15_000);
      await store.endSourceCheck((await claim(store))!, { ...succeeded, state: 'gone', problem });
      expect(await store.getSource(id)).toMatchObject({ state: 'gone', problem, nextCheckAt: null });
      expect(await store.askSource(id)).toBe(false);
      expect(await store.updateSource(id, { state: 'active' })).toMatchObject({ problem: null });
      expect((await claim(store))?.failures).toBe(0);
    });

    it('are work while they are due, and the check of a paused one comes to nothing', async () => {
      const { store, stores } = underTest();
      const { id } = await store.addSource(feed);
      const announced = async () => (await stores.control.accountsWithWork()).at(0)?.generation ?? 0;
      expect(await announced()).toBeGreaterThan(0);
      expect(await store.settleWork(await announced())).toBe(false);
      const held = await claim(store);
      await store.updateSource(id, { state: 'paused' });
      await store.endSourceCheck(held!, succeeded);
      expect(await store.getSource(id)).toMatchObject({ state: 'paused', changedAt: null });
      expect(await store.settleWork(await announced())).toBe(true);
    });

    it('keep what they offered, count what became of it, and know it by its key', async () => {
      const { store } = underTest();
      const { id } = await store.addSource(feed);
      const held = (await claim(store))!;
      const item = await store.saveContent(saving('https://blog.example/b'));
      await store.keepSourceEntries(held, [
        entry('a', { publishedAt: 5 }),
        entry('b', { state: 'item', contentId: item.id, publishedAt: 9 }),
        entry('c', { state: 'left', seenAt: 1 }),
      ]);
      expect(await store.getSource(id)).toMatchObject({ items: 1, unread: 1, headlines: 1 });
      const keys = async (query: Parameters<Store['listSourceEntries']>[1]) =>
        (await store.listSourceEntries(id, query)).map(({ key }) => key);
      expect(await keys({ limit: 9 })).toEqual(['b', 'a', 'c']);
      expect(await keys({ limit: 9, afterKey: 'a' })).toEqual(['b', 'c']);
      expect(await keys({ limit: 9, state: 'headline' })).toEqual(['a']);
      await store.updateContent(item.id, { read: true });
      await store.keepSourceEntries(held, [entry('a', { state: 'item', contentId: 'c_gone', title: 'new' })]);
      expect(await store.findSourceEntries(id, ['a', 'z'])).toEqual([
        entry('a', { state: 'item', contentId: null, title: 'new' }),
      ]);
      expect(await store.getSource(id)).toMatchObject({ items: 1, unread: 0, headlines: 0 });
      await store.deleteContent(item.id);
      expect(await store.getSource(id)).toMatchObject({ items: 0 });
      await store.removeSourceEntries(held, ['a', 'c']);
      expect(await keys({ limit: 9 })).toEqual(['b']);
      expect(await store.deleteSource(id)).toMatchObject({ id });
      expect(await keys({ limit: 9 })).toEqual([]);
      expect(await store.restoreContent(item.id)).toMatchObject({ id: item.id });
    });
  });
}
