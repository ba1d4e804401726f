import { describe, expect, it } from 'vitest';
import { newChange } from '../../../../src/domain/records/change.ts';
import { canonicalUrl } from '../../../../src/domain/links/url.ts';
import type { ImportContent } from '../../../../src/store/records.ts';
import { leaseMs, resource, saveAndProcess, saving } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { claimJob } from '../../../support/store/claims.ts';

/** What an import writes. */
export function importContract(underTest: () => StoreUnderTest): void {
  const entry = (url: string, more: Partial<ImportContent> = {}): ImportContent => ({
    url,
    canonicalUrl: canonicalUrl(url),
    title: null,
    tags: [],
    notes: null,
    createdAt: null,
    ...more,
  });
  const outcomes = async (...entries: ImportContent[]) =>
    (await underTest().store.importContent(entries)).map(({ outcome }) => outcome);

  describe('importing', () => {
    it('takes titles, tags, notes and dates, and a repetition changes nothing', async () => {
      const { store } = underTest();
      const createdAt = Date.UTC(2020, 1, 2);
      const one = entry('https://example.org/a', { title: 'Mine', tags: ['x', 'Y'], notes: 'n', createdAt });
      expect(await outcomes(one, entry('https://example.org/b'), one)).toEqual(['taken', 'taken', 'unchanged']);
      const before = await store.listContent({ limit: 9, offset: 0 });
      expect(before.items[1]).toMatchObject({
        title: 'Mine',
        tags: ['x', 'Y'],
        notes: 'n',
        createdAt: '2020-02-02T00:00:00.000Z',
        status: 'pending',
      });
      expect(await outcomes(one, entry('https://example.org/b'))).toEqual(['unchanged', 'unchanged']);
      expect(await store.listContent({ limit: 9, offset: 0 })).toEqual(before);
      expect(await store.listNames(9)).toMatchObject({ items: [{ title: 'Mine' }] });
    });

    it('puts items into the archive, or where the other program kept them', async () => {
      const { store } = underTest();
      const [shelved, read] = [
        { shelf: 'later' as const, readAt: null, readingShare: 0.5 },
        { shelf: 'archive' as const, readAt: Date.UTC(2020, 1, 2), readingShare: null },
      ];
      const urls = ['a', 'b', 'c'].map((name) => `https://example.org/${name}`);
      const [a = '', b = '', c = ''] = urls;
      // Its highlights stand in a file before the one with its state.
      const entries = [entry(a), entry(b, { state: shelved }), entry(c), entry(c, { state: read })];
      expect(await outcomes(...entries)).toEqual(['taken', 'taken', 'taken', 'merged']);
      const stated = async () => {
        const { items } = await store.listContent({ order: 'oldest', limit: 9, offset: 0 });
        return items.map(({ shelf, readAt, reading }) => ({ shelf, readAt, reading }));
      };
      const states = [
        { shelf: 'archive', readAt: null, reading: null },
        { shelf: 'later', readAt: null, reading: { start: null, share: 0.5 } },
        { shelf: 'archive', readAt: '2020-02-02T00:00:00.000Z', reading: null },
      ];
      expect(await stated()).toEqual(states);
      expect(await outcomes(...entries)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
      // What a person did since stays.
      const id = (await store.findByAddress(b))!;
      await store.updateContent(id, { shelf: 'archive', read: true });
      expect(await outcomes(...entries)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
      expect((await stated())[1]).toMatchObject({ shelf: 'archive', readAt: expect.any(String) as string });
    });

    it('puts items where the other program kept them, also after their save was undone', async () => {
      const { store, stores } = underTest();
      const url = 'https://example.org/undone';
      for (const state of [
        { shelf: 'archive' as const, readAt: Date.UTC(2020, 1, 2), readingShare: null },
        { shelf: 'archive' as const, readAt: null, readingShare: null },
      ]) {
        const writing = (operation: string) =>
          newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] });
        const change = writing('save_content');
        const { id } = await (await stores.open({ account: 'local', change })).saveContent(saving(url));
        const undo = await stores.open({ account: 'local', change: writing('undo') });
        expect(await undo.undo(change.id, { force: true })).toMatchObject({ outcome: 'undone' });
        expect(await outcomes(entry(url, { state }))).toEqual(['taken']);
        const { shelf, readAt } = (await store.getContentSummary(id))!;
        expect({ shelf, readAt: readAt && Date.parse(readAt) }).toEqual({ shelf: 'archive', readAt: state.readAt });
        await store.deleteContent(id);
        await store.expireDeleted([id]);
        while ((await store.purgeExpired(4)) > 0);
      }
    });

    it('adds to an existing item and removes nothing', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://example.org/a', { tags: ['kept'], notes: 'mine' }));
      const merged = entry('https://example.org/a#top', {
        title: 'Theirs',
        tags: ['KEPT', 'new'],
        notes: 'theirs',
        createdAt: Date.UTC(2020, 1, 2),
      });
      expect(await outcomes(merged, merged)).toEqual(['merged', 'unchanged']);
      expect(await store.getContentSummary(id)).toMatchObject({
        title: 'Theirs',
        tags: ['kept', 'new'],
        notes: 'mine\n\ntheirs',
        createdAt: '2020-02-02T00:00:00.000Z',
      });
      expect(
        await outcomes(entry('https://example.org/a', { title: 'Another', createdAt: Date.UTC(2021, 1, 2) })),
      ).toEqual(['unchanged']);
    });

    it('omits what does not fit an item, and says so', async () => {
      const { store } = underTest();
      const tags = (from: number) => Array.from({ length: 40 }, (_, at) => `tag ${from + at}`);
      const one = entry('https://example.org/a', { tags: tags(0), notes: 'n'.repeat(9_000) });
      const [, second] = await store.importContent([one, { ...one, tags: tags(40), notes: 'm'.repeat(9_000) }]);
      expect(second).toMatchObject({
        outcome: 'merged',
        leftOut: ['30 tags: the item has 50', 'the notes: the item has too many'],
      });
    });

    it('leaves deleted items deleted and failed ones failed', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://example.org/deleted'));
      await store.deleteContent(id);
      await store.saveContent(saving('https://example.org/failed'));
      const claim = await claimJob(store, leaseMs);
      await store.failJob(claim!, { code: 'not_found', message: 'It is gone.', retryable: false, nextAttemptAt: null });
      expect(
        await outcomes(entry('https://example.org/deleted'), entry('https://example.org/failed', { title: 'Kept' })),
      ).toEqual(['deleted', 'merged']);
      const { items } = await store.listContent({ limit: 9, offset: 0 });
      expect(items).toMatchObject([{ status: 'failed', title: 'Kept', failure: { code: 'not_found' } }]);
    });

    it('gives way to single saves', async () => {
      const { store } = underTest();
      await store.importContent([entry('https://example.org/imported')]);
      await store.saveContent(saving('https://example.org/saved'));
      const urls = [await claimJob(store, leaseMs), await claimJob(store, leaseMs), await claimJob(store, leaseMs)];
      expect(urls.map((claim) => claim?.url)).toEqual([
        'https://example.org/saved',
        'https://example.org/imported',
        undefined,
      ]);
    });

    it('saves files with their bytes, and a changed file as a new version', async () => {
      const { store } = underTest();
      const file = (text: string) =>
        entry('file:///notes/a.md', { title: 'A', original: resource('file:///notes/a.md', text) });
      expect(await outcomes(file('one'), file('one'), file('two'))).toEqual(['taken', 'unchanged', 'merged']);
      expect(await claimJob(store, leaseMs)).toMatchObject({ stage: 'extract' });
    });

    it('takes the text of a page in an export, unless the item already has one', async () => {
      const { store } = underTest();
      const page = (url: string, text: string) => entry(url, { original: resource(url, text) });
      const url = 'https://example.org/kept';
      expect(await outcomes(page(url, 'one'), page(url, 'one'))).toEqual(['taken', 'unchanged']);
      expect(await claimJob(store, leaseMs)).toMatchObject({ url, stage: 'extract' });
      const read = 'https://example.org/read';
      await saveAndProcess(store, read, { text: 'what is there' });
      expect(await outcomes(page(read, 'older'))).toEqual(['unchanged']);
      expect(await claimJob(store, leaseMs)).toBeNull();
    });

    it('writes hundreds of items in one transaction', async () => {
      const many = Array.from({ length: 300 }, (_, at) =>
        entry(`https://example.org/${at}`, { title: `Title ${at}`, tags: ['all'] }),
      );
      expect(new Set(await outcomes(...many))).toEqual(new Set(['taken']));
      expect(await underTest().store.listTags({ limit: 1, offset: 0 })).toMatchObject({
        items: [{ tag: 'all', count: 300 }],
      });
      expect(await underTest().stores.control.accountsWithWork()).toHaveLength(1);
    });
  });
}
