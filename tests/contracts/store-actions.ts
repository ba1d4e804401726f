import { describe, expect, it } from 'vitest';
import { analysisOf, claim, processToPassages, saveAndProcess, saving } from './store-items.ts';
import type { StoreUnderTest } from './store-contract.ts';

export function actionContract(underTest: () => StoreUnderTest): void {
  const titles = async (query: object = {}) => {
    const { items, total } = await underTest().store.listActions({ offset: 0, ...query });
    return { titles: items.map(({ title }) => title), total };
  };

  describe('actions', () => {
    it('lists them newest first, those of one text in its order', async () => {
      const { store, clock } = underTest();
      const first = await saveAndProcess(store, 'a', { text: 'Do one. Do two.', actions: ['Do one.', 'Do two.'] });
      clock.advance(1000);
      await saveAndProcess(store, 'b', { text: 'Do three. Do four.', actions: ['Do three.', 'Do four.'] });
      const all = ['Do three.', 'Do four.', 'Do one.', 'Do two.'];
      expect(await titles()).toEqual({ titles: all, total: 4 });
      expect(await titles({ limit: 2, offset: 1 })).toEqual({ titles: all.slice(1, 3), total: 4 });
      expect(await titles({ contentId: first })).toEqual({ titles: all.slice(2), total: 2 });
      expect(await titles({ contentId: 'c_aaaaaaaaaaaaaaaa' })).toEqual({ titles: [], total: 0 });
      expect((await store.getContent(first))?.actions.map(({ title }) => title)).toEqual(['Do one.', 'Do two.']);
    });

    it('completes an action once', async () => {
      const { store, clock } = underTest();
      const contentId = await saveAndProcess(store, 'a', { text: 'Do one. Do two.', actions: ['Do one.', 'Do two.'] });
      const [one] = (await store.listActions({ offset: 0 })).items;
      expect(one).toEqual({
        id: expect.stringMatching(/^a_[a-z2-7]{16}$/),
        contentId,
        goalId: null,
        title: 'Do one.',
        reason: null,
        quote: 'Do one.',
        locator: { kind: 'text', start: 0, end: 7 },
        url: '#0',
        state: 'open',
        completed: false,
        completedAt: null,
        createdAt: '2026-01-01T00:00:00.000Z',
      });
      clock.advance(1000);
      const done = { ...one!, state: 'done' as const, completed: true, completedAt: '2026-01-01T00:00:01.000Z' };
      expect(await store.setActionState(one!.id, 'done')).toEqual(done);
      clock.advance(1000);
      expect(await store.setActionState(one!.id, 'done')).toEqual(done);
      expect(await store.getAction(one!.id)).toEqual(done);
      expect(await titles({ completed: true })).toEqual({ titles: ['Do one.'], total: 1 });
      expect(await titles({ completed: false })).toEqual({ titles: ['Do two.'], total: 1 });
      expect(await store.setActionState(one!.id, 'dismissed')).toEqual({ ...one!, state: 'dismissed' });
      expect(await titles({ completed: true })).toEqual({ titles: [], total: 0 });
      expect(await titles({ completed: false })).toEqual({ titles: ['Do two.'], total: 1 });
    });

    it('knows nothing of other ids', async () => {
      const { store } = underTest();
      expect(await store.getAction('a_aaaaaaaaaaaaaaaa')).toBeNull();
      expect(await store.setActionState('a_aaaaaaaaaaaaaaaa', 'done')).toBeNull();
    });

    it('serves goals', async () => {
      const { store, clock } = underTest();
      const health = await store.addGoal({ title: 'Sleep', category: 'Health', description: 'Eight hours' });
      clock.advance(1);
      const wealth = await store.addGoal({ title: 'Save', category: 'Wealth' });
      expect(health).toEqual({
        id: expect.stringMatching(/^g_[a-z2-7]{16}$/),
        title: 'Sleep',
        category: 'Health',
        description: 'Eight hours',
        createdAt: '2026-01-01T00:00:00.000Z',
      });
      expect(wealth.description).toBeNull();
      expect(await store.listGoals({ offset: 0 })).toEqual({ items: [wealth, health], total: 2 });
      expect(await store.listGoals({ offset: 1, limit: 5 })).toEqual({ items: [health], total: 2 });

      const text = 'Go to bed. Buy a bond. Smile.';
      await store.saveContent(saving('a'));
      const analysing = await store.finishEmbedding(await processToPassages(store, await claim(store), { text }));
      const { documentId } = (await store.readDocument(analysing.contentId))!;
      const analysis = analysisOf(text, ['Go to bed.', 'Buy a bond.', 'Smile.']);
      analysis.actions[0]!.goalId = health.id;
      analysis.actions[1]!.goalId = 'g_aaaaaaaaaaaaaaaa';
      await store.keepAnalysis(analysing, documentId, analysis);
      expect(await titles({ goalId: health.id })).toEqual({ titles: ['Go to bed.'], total: 1 });
      expect(await titles({ goalId: wealth.id })).toEqual({ titles: [], total: 0 });
      const { items } = await store.listActions({ offset: 0 });
      expect(items.map(({ goalId }) => goalId)).toEqual([health.id, null, null]);
    });
  });
}
