import { describe, expect, it } from 'vitest';
import { restorableForMs } from '../../../../src/domain/records/limits.ts';
import { analysisOf, claim, processToPassages, resource, saveAndProcess, saving } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { readAction } from '../../../support/store/store-reads.ts';

const walk = 'Walk to work every day.';
const walkToo = 'Always walk to work every day.';

/** Actions of several items that ask for nearly the same. */
export function mergingContract(underTest: () => StoreUnderTest): void {
  const add = async (url: string, ...actions: string[]) => {
    underTest().clock.advance(1000);
    return saveAndProcess(underTest().store, url, { text: `${url}: ${actions.join(' ')}`, actions });
  };
  const analyseAgain = async (url: string, ...actions: string[]) => {
    const { store } = underTest();
    const text = `${url}, again: ${actions.join(' ')}`;
    await store.saveContent(saving(url, { original: resource(url, text) }));
    const analysing = await store.finishEmbedding(await processToPassages(store, await claim(store), { text }));
    const { documentId } = (await store.readDocument(analysing.contentId))!;
    await store.keepAnalysis(analysing, documentId, analysisOf(text, actions));
  };
  /** Keeps a later analysis with nothing but one action, from the same words of the text, under another title. */
  const rename = async (contentId: string, quote: string, title: string) => {
    const { store } = underTest();
    const taken = (await store.claimAnalysis(60_000, { contentId }))!;
    const analysis = analysisOf((await store.readTranscript(contentId))!, [quote]);
    const actions = analysis.actions.map((action) => ({ ...action, title }));
    await store.keepLlmAnalysis(taken, taken.documentId, { ...analysis, actions });
  };
  const list = async (query = {}) => (await underTest().store.listActions({ offset: 0, ...query })).items;
  const idsOf = async (contentId: string) =>
    (await underTest().store.getContent(contentId))?.actions.map(({ id }) => id);

  describe('nearly identical actions', () => {
    it('are merged into one, which belongs to the older item and names the others', async () => {
      const { store } = underTest();
      const a = await add('a', walk, 'Sleep at night.');
      const [before] = (await store.getContent(a))!.actions;
      const b = await add('b', 'Buy a good bed.', walkToo);
      const merged = {
        ...before!,
        alsoIn: [{ contentId: b, quote: walkToo, locator: { kind: 'text', start: 19, end: 49 }, url: '#19' }],
      };
      expect(await list()).toHaveLength(3);
      expect(await readAction(store, before!.id)).toEqual(merged);
      expect((await store.getContent(a))!.actions[0]).toEqual(merged);
      expect((await store.getContent(b))!.actions.map(({ title }) => title)).toEqual(['Buy a good bed.', walk]);
      expect(await list({ contentId: b })).toHaveLength(2);
      expect((await store.listActions({ offset: 0, contentId: b, limit: 1 })).total).toBe(2);
      expect((await list({ contentId: a })).map(({ id }) => id)).toContain(before!.id);
    });

    it('are separated when they ask for different things, are done, or are in one item', async () => {
      const { store } = underTest();
      const a = await add('a', walk, walkToo);
      expect(await list()).toHaveLength(2);
      for (const { id } of await list()) await store.updateAction(id, { state: 'done' });
      await add('b', walk);
      await add('c', 'Never walk to work every day.');
      expect(await list()).toHaveLength(4);
      expect(await idsOf(a)).toHaveLength(2);
    });

    it("are changed together, and keep a person's changes when their texts are reprocessed", async () => {
      const { store } = underTest();
      const a = await add('a', walk);
      const b = await add('b', walkToo);
      const [id] = (await idsOf(b))!;
      expect(await idsOf(a)).toEqual([id]);
      await store.updateAction(id!, { state: 'done', title: 'My walk to work every day' });
      await analyseAgain('b', walkToo, 'Buy a bicycle.');
      await analyseAgain('a', walk);
      expect(await list({ completed: true })).toMatchObject([
        { id, title: 'My walk to work every day', contentId: a, alsoIn: [{ contentId: b }] },
      ]);
      expect(await list({ completed: false })).toMatchObject([{ title: 'Buy a bicycle.', contentId: b }]);
    });

    it('keep the title that a person gave, however different', async () => {
      const { store } = underTest();
      const a = await add('a', walk);
      const b = await add('b', walkToo);
      const [id] = (await idsOf(b))!;
      await store.updateAction(id!, { state: 'done', title: 'Sell the car' });
      await analyseAgain('b', walkToo);
      await store.deleteContent(b);
      await store.restoreContent(b);
      expect(await list()).toMatchObject([{ id, title: 'Sell the car', contentId: a, alsoIn: [{ contentId: b }] }]);
      await rename(b, walkToo, 'Buy good shoes.');
      expect(await list({ completed: false })).toMatchObject([{ title: 'Buy good shoes.', contentId: b }]);
    });

    it("are separated when a new analysis rewords the first, and nobody's action is hidden", async () => {
      const { store } = underTest();
      const a = await add('a', walk);
      const b = await add('b', walkToo);
      const c = await add('c', walk);
      const [id] = (await idsOf(a))!;
      expect(await idsOf(b)).toEqual([id]);
      await rename(a, walk, 'Pay Mallory nine hundred euros.');
      expect((await store.getContent(a))!.actions).toMatchObject([{ id, title: 'Pay Mallory nine hundred euros.' }]);
      expect((await store.getContent(a))!.actions[0]).not.toHaveProperty('alsoIn');
      const [walking] = (await store.getContent(b))!.actions;
      expect(walking).toMatchObject({ contentId: b, quote: walkToo, alsoIn: [{ contentId: c }] });
      expect(await idsOf(c)).toEqual([walking!.id]);
      expect(await list()).toHaveLength(2);
    });

    it('lose a source that no longer says it, and continue from the other if it was their first', async () => {
      const { store } = underTest();
      const a = await add('a', walk);
      const b = await add('b', walkToo);
      const c = await add('c', walk);
      const [id] = (await idsOf(a))!;
      await analyseAgain('c', 'Buy a bicycle.');
      expect(await readAction(store, id!)).toMatchObject({ contentId: a, alsoIn: [{ contentId: b }] });
      expect(await idsOf(c)).not.toContain(id);
      await analyseAgain('a', 'Buy new shoes.');
      const left = await readAction(store, id!);
      expect(left).toMatchObject({ contentId: b, quote: walkToo });
      expect(left).not.toHaveProperty('alsoIn');
      expect(await idsOf(a)).not.toContain(id);
      await analyseAgain('b', 'Buy a car.');
      expect(await readAction(store, id!)).toBeNull();
    });

    it('outlive the deletion of their item, and return to it when it is restored', async () => {
      const { store, clock } = underTest();
      const a = await add('a', walk);
      const b = await add('b', walkToo);
      const before = (await list())[0]!;
      await store.updateAction(before.id, { state: 'dismissed' });
      await store.deleteContent(a);
      const meanwhile = (await list())[0]!;
      expect(meanwhile).toMatchObject({ id: before.id, state: 'dismissed', contentId: b, quote: walkToo });
      expect(meanwhile).not.toHaveProperty('alsoIn');
      await store.deleteContent(b);
      expect(await list()).toEqual([]);
      await store.restoreContent(a);
      expect(await list()).toMatchObject([{ id: before.id, contentId: a, quote: walk }]);
      await store.restoreContent(b);
      expect(await list()).toEqual([{ ...before, state: 'dismissed' }]);
      await store.deleteContent(a);
      clock.advance(restorableForMs);
      expect(await store.purgeExpired(9)).toBe(1);
      expect(await list()).toMatchObject([{ id: before.id, contentId: b, state: 'dismissed' }]);
    });

    it('outlive the purge of their item while the other can still be restored', async () => {
      const { store, clock } = underTest();
      const a = await add('a', walk);
      const b = await add('b', walkToo);
      const [id] = (await idsOf(a))!;
      await store.updateAction(id!, { state: 'done' });
      await store.deleteContent(a);
      await store.deleteContent(b);
      await store.restoreContent(a);
      await store.deleteContent(a);
      clock.advance(restorableForMs - 1);
      await store.restoreContent(b);
      await store.deleteContent(b);
      clock.advance(1);
      expect(await store.purgeExpired(9)).toBe(1);
      await store.restoreContent(b);
      expect(await list()).toMatchObject([{ id, contentId: b, state: 'done' }]);
    });

    it("are found when a deleted item is restored, and a person's own action is never merged away", async () => {
      const { store } = underTest();
      const a = await add('a', walk);
      const mine = (await list())[0]!;
      await store.deleteContent(a);
      const b = await add('b', walkToo);
      const [theirs] = await list();
      await store.updateAction(theirs!.id, { title: 'Walk to work every day, slowly' });
      await store.restoreContent(a);
      expect(await list()).toMatchObject([{ id: theirs!.id, contentId: b, alsoIn: [{ contentId: a }] }]);
      expect((await readAction(store, mine.id))?.id).toBe(theirs!.id);
    });

    it('are separated from an action that represents them only indirectly and says less', async () => {
      const { store } = underTest();
      const less = 'Walk along the river bank with friends.';
      const more = 'Walk along the river bank with old friends singing.';
      const most = 'Walk along the river bank with old friends singing cheerful songs.';
      const a = await add('a', 'Enjoy the water.');
      const b = await add('b', more);
      const c = await add('c', most);
      expect(await idsOf(c)).toEqual(await idsOf(b));
      await rename(a, 'Enjoy the water.', less);
      expect(await idsOf(b)).toEqual(await idsOf(a));
      expect((await store.getContent(c))!.actions).toMatchObject([{ title: most, contentId: c }]);
      expect(await list()).toHaveLength(2);
    });

    it('of a deleted item do not hide those of a visible item', async () => {
      const { store } = underTest();
      const less = 'Walk along the river bank with friends.';
      const more = 'Walk along the river bank with old friends singing.';
      const most = 'Walk along the river bank with old friends singing cheerful songs.';
      const a = await add('a', less);
      const b = await add('b', more);
      const c = await add('c', most);
      expect(await list()).toHaveLength(2);
      await store.deleteContent(b);
      await rename(a, less, 'Enjoy the water.');
      expect(await list({ contentId: c })).toMatchObject([{ title: most, contentId: c }]);
      await store.restoreContent(b);
      expect(await list({ contentId: c })).toMatchObject([{ title: more, contentId: b, alsoIn: [{ contentId: c }] }]);
      expect(await list()).toHaveLength(2);
    });

    it('are merged with all that are near the first, however far these are from each other', async () => {
      const a = await add('a', 'Enjoy the water.');
      const b = await add('b', 'Walk along the river bank with old friends singing.');
      const c = await add('c', 'Walk along the river bank with young friends dancing.');
      expect(await list()).toHaveLength(3);
      await rename(a, 'Enjoy the water.', 'Walk along the river bank with friends.');
      expect([await idsOf(b), await idsOf(c)]).toEqual([await idsOf(a), await idsOf(a)]);
      expect(await list()).toMatchObject([{ contentId: a, alsoIn: [{ contentId: b }, { contentId: c }] }]);
    });

    it('disappear when no text asks for them, also when one item asked twice', async () => {
      const { store } = underTest();
      const b = await add('b', walk);
      const a = await add('a', walk, walkToo);
      expect(new Set(await idsOf(a))).toEqual(new Set(await idsOf(b)));
      await store.deleteContent(b);
      await analyseAgain('a', 'Buy a bicycle.');
      expect((await store.getContent(a))!.actions.map(({ title }) => title)).toEqual(['Buy a bicycle.']);
      expect(await list()).toHaveLength(1);
    });

    it('show at most five further items, and how many there are', async () => {
      for (const url of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await add(url, walk);
      const [one, ...others] = await list();
      expect(others).toEqual([]);
      expect(one!.alsoIn).toHaveLength(5);
      expect(one!.alsoInTotal).toBe(7);
    });
  });
}
