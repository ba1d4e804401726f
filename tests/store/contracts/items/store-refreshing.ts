import { describe, expect, it } from 'vitest';
import { localAccountId as account } from '../../../../src/domain/records/account.ts';
import { newChange } from '../../../../src/domain/records/change.ts';
import type { Validators } from '../../../../src/domain/records/resource.ts';
import { sha256 } from '../../../../src/domain/sha256.ts';
import type { Claim } from '../../../../src/store/records.ts';
import type { Store } from '../../../../src/store/store.ts';
import {
  analysisOf,
  claim,
  documentOf,
  leaseMs,
  processToPassages,
  resource,
  saveAndProcess,
  saving,
  transcriptOf,
} from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

const url = 'https://example.com/hotel';
const text = (price: number): string => `The room costs ${price}. `.repeat(20);
const validators: Validators = { etag: '"a"', lastModified: null };

async function refresh(store: Store, id: string): Promise<Claim> {
  expect(await store.refreshPages([id], { isBackground: true })).toEqual([{ id, outcome: 'queued' }]);
  const taken = await claim(store);
  expect(taken).toMatchObject({ contentId: id, stage: 'fetch', isRefresh: true });
  return taken;
}

const keepText = (store: Store, taken: Claim, said: string): Promise<void> =>
  store.keepChangedPage(taken, resource(url, said), [{ name: 'x', resource: resource('x', 'y') }], {
    document: documentOf(),
    transcript: transcriptOf(said),
    validators,
  });

/** Ends a job that is at `split`. */
async function finish(store: Store, writer = store): Promise<void> {
  const taken = await claim(store);
  const { documentId, transcript } = (await store.readDocument(taken.contentId))!;
  const place = { ordinal: 0, start: 0, end: transcript.text.length, headingPath: [] };
  const locator = { kind: 'text' as const, start: 0, end: transcript.text.length };
  const next = await writer.keepPassages(taken, documentId, [{ ...place, locator }]);
  await store.keepAnalysis(await store.finishEmbedding(next), documentId, analysisOf(transcript.text));
}

