import { describe, expect, it } from 'vitest';
import type { TagProposals } from '../../../../src/domain/records/content.ts';
import { findTags } from '../../../../src/search/find-tags.ts';
import { createHeldStore } from '../../../../src/store/held-store.ts';
import { addFinishedItem, claimOf, emptyAnalysis, paragraphs } from '../../../support/content.ts';
import { newChange } from '../../../../src/domain/records/change.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

/** Tags that are proposed for items, and what a person says of them. */
export function tagProposalsContract(underTest: () => StoreUnderTest): void {
  let count = 0;
  const add = (
    tags: readonly string[],
    proposals: Partial<TagProposals> & Pick<TagProposals, 'found'>,
    text?: string,
  ) => {
    count += 1;
    return addFinishedItem(underTest().store, {
      url: `https://example.org/${count}`,
      blocks: paragraphs(text ?? `Text number ${count}.`),
      about: { title: `Item ${count}` },
      tags,
      analysis: { ...emptyAnalysis, tags: { areComputed: true, areApplied: false, ...proposals } },
    });
  };
  const none = { found: [] };
  const found = (...names: string[]) => ({
    found: names.map((tag, at) => ({ tag, reason: `like five items tagged ${tag}`, score: 0.9 - at / 10 })),
  });
  const library = async (...tags: string[]) => {
    for (let item = 0; item < 5; item += 1) await add(tags, none);
  };
  const read = async (id: string) => {
    const { tags = [], proposedTags = [] } = (await underTest().store.getContent(id)) ?? {};
    return { tags, proposed: proposedTags.map(({ tag }) => tag) };
  };

  const analyse = async (id: string, proposals: Partial<TagProposals> & Pick<TagProposals, 'found'>) => {
    const { store } = underTest();
    const document = await store.readDocument(id);
    const tags = { areComputed: true, areApplied: false, ...proposals };
    await store.keepAnalysis(await claimOf(store, id), document?.documentId ?? -1, { ...emptyAnalysis, tags });
  };

  describe('proposed tags', () => {
    it('are the best three tags that at least five items have, in their usual spelling', async () => {
      await library('Sleep', 'Health', 'Tea', 'Work');
      await add(['rare'], none);
      const id = await add(['tea'], found('rare', 'sleep', 'TEA', 'unheard', 'health', 'work'));
      expect(await underTest().store.getContent(id)).toMatchObject({
        proposedTags: [
          { tag: 'Sleep', reason: 'like five items tagged sleep' },
          { tag: 'Health', reason: 'like five items tagged health' },
          { tag: 'Work', reason: 'like five items tagged work' },
        ],
      });
      await underTest().store.deleteContent(
        (await underTest().store.listContent({ limit: 1, offset: 3 })).items[0]!.id,
      );
      expect(await read(await add([], found('sleep')))).toEqual({ tags: [], proposed: [] });
    });

    it('are confirmed by adding them; rejected ones are not proposed again for the item', async () => {
      const { store } = underTest();
      await library('sleep', 'tea');
      const id = await add([], found('sleep', 'tea'));
      await store.updateContent(id, { addTags: ['Sleep'], rejectTags: ['TEA'] });
      expect(await read(id)).toEqual({ tags: ['Sleep'], proposed: [] });
      await store.updateContent(id, { removeTags: ['sleep'] });
      await store.reprocess('analyse', id);
      await analyse(id, found('sleep', 'tea'));
      expect(await read(id)).toEqual({ tags: [], proposed: [] });
    });

    it('return when the change that confirmed them is undone', async () => {
      const { stores, store } = underTest();
      await library('sleep');
      const id = await add([], found('sleep'));
      const change = newChange({ face: 'mcp', by: null, operation: 'update_content', scopes: ['content:write'] });
      await (await stores.open({ account: store.accountId, change })).updateContent(id, { tags: ['sleep'] });
      expect(await read(id)).toEqual({ tags: ['sleep'], proposed: [] });
      const undoing = newChange({ face: 'mcp', by: null, operation: 'undo', scopes: ['content:write'] });
      await (await stores.open({ account: store.accountId, change: undoing })).undo(change.id, { force: false });
      expect(await read(id)).toEqual({ tags: [], proposed: ['sleep'] });
    });

    it('are hidden from a caller restricted to some tags, because they reveal tags of other items', async () => {
      const { store } = underTest();
      await library('sleep');
      const id = await add(['work'], found('sleep'));
      const held = createHeldStore(store, { lists: [], tags: ['work'] }, store.accountId);
      expect((await read(id)).proposed).toEqual(['sleep']);
      expect(await held.getContent(id)).toMatchObject({ id, tags: ['work'] });
      expect(await held.getContent(id)).not.toHaveProperty('proposedTags');
    });

    it('and decisions about them are copied to another library', async () => {
      const { stores, store } = underTest();
      await library('sleep', 'tea', 'work');
      const id = await add([], found('sleep', 'tea', 'work'));
      await store.updateContent(id, { addTags: ['sleep'], rejectTags: ['tea'] });
      const exported = (await store.readToExport(id))!;
      expect(exported.tagProposals?.map(({ tag, state }) => [tag, state])).toEqual([
        ['sleep', 'confirmed'],
        ['tea', 'rejected'],
        ['work', 'proposed'],
      ]);
      const other = await stores.open((await stores.control.createAccount({ name: 'other', plan: 'pro' })).id);
      await other.restoreItem({ ...exported, originals: [] }, []);
      expect((await other.readToExport(id))?.tagProposals).toEqual(exported.tagProposals);
    });

    it('of an analyst are added to the computed ones; one of them may be new', async () => {
      await library('sleep', 'tea');
      const id = await add([], found('sleep'));
      await underTest().store.reprocess('analyse', id);
      await analyse(id, { ...found('tea', 'new one', 'another'), areComputed: false });
      expect(await read(id)).toEqual({ tags: [], proposed: ['sleep', 'tea', 'new one'] });
    });

    it('are applied automatically once nine in ten were right, until the person removes them', async () => {
      const { store, clock } = underTest();
      await library('sleep');
      const applied = { ...found('sleep'), areApplied: true };
      for (let item = 0; item < 19; item += 1) {
        const id = await add([], applied);
        expect(await read(id)).toEqual({ tags: [], proposed: ['sleep'] });
        clock.advance(1_000);
        await store.updateContent(id, item < 18 ? { addTags: ['sleep'] } : { rejectTags: ['sleep'] });
      }
      const twentieth = await add([], applied);
      await store.updateContent(twentieth, { addTags: ['sleep'] });
      const id = await add([], applied);
      expect(await read(id)).toEqual({ tags: ['sleep'], proposed: [] });
      expect((await read(await add([], found('sleep')))).tags).toEqual([]);
      for (const one of [id, await add([], applied)]) {
        clock.advance(1_000);
        await store.updateContent(one, { removeTags: ['sleep'] });
      }
      expect(await read(await add([], applied))).toEqual({ tags: [], proposed: ['sleep'] });
    });

    it('come from items with similar content, compared by words where there are no vectors', async () => {
      const { store } = underTest();
      for (const [subject, tag] of [
        ['melatonin, dark bedrooms and regular bedtimes', 'sleep'],
        ['sourdough, rye flour and hot ovens', 'bread'],
      ] as const)
        for (let item = 0; item < 6; item += 1)
          await add([tag], none, `Chapter ${item} tells of ${subject}, and why patience with ${subject} helps.`);
      const id = await add([], none, 'What rye flour and sourdough need: hot ovens, and patience.');
      const proposed = await findTags(store, id, null);
      expect(proposed[0]).toMatchObject({
        tag: 'bread',
        reason: expect.stringMatching(/^like \d+ items tagged bread$/) as string,
      });
      expect(proposed.map(({ tag }) => tag)).not.toContain('sleep');
    });
  });
}
