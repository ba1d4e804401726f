import { beforeEach, describe, expect, it } from 'vitest';
import { restorableForMs } from '../../../../src/domain/records/limits.ts';
import { LeaseLostError } from '../../../../src/store/records.ts';
import {
  claim,
  documentOf,
  leaseMs,
  passageIds,
  processToPassages,
  resource,
  saveAndProcess,
  saving,
  transcriptOf,
} from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { countUnfinishedJobs, hasMaintenanceLeft, readAction } from '../../../support/store/store-reads.ts';
import { claimJob, keepOriginal } from '../../../support/store/claims.ts';

const failure = { code: 'timeout' as const, message: 'Later.', retryable: true };

/** Changing, deleting, restoring and purging items, and changing goals. */
export function changesContract(underTest: () => StoreUnderTest): void {
  const everything = { limit: 100, offset: 0 };
  const found = async (query: string, filter = {}) => {
    const { store } = underTest();
    const hits = await store.searchWords(query, filter, 10);
    return (await store.readPassages(passageIds(hits))).map(({ itemTitle }) => itemTitle);
  };

  describe('changing an item', () => {
    it('sets the given fields only', async () => {
      const { store } = underTest();
      const save = { tags: ['One', 'two'], notes: 'mine' };
      const id = await saveAndProcess(store, 'a', { text: 'Some text.', document: { title: 'Theirs' }, save });
      const before = (await store.getContentSummary(id))!;
      expect(before).toMatchObject({ title: 'Theirs', tags: ['One', 'two'], notes: 'mine' });
      expect(await store.updateContent(id, { title: 'Ours' })).toEqual({ ...before, title: 'Ours' });
      expect(await store.updateContent(id, { tags: ['three', 'THREE', 'one'] })).toMatchObject({
        tags: ['three', 'one'],
      });
      expect(await store.updateContent(id, { notes: null })).toEqual({
        ...before,
        title: 'Ours',
        tags: ['three', 'one'],
        notes: null,
      });
      expect(await store.updateContent(id, { title: null, tags: [] })).toEqual({ ...before, tags: [], notes: null });
      expect(await store.listContent({ ...everything, filter: { tag: 'two' } })).toEqual({ items: [], total: 0 });
      expect(await store.updateContent('c_aaaaaaaaaaaaaaaa', { notes: 'x' })).toBeNull();
    });

    it('gives a note its new text and address at once, and shows the old text until the new passages exist', async () => {
      const { store } = underTest();
      const note = (name: string) => resource(`note:${name}`, name);
      const save = { original: note('one'), known: { title: 'First' } };
      const { id, item } = await store.saveContent(saving('note:one', save));
      expect(item).toMatchObject({ url: null, canonicalUrl: null, title: 'First', progress: { stage: 'extract' } });
      await processToPassages(store, await claim(store), { text: 'One boiler.' });
      expect(await store.updateContent(id, { tags: ['x'], original: note('two') })).toMatchObject({
        status: 'pending',
        tags: ['x'],
        progress: { stage: 'extract' },
      });
      expect((await store.readOriginal(id))?.url).toBe('note:two');
      expect((await store.getContent(id))?.transcript).toBe('One boiler.');
      const first = await store.saveContent(saving('note:one', { original: note('one') }));
      expect(first.outcome).toBe('created');
      await expect(store.updateContent(id, { notes: 'x', original: note('one') })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect(await store.getContentSummary(id)).toMatchObject({ notes: null });
      expect((await store.saveContent(saving('note:two', { original: note('two') }))).id).toBe(id);
      expect(await store.updateContent('c_aaaaaaaaaaaaaaaa', { original: note('three') })).toBeNull();
    });

    it('removes and adds tags beside others', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a', { tags: ['One', 'two'] }));
      const change = async (changes: object) => (await store.updateContent(id, changes))?.tags;
      expect(await change({ removeTags: ['ONE', 'never'], addTags: ['three', 'TWO'] })).toEqual(['two', 'three']);
      expect(await change({ removeTags: ['two'], addTags: ['Two'] })).toEqual(['three', 'Two']);
      expect(await change({ removeTags: ['three', 'two'] })).toEqual([]);
      const addTags = Array.from({ length: 51 }, (_, index) => `tag ${index}`);
      await expect(change({ notes: 'x', addTags })).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await store.getContentSummary(id)).toMatchObject({ tags: [], notes: null });
    });

    it('stores nothing of a change with too many tags', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a', { tags: ['one'] }));
      const tags = Array.from({ length: 51 }, (_, index) => `tag ${index}`);
      await expect(store.updateContent(id, { title: 'New', tags })).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await store.getContentSummary(id)).toMatchObject({ title: null, tags: ['one'] });
    });

    it('makes the new title findable in place of the old one, also after reprocessing', async () => {
      const { store } = underTest();
      const url = 'file:///note.md';
      for (let n = 0; n < 4; n += 1)
        await saveAndProcess(store, `filler-${n}`, { text: `Filler ${n}.`, document: { title: `F${n}` } });
      const { id } = await store.saveContent(saving(url, { original: resource(url, 'first') }));
      await processToPassages(store, await claim(store), {
        text: 'Short text. More.',
        passageLength: 12,
        document: { title: 'Walrus' },
      });
      expect(await found('walrus')).toEqual(['Walrus', 'Walrus']);
      await store.updateContent(id, { title: 'Pelican' });
      expect(await found('walrus')).toEqual([]);
      expect(await found('pelican')).toEqual(['Pelican', 'Pelican']);
      expect(await found('short')).toEqual(['Pelican']);
      await store.saveContent(saving(url, { original: resource(url, 'second') }));
      await processToPassages(store, await claim(store), { text: 'Another text.', document: { title: 'Walrus' } });
      expect(await store.getContentSummary(id)).toMatchObject({ title: 'Pelican' });
      expect(await found('walrus')).toEqual([]);
      expect(await found('pelican')).toEqual(['Pelican']);
      await store.updateContent(id, { title: null });
      expect(await found('walrus')).toEqual(['Walrus']);
    });

    it('makes only the last of several concurrent titles findable', async () => {
      const { store } = underTest();
      for (let n = 0; n < 4; n += 1)
        await saveAndProcess(store, `filler-${n}`, { text: `Filler ${n}.`, document: { title: `F${n}` } });
      const id = await saveAndProcess(store, 'a', { text: 'Short text.', document: { title: 'Walrus' } });
      await Promise.all(['Pelican', 'Heron'].map((title) => store.updateContent(id, { title })));
      // Which of them comes last, an engine with several connections does not promise.
      const { title } = (await store.getContentSummary(id))!;
      const [last, other] = title === 'Heron' ? ['heron', 'pelican'] : ['pelican', 'heron'];
      expect(await found(last)).toEqual([title]);
      expect(await found(other)).toEqual([]);
      expect(await found('walrus')).toEqual([]);
    });

    it('makes a title findable that is set while passages are written', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'filler', { text: 'Filler.', document: { title: 'F' } });
      const text = 'Short text.';
      const { id } = await store.saveContent(saving('a'));
      const fetched = await keepOriginal(store, await claim(store), resource('a', text));
      const read = await store.keepDocument(fetched, documentOf({ title: 'Walrus' }), transcriptOf(text));
      const { documentId = 0 } = (await store.readDocument(id)) ?? {};
      const end = text.length;
      const locator = { kind: 'text' as const, start: 0, end };
      await Promise.all([
        store.keepPassages(read, documentId, [{ ordinal: 0, start: 0, end, headingPath: [], locator }]),
        store.updateContent(id, { title: 'Pelican' }),
      ]);
      expect(await found('pelican')).toEqual(['Pelican']);
      expect(await found('walrus')).toEqual([]);
    });
  });

  describe('a deleted item', () => {
    let id: string;
    let other: string;
    const text = 'Feed the fox. It is hungry.';
    const toFox = Float32Array.of(1, 0);

    beforeEach(async () => {
      const { store } = underTest();
      for (let n = 0; n < 4; n += 1) await saveAndProcess(store, `filler-${n}`, { text: `Filler number ${n}.` });
      other = await saveAndProcess(store, 'other', { text: 'Foxes are not dogs.', document: { title: 'Other' } });
      id = await saveAndProcess(store, 'fox', {
        text,
        document: { title: 'Fox' },
        save: { tags: ['animals'] },
        actions: ['Feed the fox.'],
      });
      const missing = await store.listPassagesToEmbed('e', 100);
      await store.keepVectors(
        'e',
        missing.map(({ passageId }) => ({ passageId, vector: toFox })),
      );
    });

    it('appears nowhere', async () => {
      const { store, clock } = underTest();
      const [action] = (await store.getContent(id))!.actions;
      const before = (await store.getContentSummary(id))!;
      clock.advance(1000);
      const deleted = await store.deleteContent(id);
      expect(deleted).toEqual({
        ...before,
        deletedAt: '2026-01-01T00:00:01.000Z',
        restorableUntil: '2026-01-31T00:00:01.000Z',
      });
      expect(await store.getContent(id)).toBeNull();
      expect(await store.getContentSummary(id)).toBeNull();
      expect(await store.readTranscript(id)).toBeNull();
      expect(await store.updateContent(id, { title: 'x' })).toBeNull();
      expect(await store.retryContent(id)).toBe(false);
      for (const query of [
        {},
        { tags: ['animals'] },
        { status: 'completed' as const },
        { contentType: 'article' as const },
      ]) {
        const { items } = await store.listContent({ ...everything, ...query });
        expect(items.map((item) => item.id)).not.toContain(id);
      }
      expect(await store.listContent({ ...everything, filter: { tag: 'animals' } })).toEqual({ items: [], total: 0 });
      for (const filter of [{}, { items: { type: 'article' as const } }]) {
        expect(await found('fox', filter)).toEqual(['Other']);
        const hits = await store.searchVectors('e', toFox, filter, 100);
        expect(hits).toHaveLength(5);
        expect(hits.map(({ contentId }) => contentId)).not.toContain(id);
      }
      expect(await store.searchVectors('e', toFox, { items: { tag: 'animals' } }, 100)).toEqual([]);
      expect(await store.coverage()).toEqual({ searchable: 5, pending: 0, failed: 0 });
      expect(await store.countVectors('e')).toEqual({ passages: 5, embedded: 5 });
      expect(await store.countVectors('e', ['en'])).toEqual({ passages: 5, embedded: 5 });
      expect(await store.listPassagesToEmbed('another', 100)).toHaveLength(5);
      expect(await store.listPassagesToEmbed('another', 100, { contentId: id })).toEqual([]);
      expect(await store.listActions({ offset: 0 })).toEqual({ items: [], total: 0 });
      expect(await store.listActions({ offset: 0, contentId: id })).toEqual({ items: [], total: 0 });
      expect(await readAction(store, action!.id)).toBeNull();
      expect(await store.updateAction(action!.id, { state: 'done' })).toBeNull();
      expect((await store.getContentSummary(other))?.title).toBe('Other');
    });

    it('is skipped when its passages were found just before the deletion', async () => {
      const { store } = underTest();
      const hits = await store.searchWords('hungry', {}, 10);
      expect(hits).toHaveLength(1);
      await store.deleteContent(id);
      expect(await store.readPassages(passageIds(hits))).toEqual([]);
    });

    it('is deleted once, listed among the deleted items, and restored unchanged', async () => {
      const { store, clock } = underTest();
      const before = await store.getContent(id);
      const deleted = await store.deleteContent(id);
      clock.advance(5000);
      expect(await store.deleteContent(id)).toEqual(deleted);
      await store.deleteContent(other);
      const { items, total } = await store.listContent({ ...everything, deleted: true });
      expect([items.map((item) => item.id), total]).toEqual([[other, id], 2]);
      expect((await store.listContent({ limit: 1, offset: 1, deleted: true })).items).toEqual([deleted]);
      expect(await store.restoreContent(id)).toEqual(await store.getContentSummary(id));
      expect(await store.getContent(id)).toEqual(before);
      expect(await found('hungry')).toEqual(['Fox']);
      expect(await store.searchVectors('e', toFox, {}, 100)).toHaveLength(5);
      expect(await store.restoreContent(id)).toEqual(await store.getContentSummary(id));
      expect(await store.deleteContent('c_aaaaaaaaaaaaaaaa')).toBeNull();
      expect(await store.restoreContent('c_aaaaaaaaaaaaaaaa')).toBeNull();
    });

    it('is restored by saving its address again, with the values of that save', async () => {
      const { store } = underTest();
      await store.deleteContent(id);
      expect(await store.saveContent(saving('fox', { tags: ['again'] }))).toMatchObject({ id, outcome: 'restored' });
      expect(await store.getContentSummary(id)).toMatchObject({ tags: ['animals', 'again'], status: 'completed' });
      expect(await store.saveContent(saving('fox'))).toMatchObject({ id, outcome: 'existed' });
    });

    it('is gone after thirty days: it cannot be restored, and a new save is a new item', async () => {
      const { store, clock } = underTest();
      await store.deleteContent(id);
      clock.advance(restorableForMs - 1);
      expect(await store.purgeExpired(10)).toBe(0);
      expect(await hasMaintenanceLeft(store)).toBe(false);
      expect((await store.listContent({ ...everything, deleted: true })).total).toBe(1);
      clock.advance(1);
      expect(await store.listContent({ ...everything, deleted: true })).toEqual({ items: [], total: 0 });
      expect(await store.restoreContent(id)).toBeNull();
      expect(await store.deleteContent(id)).toBeNull();
      const again = await store.saveContent(saving('fox'));
      expect(again).toMatchObject({ outcome: 'created', id: expect.not.stringMatching(id) });
      expect(await hasMaintenanceLeft(store)).toBe(true);
      expect(await store.purgeExpired(10)).toBe(1);
      expect(await hasMaintenanceLeft(store)).toBe(false);
      expect(await store.purgeExpired(10)).toBe(0);
      expect(await store.readDocument(id)).toBeNull();
      expect(await store.readOriginal(id)).toBeNull();
      expect((await store.getContentSummary(other))?.title).toBe('Other');
    });

    it('is gone at once when the person says so, for one item or for all', async () => {
      const { store } = underTest();
      await store.deleteContent(id);
      expect(await store.expireDeleted([other, 'c_aaaaaaaaaaaaaaaa'])).toBe(0);
      expect(await store.expireDeleted([id])).toBe(1);
      expect(await store.restoreContent(id)).toBeNull();
      expect(await store.purgeExpired(10)).toBe(1);
      await store.deleteContent(other);
      expect(await store.expireDeleted(null)).toBe(1);
      expect(await store.listContent({ ...everything, deleted: true })).toEqual({ items: [], total: 0 });
      expect(await store.purgeExpired(10)).toBe(1);
    });

    it('is purged in batches', async () => {
      const { store, clock } = underTest();
      await store.deleteContent(id);
      await store.deleteContent(other);
      clock.advance(restorableForMs);
      expect(await store.purgeExpired(1)).toBe(1);
      expect(await store.purgeExpired(1)).toBe(1);
      expect(await store.purgeExpired(1)).toBe(0);
    });

    it('hands its place among duplicates to the next one, and takes it back', async () => {
      const { store } = underTest();
      const same = 'The very same text in several places.';
      const first = await saveAndProcess(store, 'first', { text: same });
      const second = await saveAndProcess(store, 'second', { text: same });
      const third = await saveAndProcess(store, 'third', { text: same });
      const heads = async () =>
        Promise.all([first, second, third].map(async (one) => (await store.getContentSummary(one))?.duplicateOf));
      expect(await heads()).toEqual([null, first, first]);
      await store.deleteContent(first);
      expect(await heads()).toEqual([undefined, null, second]);
      const fourth = await saveAndProcess(store, 'fourth', { text: same });
      expect((await store.getContentSummary(fourth))?.duplicateOf).toBe(second);
      await store.deleteContent(third);
      await store.restoreContent(first);
      expect(await heads()).toEqual([null, first, undefined]);
      expect((await store.getContentSummary(fourth))?.duplicateOf).toBe(first);
      await store.restoreContent(third);
      expect(await heads()).toEqual([null, first, first]);
    });
  });

  describe('the job of a deleted item', () => {
    it('stops: no worker takes it, and results from a worker that has it are refused', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const { id: waiting } = await store.saveContent(saving('b'));
      const fetching = await claim(store);
      expect(fetching.contentId).toBe(id);
      await store.deleteContent(id);
      await store.deleteContent(waiting);
      expect(await claimJob(store, leaseMs)).toBeNull();
      expect(await store.nextJobDueAt()).toBeNull();
      expect(await store.nextLeaseEndsAt()).toBeNull();
      expect(await countUnfinishedJobs(store)).toBe(0);
      expect(await store.coverage()).toEqual({ searchable: 0, pending: 0, failed: 0 });
      expect(await store.renewLease(fetching, leaseMs)).toBe(false);
      await expect(keepOriginal(store, fetching, resource('a', 'x'))).rejects.toThrow(LeaseLostError);
      await store.keepCompanion(id, 'captions', resource('captions', 'x'));
      await store.failJob(fetching, { ...failure, nextAttemptAt: null });
      await store.releaseJob(fetching);
      expect(await claimJob(store, leaseMs)).toBeNull();
      expect(await store.readOriginal(id, 'captions')).toBeNull();
    });

    it('continues with the restored item where it stopped', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const extracting = await keepOriginal(store, await claim(store), resource('a', 'x'));
      await store.failJob(extracting, { ...failure, nextAttemptAt: 1e15 });
      await store.deleteContent(id);
      expect(await store.restoreContent(id)).toMatchObject({
        status: 'pending',
        progress: { stage: 'extract', attempts: 0 },
      });
      const again = await claim(store);
      expect(again).toMatchObject({ contentId: id, stage: 'extract', attempts: 1 });
      await store.keepDocument(again, documentOf(), transcriptOf('x'));
      await store.deleteContent(id);
      await store.restoreContent(id);
      expect(await claim(store)).toMatchObject({ contentId: id, stage: 'split' });
    });

    it('stays failed if it had failed, until its address is saved again', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: null });
      await store.deleteContent(id);
      expect(await store.restoreContent(id)).toMatchObject({ status: 'failed', failure: { code: 'timeout' } });
      expect(await claimJob(store, leaseMs)).toBeNull();
      await store.deleteContent(id);
      expect(await store.saveContent(saving('a'))).toMatchObject({ id, outcome: 'restored' });
      expect(await claim(store)).toMatchObject({ contentId: id, stage: 'fetch' });
    });

    it('is gone with a purged item, and late vectors are skipped', async () => {
      const { store, clock } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const embedding = await processToPassages(store, await claim(store), { text: 'Some text.' });
      const [passage] = await store.listPassagesToEmbed('e', 1, { contentId: id });
      await store.deleteContent(id);
      clock.advance(restorableForMs);
      expect(await store.purgeExpired(9)).toBe(1);
      await store.keepVectors('e', [{ passageId: passage!.passageId, vector: Float32Array.of(1, 0) }]);
      expect(await store.countVectors('e')).toEqual({ passages: 0, embedded: 0 });
      await expect(store.finishEmbedding(embedding)).rejects.toThrow(LeaseLostError);
      await store.failJob(embedding, { ...failure, nextAttemptAt: null });
      await store.keepCompanion(id, 'captions', resource('captions', 'x'));
      expect(await store.readOriginal(id, 'captions')).toBeNull();
    });
  });

  describe('changing goals', () => {
    it('adds one per title', async () => {
      const { store, clock } = underTest();
      const goal = await store.addGoal({ title: 'Sleep', category: 'Health', description: 'Eight hours' });
      clock.advance(1000);
      expect(await store.addGoal({ title: 'SLEEP', category: 'Health' })).toEqual(goal);
      await store.updateGoal(goal.id, { archived: true });
      const revived = { ...goal, category: 'Wealth', description: 'Nine' };
      expect(await store.addGoal({ title: 'sleep', category: 'Wealth', description: 'Nine' })).toEqual(revived);
      expect(await store.listGoals({ offset: 0 })).toEqual({ items: [revived], total: 1 });
    });

    it('gives none the title of another', async () => {
      const { store } = underTest();
      await store.addGoal({ title: 'Sleep', category: 'Health' });
      const walk = await store.addGoal({ title: 'Walk', category: 'Health' });
      await expect(store.updateGoal(walk.id, { title: 'SLEEP' })).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await store.updateGoal(walk.id, { title: 'WALK' })).toEqual({ ...walk, title: 'WALK' });
    });

    it('changes the given fields, and archives', async () => {
      const { store, clock } = underTest();
      const goal = await store.addGoal({ title: 'Sleep', category: 'Health', description: 'Eight hours' });
      const other = await store.addGoal({ title: 'Save', category: 'Wealth' });
      expect(await store.updateGoal(goal.id, { title: 'Rest' })).toEqual({ ...goal, title: 'Rest' });
      expect(await store.updateGoal(goal.id, { description: '' })).toEqual({
        ...goal,
        title: 'Rest',
        description: null,
      });
      const archived = { ...goal, title: 'Rest', description: null, archivedAt: '2026-01-01T00:00:00.000Z' };
      expect(await store.updateGoal(goal.id, { archived: true })).toEqual(archived);
      clock.advance(1000);
      expect(await store.updateGoal(goal.id, { archived: true })).toEqual(archived);
      expect(await store.listGoals({ offset: 0 })).toEqual({ items: [other], total: 1 });
      expect(await store.listGoals({ offset: 0, includeArchived: true })).toEqual({
        items: [other, archived],
        total: 2,
      });
      const { archivedAt: _, ...back } = archived;
      expect(await store.updateGoal(goal.id, { archived: false, category: 'Relationships' })).toEqual({
        ...back,
        category: 'Relationships',
      });
      expect(await store.updateGoal('g_aaaaaaaaaaaaaaaa', { title: 'x' })).toBeNull();
    });
  });
}