export function refreshingContract(underTest: () => StoreUnderTest): void {
  describe('refetched pages', () => {
    it('change nothing while they are being fetched, when unchanged, and when they fail', async () => {
      const { store, clock } = underTest();
      const id = await saveAndProcess(store, url, { text: text(900) });
      const before = await store.getContent(id);
      const taken = await refresh(store, id);
      expect(await store.getContent(id)).toEqual(before);
      expect(await store.keepSamePage(taken, await sha256(Buffer.from('other')), validators)).toBe(false);
      expect(await store.keepSamePage(taken, await sha256(Buffer.from(text(900))), validators)).toBe(true);
      expect(await store.readKnownPage(id)).toEqual({ ...validators, finalUrl: url });
      const pageCheck = { checkedAt: new Date(clock.now()).toISOString(), changedAt: null };
      expect(await store.getContent(id)).toEqual({ ...before, pageCheck });
      const failure = { code: 'server_error' as const, message: 'No.', retryable: true };
      await store.failJob(await refresh(store, id), { ...failure, nextAttemptAt: clock.now() });
      expect(await store.getContent(id)).toEqual({ ...before, pageCheck });
      // A killed worker loses its claim, and the next one does it all again.
      await claim(store);
      clock.advance(leaseMs + 1);
      const again = await claim(store);
      expect(again).toMatchObject({ stage: 'fetch', isRefresh: true, attempts: 3 });
      await store.failJob(again, { ...failure, nextAttemptAt: null });
      expect(await store.getContent(id)).toMatchObject({ status: 'completed', warnings: [{ code: 'server_error' }] });
      expect((await store.getContent(id))?.failure).toBeUndefined();
      expect(await store.nextJobDueAt()).toBeNull();
    });

    it('keep earlier texts, which can be compared, shown, exported and restored', async () => {
      const { store, stores, clock } = underTest();
      const id = await saveAndProcess(store, url, { text: text(900) });
      clock.advance(60_000);
      const change = newChange({ face: 'pages', by: null, operation: 'refresh_content', scopes: ['content:write'] });
      await keepText(store, await refresh(store, id), text(1_200));
      expect(await store.readTranscript(id)).toBe(text(900));
      await finish(store, await stores.open({ account, change }));
      expect(await store.readTranscript(id)).toBe(text(1_200));
      const [now, old] = (await store.listVersions(id))!;
      expect([now?.isShown, old?.isShown]).toEqual([true, false]);
      expect(await store.readVersion(id, old!.version)).toMatchObject({ text: text(900), added: 1, removed: 1 });
      const history = await store.listHistory({ id, scopes: ['content:write'], limit: 9, offset: 0 });
      expect(history?.items).toMatchObject([{ face: 'pages', rows: 1, changes: [{ field: 'text' }] }]);
      // What is read again from the original replaces the visible text alone.
      await store.reprocess('split', id);
      await finish(store);
      expect(await store.listVersions(id)).toHaveLength(2);
      const undoing = newChange({ face: 'cli', by: null, operation: 'undo', scopes: ['content:write'] });
      const undoer = await stores.open({ account, change: undoing });
      expect(await undoer.undo(change.id, { force: false })).toMatchObject({ outcome: 'undone', rows: 1 });
      await finish(store);
      expect(await store.readTranscript(id)).toBe(text(900));
      expect(
        await (await stores.open({ account, change: newChange({ ...undoing }) })).undo(undoing.id, { force: false }),
      ).toMatchObject({ outcome: 'undone' });
      await finish(store);
      expect(await store.readTranscript(id)).toBe(text(1_200));
      const exported = (await store.readToExport(id))!;
      expect(exported.documents).toHaveLength(2);
      const checked = (await store.getContent(id))?.pageCheck;
      await store.restoreItem(exported, []);
      expect((await store.getContent(id))?.pageCheck).toEqual(checked);
      expect(await store.readToExport(id)).toEqual(exported);
      expect(await store.listVersions(id)).toHaveLength(2);
      expect(await store.restoreVersion(id, 99)).toBe(false);
    });

    it('are listed by the time of their last fetch, without provided texts and waiting pages', async () => {
      const { store, clock } = underTest();
      const fetched = Date.parse(resource(url, '').fetchedAt);
      const listed = async (fetchedBefore: number) => {
        const asked = { filter: { tag: 'x' }, limit: 9, offset: 0, fetchedBefore };
        return (await store.listTitles(asked)).items.map(({ id }) => id);
      };
      const save = async (page: string) => saveAndProcess(store, page, { text: page, save: { tags: ['x'] } });
      const [first = '', second = ''] = [await save(`${url}/1`), await save(`${url}/2`)];
      expect(await listed(fetched)).toEqual([]);
      expect(await listed(fetched + 1)).toEqual([first, second]);
      const taken = await refresh(store, first);
      expect(await listed(fetched + 1)).toEqual([second]);
      clock.advance(1_000);
      await store.keepSamePage(taken, null, validators);
      const checked = clock.now();
      expect(await listed(checked)).toEqual([second]);
      expect(await listed(checked + 1)).toEqual([second, first]);
      const given = await store.saveContent(saving(`${url}/3`, { tags: ['x'], original: resource(url, 'Mine.') }));
      await processToPassages(store, await claim(store), { text: 'Mine.' });
      expect(await store.refreshPages([given.id], { isBackground: true })).toMatchObject([{ outcome: 'given' }]);
      expect(await listed(checked + 1)).toEqual([second, first]);
      const one = { filter: { id: first }, limit: 9, offset: 0 };
      expect((await store.listTitles(one)).items).toMatchObject([{ id: first }]);
    });

    it('are not fetched again before the given interval has passed', async () => {
      const { store, clock } = underTest();
      const id = await saveAndProcess(store, url, { text: text(900) });
      const { id: unread } = await store.saveContent(saving(`${url}/2`));
      const fetched = clock.now() - Date.parse(resource(url, '').fetchedAt);
      const ask = async (restMs: number) =>
        (await store.refreshPages([id, unread], { isBackground: true, restMs })).map(({ outcome }) => outcome);
      expect(await ask(fetched + 1)).toEqual(['rested', 'rested']);
      expect(await ask(fetched)).toEqual(['queued', 'rested']);
    });

    it('keep earlier texts, however often only a clock on the page changes', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, url, { text: text(900) });
      const say = async (said: string): Promise<void> => {
        await keepText(store, await refresh(store, id), said);
        await finish(store);
      };
      await say(`${text(900)} With breakfast.`);
      const texts = async () => {
        const versions = (await store.listVersions(id))!;
        return Promise.all(versions.map(async ({ version }) => (await store.readVersion(id, version))?.text));
      };
      const now = (day: string, hour: number) => `${text(hour < 5 ? 900 : 1_200)} It is ${day}, ${hour}:00.`;
      for (let hour = 1; hour <= 8; hour += 1) await say(now(hour % 2 === 0 ? 'Monday' : 'Tuesday', hour));
      expect(await texts()).toEqual([
        now('Monday', 8),
        now('Tuesday', 7),
        now('Tuesday', 1),
        `${text(900)} With breakfast.`,
        text(900),
      ]);
      await say('All is new. '.repeat(20));
      expect((await texts()).at(-1)).toBe(text(900));
    });

    it('keep a text that lost most of its words, separate from the earlier texts', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, url, { text: text(1) });
      for (let price = 2; price <= 5; price += 1) {
        await keepText(store, await refresh(store, id), text(price));
        await finish(store);
      }
      const before = (await store.listVersions(id))!;
      for (let request = 1; request <= 8; request += 1)
        await keepText(store, await refresh(store, id), `Error in request ${request}.`);
      const versions = (await store.listVersions(id))!;
      expect(versions).toHaveLength(6);
      expect(versions.map(({ version }) => version)).toEqual(
        expect.arrayContaining(before.slice(1).map(({ version }) => version)),
      );
      expect((await store.readToExport(id))!.documents).toHaveLength(6);
      const shrunk = versions.find(({ wordCount }) => wordCount < 9)!.version;
      expect(await store.readVersion(id, shrunk)).toMatchObject({ text: 'Error in request 8.' });
      expect(await store.readTranscript(id)).toBe(text(5));
    });

    it('show a text that could not be split once it can be, unless the page is unchanged', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, url, { text: text(900) });
      const hash = await sha256(Buffer.from(text(1_200)));
      const failure = { code: 'internal' as const, message: 'No.', retryable: false, nextAttemptAt: null };
      const failToSplit = async (): Promise<void> => {
        const taken = await claim(store);
        expect(taken).toMatchObject({ stage: 'split', isRefresh: true });
        await store.failJob(taken, failure);
        expect(await store.getContent(id)).toMatchObject({ status: 'completed', warnings: [{ code: 'internal' }] });
        expect(await store.readTranscript(id)).toBe(text(900));
      };
      await keepText(store, await refresh(store, id), text(1_200));
      await failToSplit();
      // This removes documents that are not kept.
      await keepText(store, await refresh(store, id), 'Error.');
      expect(await store.keepSamePage(await refresh(store, id), hash, validators)).toBe(true);
      await failToSplit();
      await keepText(store, await refresh(store, id), text(900));
      const taken = await refresh(store, id);
      expect(await store.keepSamePage(taken, hash, validators)).toBe(false);
      await keepText(store, taken, text(1_200));
      await failToSplit();
      expect(await store.keepSamePage(await refresh(store, id), null, validators)).toBe(true);
      await finish(store);
      expect(await store.readTranscript(id)).toBe(text(1_200));
      expect(await store.getContent(id)).toMatchObject({ status: 'completed', warnings: [] });
      expect(await store.keepSamePage(await refresh(store, id), hash, validators)).toBe(true);
      expect(await store.nextJobDueAt()).toBeNull();
    });

    it('include no provided text and no note', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent({
        url,
        canonicalUrl: url,
        tags: [],
        notes: undefined,
        original: resource(url, 'Mine.'),
      });
      const note = await store.saveContent({ url: 'note:x', canonicalUrl: 'note:x', tags: [], notes: undefined });
      const asked = await store.refreshPages([id, note.id, 'c_aaaaaaaaaaaaaaaa'], { isBackground: true });
      expect(asked.map(({ outcome }) => outcome)).toEqual(['given', 'no_page', 'not_found']);
    });
  });
}
