import { describe, expect, it } from 'vitest';
import { scopes } from '../../../../src/domain/records/account.ts';
import { newChange } from '../../../../src/domain/records/change.ts';
import type { CheckOutcome, SourceEntry } from '../../../../src/domain/records/sources/source.ts';
import { newId } from '../../../../src/domain/records/ids.ts';
import {
  type ExportedSource,
  exportedSource,
  maxEntriesTogether,
} from '../../../../src/domain/records/transfers/exported.ts';
import { sourcePieces } from '../../../../src/services/library/exporting.ts';
import { LeaseLostError } from '../../../../src/store/records.ts';
import type { Store } from '../../../../src/store/store.ts';
import { saving } from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

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

    it('are added once per address, changed and removed', async () => {
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

    it('are claimed by one worker at a time when they are due', async () => {
      const { store, clock } = underTest();
      const { id } = await store.addSource(feed);
      // Whoever does not check feeds lets them be for a while, so that they keep no worker awake.
      expect(await store.claimSource(lease, { kinds: ['mailbox'] })).toBeNull();
      expect(await store.nextSourceDueAt()).toBe(clock.now() + 300_000);
      await store.askSource(id);
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

    it('report the reason and number of failed checks until one succeeds', async () => {
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

    it('count as work while they are due, and a check of a paused one has no effect', async () => {
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

    it('remember what they offered and what became of it, by its key', async () => {
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
      expect([await store.countSourceEntries(id), await store.countSourceEntries(id, 'headline')]).toEqual([3, 1]);
      expect(await keys({ limit: 9, withoutItem: true })).toEqual(['c', 'a']);
      expect(await keys({ limit: 9, withoutItem: true, offset: 1 })).toEqual(['a']);
      await store.updateContent(item.id, { read: true });
      await store.keepSourceEntries(held, [entry('a', { state: 'item', contentId: 'c_gone', title: 'new' })]);
      expect(await store.findSourceEntries(id, ['a', 'z'])).toEqual([
        entry('a', { state: 'item', contentId: null, title: 'new' }),
      ]);
      expect(await store.getSource(id)).toMatchObject({ items: 1, unread: 0, headlines: 0 });
      await store.noteOpenedEntry(id, 'c', item.id);
      expect(await store.findSourceEntries(id, ['c'])).toMatchObject([{ state: 'item', contentId: item.id }]);
      await store.deleteContent(item.id);
      expect(await store.getSource(id)).toMatchObject({ items: 0 });
      await store.removeSourceEntries(held, ['a', 'c']);
      expect(await keys({ limit: 9 })).toEqual(['b']);
      expect(await store.deleteSource(id)).toMatchObject({ id });
      expect(await keys({ limit: 9 })).toEqual([]);
      expect(await store.restoreContent(item.id)).toMatchObject({ id: item.id });
    });

    it('return with their entries when a removal is undone, and start again when followed again', async () => {
      const { store, stores, clock } = underTest();
      const as = async (operation: string) => {
        const change = newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] });
        return { change: change.id, store: await stores.open({ account: 'local', change }) };
      };
      const undo = async (id: string) => {
        const made = await as('undo');
        expect(await made.store.undo(id, { force: false })).toMatchObject({ outcome: 'undone' });
        return made.change;
      };
      const followed = await as('follow');
      const { id } = await followed.store.addSource({ ...feed, options: { tags: ['a'] } });
      const held = (await claim(store))!;
      await store.keepSourceEntries(held, [entry('a')]);
      await store.endSourceCheck(held, { ...succeeded, memory: { etag: 'x' } });
      const changed = await as('change_source');
      await changed.store.updateSource(id, { name: 'Mine', state: 'paused', options: { tags: ['b'] } });
      const removed = await as('remove_source');
      await removed.store.deleteSource(id);
      expect([await store.listSources(), await store.listSourceEntries(id, { limit: 9 })]).toEqual([[], []]);
      await undo(removed.change);
      expect(await store.getSource(id)).toMatchObject({ name: 'Mine', state: 'paused', nextCheckAt: null });
      await undo(changed.change);
      expect(await store.getSource(id)).toMatchObject({ name: 'Blog', state: 'active', options: { tags: ['a'] } });
      expect(await claim(store)).toMatchObject({ memory: { etag: 'x' } });
      expect(await store.listSourceEntries(id, { limit: 9 })).toMatchObject([{ key: 'a' }]);
      const unfollowed = await undo(followed.change);
      expect([await store.getSource(id), await claim(store)]).toEqual([null, null]);
      await undo(unfollowed);
      expect(await store.listSourceEntries(id, { limit: 9 })).toHaveLength(1);
      const history = await store.listHistory({ id, scopes, limit: 9, offset: 0 });
      const shown = history?.items.map(({ changes }) =>
        changes.map(({ field, after }) => `${field} ${after}`).toSorted(),
      );
      expect(shown).toEqual([
        ['source Blog'],
        ['source null'],
        ['name Blog', 'options {"tags":["a"]}', 'state active'],
        ['source Mine'],
        ['source null'],
        ['name Mine', 'options {"tags":["b"]}', 'state paused'],
        ['source Blog'],
      ]);
      await store.deleteSource(id);
      expect(await store.addSource(feed)).toMatchObject({ id, options: {}, checkedAt: null, headlines: 0 });
      await store.deleteSource(id);
      clock.advance(31 * 24 * 3_600_000);
      expect((await store.addSource({ ...feed, address: 'https://other.example/feed' })).id).not.toBe(id);
      expect((await store.addSource(feed)).id).not.toBe(id);
    });

    it('are exported with their entries in pieces, and continue elsewhere', async () => {
      const { store, stores } = underTest();
      const item = await store.saveContent(saving('https://blog.example/b'));
      const { id } = await store.addSource({ ...feed, everyMinutes: 60, options: { tags: ['a'] } });
      const held = (await claim(store))!;
      const keys = Array.from({ length: maxEntriesTogether + 1 }, (_, at) => `k${String(at).padStart(4, '0')}`);
      await store.keepSourceEntries(
        held,
        keys.map((key, at) => entry(key, at === 0 ? { state: 'item', contentId: item.id } : {})),
      );
      await store.endSourceCheck(held, { ...succeeded, memory: { etag: 'x' } });
      await store.deleteSource((await store.addSource({ ...feed, address: 'https://gone.example/' })).id);
      const piecesOf = async (of: Store) => {
        const found: ExportedSource[] = [];
        for await (const piece of sourcePieces(of, new AbortController().signal)) found.push(piece);
        return found;
      };
      const pieces = await piecesOf(store);
      expect(pieces.map(({ entries }) => entries.length)).toEqual([maxEntriesTogether, 1]);
      for (const piece of pieces) expect(exportedSource.parse(piece)).toEqual(piece);
      const account = (await stores.control.createAccount({ name: 'other', plan: 'pro' })).id;
      const other = await stores.open(account);
      await other.restoreItem((await store.readToExport(item.id))!, []);
      expect(await other.restoreSources(pieces, 'older')).toBe(0);
      expect(await piecesOf(other)).toEqual(pieces);
      expect(await claim(other)).toMatchObject({ id, host: 'blog.example:8443', memory: { etag: 'x' } });
      // One that is there stays as it is, and gets the entries that it lacks.
      await other.updateSource(id, { name: 'Mine' });
      const more = { ...pieces[1]!, id: newId('f'), entries: [entry('k0000'), entry('z')] };
      expect(await other.restoreSources([more], 'older')).toBe(0);
      expect(await other.getSource(id)).toMatchObject({ name: 'Mine', items: 1, headlines: keys.length });
      await other.restoreSources([], 'any');
      expect(await other.listSources()).toEqual([]);
    });

    it('move to another address, unless another source has it', async () => {
      const { store, clock } = underTest();
      const { id } = await store.addSource(feed);
      await store.addSource({ kind: 'feed', address: 'https://taken.example/feed', name: 'Taken' });
      for (const [address, kept] of [
        ['https://taken.example/feed', feed.address],
        ['https://new.example/feed', 'https://new.example/feed'],
      ] as const) {
        await store.askSource(id);
        clock.advance(1);
        const held = await claim(store, ['taken.example']);
        await store.endSourceCheck(held!, { ...succeeded, address });
        expect(await store.getSource(id)).toMatchObject({ address: kept });
      }
      expect(await store.addSource({ ...feed, address: 'https://new.example/feed' })).toMatchObject({ id });
    });

    it('remove the items they brought, if nobody has touched them', async () => {
      const { store, clock } = underTest();
      const { id } = await store.addSource(feed);
      const held = (await claim(store))!;
      const ids: string[] = [];
      for (const name of ['old', 'read', 'noted', 'tagged', 'later', 'listed', 'marked', 'left', 'new']) {
        const item = await store.saveContent({ ...saving(`https://blog.example/${name}`), tags: ['Blog'] });
        ids.push(item.id);
        clock.advance(1_000);
        const state = name === 'left' ? 'left' : 'item';
        await store.keepSourceEntries(held, [entry(name, { state, contentId: item.id })]);
      }
      const [old, read, noted, tagged, later, listed, marked, , newest] = ids as [string, ...string[]];
      await store.updateContent(read!, { read: true });
      await store.updateContent(noted!, { notes: 'mine' });
      await store.updateContent(tagged!, { addTags: ['mine'] });
      await store.updateContent(later!, { shelf: 'later' });
      const list = await store.addList({ name: 'Mine' });
      await store.addToList(list.id, [listed!]);
      await store.addHighlight({ contentId: marked!, quote: 'words' });
      const all = { keep: null, before: null, tags: ['blog'], limit: 9 };
      expect(await store.findUntouchedItems(id, { ...all, keep: 0 })).toEqual([old, newest]);
      expect(await store.findUntouchedItems(id, { ...all, keep: 1 })).toEqual([old]);
      expect(await store.findUntouchedItems(id, { ...all, before: clock.now() - 5_000 })).toEqual([old]);
      expect(await store.findUntouchedItems(id, { ...all, keep: 0, tags: [] })).toEqual([]);
      expect(await store.findUntouchedItems(id, all)).toEqual([]);
    });
  });
}
