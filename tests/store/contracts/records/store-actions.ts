import { describe, expect, it } from 'vitest';
import type { PlacedAnalysis } from '../../../../src/domain/records/analyses/analysis.ts';
import type { ActionPriority } from '../../../../src/domain/records/analyses/action.ts';
import type { Store } from '../../../../src/store/store.ts';
import { analysisOf, claim, processToPassages, resource, saveAndProcess, saving } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { hasMaintenanceLeft, readAction } from '../../../support/store/store-reads.ts';

export function actionContract(underTest: () => StoreUnderTest): void {
  const titles = async (query: object = {}) => {
    const { items, total } = await underTest().store.listActions({ offset: 0, ...query });
    return { titles: items.map(({ title }) => title), total };
  };

  describe('actions', () => {
    it('are listed newest first, and in text order within one text', async () => {
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
        contentTitle: null,
        goalId: null,
        goalReason: null,
        title: 'Do one.',
        reason: null,
        quote: 'Do one.',
        locator: { kind: 'text', start: 0, end: 7 },
        url: '#0',
        state: 'open',
        completed: false,
        completedAt: null,
        due: null,
        priority: 'normal',
        snoozedUntil: null,
        createdAt: '2026-01-01T00:00:00.000Z',
      });
      clock.advance(1000);
      const done = { ...one!, state: 'done' as const, completed: true, completedAt: '2026-01-01T00:00:01.000Z' };
      expect(await store.updateAction(one!.id, { state: 'done' })).toEqual(done);
      clock.advance(1000);
      expect(await store.updateAction(one!.id, { state: 'done' })).toEqual(done);
      expect(await readAction(store, one!.id)).toEqual(done);
      expect(await titles({ completed: true })).toEqual({ titles: ['Do one.'], total: 1 });
      expect(await titles({ completed: false })).toEqual({ titles: ['Do two.'], total: 1 });
      expect(await store.updateAction(one!.id, { state: 'dismissed' })).toEqual({ ...one!, state: 'dismissed' });
      expect(await titles({ completed: true })).toEqual({ titles: [], total: 0 });
      expect(await titles({ completed: false })).toEqual({ titles: ['Do two.'], total: 1 });
    });

    it('are listed open ones first, then by goal, then newest first', async () => {
      const { store, clock } = underTest();
      const goal = await store.addGoal({ title: 'Sleep', category: 'Health' });
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const ids: Record<string, string> = {};
      for (const name of names) {
        clock.advance(1000);
        const contentId = await saveAndProcess(store, name, { text: `Do ${name} now.`, actions: [`Do ${name} now.`] });
        ids[name] = (await store.getContent(contentId))!.actions[0]!.id;
      }
      for (const name of ['b', 'd']) await store.updateAction(ids[name]!, { goalId: goal.id });
      for (const name of ['d', 'e']) await store.updateAction(ids[name]!, { state: 'done' });
      await store.updateAction(ids['f']!, { state: 'dismissed' });
      const named = (all: string[]) => all.map((name) => `Do ${name} now.`);
      expect(await titles()).toEqual({ titles: named(['b', 'c', 'a', 'd', 'f', 'e']), total: 6 });
      expect(await titles({ limit: 3, offset: 2 })).toEqual({ titles: named(['a', 'd', 'f']), total: 6 });
      expect(await titles({ completed: false })).toEqual({ titles: named(['b', 'c', 'a']), total: 3 });
      expect(await titles({ completed: true })).toEqual({ titles: named(['d', 'e']), total: 2 });
      expect(await titles({ goalId: goal.id })).toEqual({ titles: named(['b', 'd']), total: 2 });
      expect(await titles({ state: 'dismissed' })).toEqual({ titles: named(['f']), total: 1 });
      expect(await titles({ state: 'open', goalId: null })).toEqual({ titles: named(['c', 'a']), total: 2 });
      clock.advance(1000);
      const newer = await store.addGoal({ title: 'Walk', category: 'Health' });
      await store.updateAction(ids['c']!, { goalId: newer.id });
      await store.updateAction(ids['d']!, { state: 'open' });
      expect((await titles({ state: 'open' })).titles).toEqual(named(['d', 'c', 'b', 'a']));
      expect((await titles({ state: 'open', order: 'goal' })).titles).toEqual(named(['c', 'd', 'b', 'a']));
    });

    it('are listed by item and by the day on which they are due or were done', async () => {
      const { store, clock } = underTest();
      const goal = await store.addGoal({ title: 'Sleep', category: 'Health' });
      const [first, second] = [
        await saveAndProcess(store, 'a', { text: 'Do one. Do two.', actions: ['Do one.', 'Do two.'] }),
        await saveAndProcess(store, 'b', { text: 'Do three.', actions: ['Do three.'] }),
      ];
      clock.advance(1000);
      await store.addAction({ contentId: first, title: 'Do late.', due: '2026-04-02' });
      await store.addAction({ contentId: second, title: 'Do soon.', due: '2026-04-01', goalId: goal.id });
      expect((await titles({ state: 'open', order: 'item' })).titles).toEqual([
        'Do soon.',
        'Do three.',
        'Do late.',
        'Do one.',
        'Do two.',
      ]);
      const byDay = ['Do soon.', 'Do late.', 'Do three.', 'Do one.', 'Do two.'];
      expect((await titles({ state: 'open', order: 'day' })).titles).toEqual(byDay);
      expect((await titles({ state: 'open', order: 'day', limit: 2, offset: 1 })).titles).toEqual(byDay.slice(1, 3));
      for (const { id } of (await store.listActions({ offset: 0, order: 'day' })).items.slice(0, 3)) {
        clock.advance(1000);
        await store.updateAction(id, { state: 'done' });
      }
      expect((await titles({ state: 'done', order: 'day' })).titles).toEqual(byDay.slice(0, 3).toReversed());
    });

    it('are listed without snoozed ones, which are counted separately, and sorted by day and priority', async () => {
      const { store } = underTest();
      const contentId = await saveAndProcess(store, 'a', { text: 'Do one. Do two.', actions: ['Do one.', 'Do two.'] });
      await store.addAction({ contentId, title: 'Late', due: '2026-02-01', snoozedUntil: '2026-01-20' });
      await store.addAction({ contentId, title: 'Soon', due: '2026-01-10', priority: 'low' });
      const pressing = await store.addAction({ contentId, title: 'Pressing', due: '2026-01-10', priority: 'high' });
      expect(pressing).toMatchObject({ priority: 'high', snoozedUntil: null });
      const asked = (after: string, is: boolean) => titles({ completed: false, order: 'day', snoozed: { after, is } });
      const awake = ['Pressing', 'Soon', 'Do one.', 'Do two.'];
      expect(await asked('2026-01-19', false)).toEqual({ titles: awake, total: 4 });
      expect(await asked('2026-01-19', true)).toEqual({ titles: ['Late'], total: 1 });
      // On the day itself it is back.
      expect((await asked('2026-01-20', false)).titles).toEqual(['Pressing', 'Soon', 'Late', 'Do one.', 'Do two.']);
      expect((await titles({ order: 'priority' })).titles).toEqual(['Pressing', 'Late', 'Do one.', 'Do two.', 'Soon']);
      expect((await titles({ dueSince: '2026-01-10', dueBefore: '2026-02-01', order: 'day' })).titles).toEqual([
        'Pressing',
        'Soon',
      ]);
      expect((await titles({ notDueBefore: '2026-02-01', order: 'day' })).titles).toEqual([
        'Late',
        'Do one.',
        'Do two.',
      ]);
      const counts = async (today: string) =>
        Object.fromEntries((await store.countActions(today)).map(({ state, count }) => [state, count]));
      expect(await counts('2026-01-19')).toEqual({ open: 4, snoozed: 1 });
      expect(await counts('2026-01-20')).toEqual({ open: 5 });
    });

    it('stay snoozed until done or reopened; adding the same open one again returns it', async () => {
      const { store } = underTest();
      const contentId = await saveAndProcess(store, 'a', { text: 'Do one.', actions: ['Do one.'] });
      const [one] = (await store.listActions({ offset: 0 })).items;
      const snoozed = { ...one!, priority: 'high', snoozedUntil: '2026-02-01' };
      expect(
        await store.addAction({ contentId, title: 'Do one.', priority: 'high', snoozedUntil: '2026-02-01' }),
      ).toEqual(snoozed);
      expect(await store.updateAction(one!.id, { state: 'done' })).toMatchObject({
        snoozedUntil: null,
        priority: 'high',
      });
      expect(await store.updateAction(one!.id, { state: 'open' })).toEqual({ ...snoozed, snoozedUntil: null });
      await store.updateAction(one!.id, { snoozedUntil: '2026-03-01' });
      expect(await store.updateAction(one!.id, { snoozedUntil: null, priority: 'low' })).toMatchObject({
        snoozedUntil: null,
        priority: 'low',
      });
    });

    it('take the guessed priority of each analysis until a person sets one', async () => {
      const { store } = underTest();
      const text = 'Do one.';
      const id = await saveAndProcess(store, 'a', { text, actions: [text] });
      const { documentId } = (await store.readDocument(id))!;
      const guess = async (priority?: ActionPriority) => {
        const { actions, ...analysis } = analysisOf(text, [text]);
        const found = actions.map((action) => ({ ...action, priority }));
        await store.renewExtractiveAnalysis(id, documentId, { ...analysis, actions: found }, 0);
        return (await store.getContent(id))!.actions[0]!;
      };
      expect(await guess('high')).toMatchObject({ priority: 'high' });
      expect(await guess()).toMatchObject({ priority: 'high' });
      const { id: action } = await guess('low');
      expect(await store.updateAction(action, { due: '2026-02-01' })).toMatchObject({ priority: 'low' });
      expect(await guess('high')).toMatchObject({ id: action, priority: 'low', due: '2026-02-01' });
    });

    it('added by a person, before or after the text is read, are not changed by analyses', async () => {
      const { store, clock } = underTest();
      const goal = await store.addGoal({ title: 'Travel', category: 'Relationships' });
      const { id: contentId } = await store.saveContent(saving('note'));
      const added = await store.addAction({
        contentId,
        title: 'Renew the passport',
        goalId: goal.id,
        due: '2026-03-31',
      });
      expect(added).toMatchObject({ contentId, goalId: goal.id, due: '2026-03-31', state: 'open', quote: null });
      clock.advance(1000);
      expect(
        await saveAndProcess(store, 'note', { text: 'Book a room. Renew the passport!', actions: ['Book a room.'] }),
      ).toBe(contentId);
      expect(await titles({ completed: false, contentId })).toEqual({
        titles: ['Renew the passport', 'Book a room.'],
        total: 2,
      });
      expect(await readAction(store, added!.id)).toEqual(added);
      // The same open one takes the day; a new title is another action.
      expect(await store.addAction({ contentId, title: 'Renew the passport', due: '2026-04-30' })).toEqual({
        ...added,
        due: '2026-04-30',
      });
      const another = await store.addAction({ contentId, title: 'Buy a suitcase' });
      expect(another).toMatchObject({ goalId: null, due: null });
      expect(await store.updateAction(another!.id, { due: '2026-05-01' })).toEqual({ ...another, due: '2026-05-01' });
      expect(await store.updateAction(another!.id, { due: null })).toEqual(another);
      expect(await store.addAction({ contentId: 'c_aaaaaaaaaaaaaaaa', title: 'Pack' })).toBeNull();
      await expect(store.addAction({ contentId, title: 'Pack', goalId: 'g_aaaaaaaaaaaaaaaa' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await store.deleteContent(contentId);
      expect(await store.addAction({ contentId, title: 'Pack' })).toBeNull();
    });

    it('are counted per goal, open ones and those done since a date', async () => {
      const { store, clock } = underTest();
      expect(await store.countActionsByGoal(0)).toEqual([]);
      const [sleep, walk] = [
        await store.addGoal({ title: 'Sleep', category: 'Health' }),
        await store.addGoal({ title: 'Walk', category: 'Health' }),
      ];
      const actions = ['Do one.', 'Do two.', 'Do three.', 'Do four.', 'Do five.'];
      await saveAndProcess(store, 'a', { text: actions.join(' '), actions });
      const gone = await saveAndProcess(store, 'b', { text: 'Do six things.', actions: ['Do six things.'] });
      const { items } = await store.listActions({ offset: 0 });
      const idOf = (title: string) => items.find((one) => one.title === title)!.id;
      for (const title of ['Do one.', 'Do two.', 'Do three.', 'Do six things.'])
        await store.updateAction(idOf(title), { goalId: sleep.id });
      await store.updateAction(idOf('Do four.'), { goalId: walk.id, state: 'dismissed' });
      await store.updateAction(idOf('Do one.'), { state: 'done' });
      clock.advance(1000);
      await store.updateAction(idOf('Do two.'), { state: 'done' });
      await store.deleteContent(gone);
      const counts = async (since: number) =>
        (await store.countActionsByGoal(since)).sort((a, b) => b.open + b.done - a.open - a.done);
      const ofWalk = { goalId: walk.id, open: 0, done: 0 };
      expect(await counts(clock.now())).toEqual([{ goalId: sleep.id, open: 1, done: 1 }, ofWalk]);
      expect(await counts(clock.now() - 1000)).toEqual([{ goalId: sleep.id, open: 1, done: 2 }, ofWalk]);
      const all = (await store.countActions('2026-01-01')).map(
        ({ goalId, state, count }) => `${goalId} ${state} ${count}`,
      );
      const expected = [`${sleep.id} open 1`, `${sleep.id} done 2`, `${walk.id} dismissed 1`, 'null open 1'];
      expect(new Set(all)).toEqual(new Set(expected));
    });

    it("keep a person's changes, which can be undone", async () => {
      const { store, clock } = underTest();
      const goal = await store.addGoal({ title: 'Sleep', category: 'Health' });
      await saveAndProcess(store, 'a', { text: 'Do one.', actions: ['Do one.'] });
      const [one] = (await store.listActions({ offset: 0 })).items;
      const changed = { ...one!, title: 'One thing', goalId: goal.id };
      expect(await store.updateAction(one!.id, { title: 'One thing', goalId: goal.id })).toEqual(changed);
      const done = { ...changed, state: 'done', completed: true, completedAt: '2026-01-01T00:00:00.000Z' };
      expect(await store.updateAction(one!.id, { state: 'done' })).toEqual(done);
      clock.advance(1000);
      expect(await store.updateAction(one!.id, { state: 'done', title: 'One thing' })).toEqual(done);
      expect(await store.updateAction(one!.id, { title: 'Do one.' })).toEqual({ ...done, title: 'Do one.' });
      expect(await store.updateAction(one!.id, { state: 'open', goalId: null })).toEqual(one);
      await expect(store.updateAction(one!.id, { goalId: 'g_aaaaaaaaaaaaaaaa' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect(await readAction(store, one!.id)).toEqual(one);
      expect(await store.updateAction('a_aaaaaaaaaaaaaaaa', { state: 'done' })).toBeNull();
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

    it('are linked again after goals have changed: open, untouched ones without a goal or with that goal', async () => {
      const { store } = underTest();
      const sleep = await store.addGoal({ title: 'Sleep', category: 'Health' });
      expect(await hasMaintenanceLeft(store)).toBe(false);
      const text = 'Do one. Do two. Do three. Do four.';
      await saveAndProcess(store, 'a', {
        text,
        actions: text.match(/Do \w+\./g)!,
        document: { title: 'Title' },
        headingPath: ['H'],
      });
      const ids = (await store.listActions({ offset: 0 })).items.map(({ id }) => id);
      await store.updateAction(ids[0]!, { title: 'Mine' });
      const links = (goalId: string | null) =>
        ids.map((actionId) => ({ of: { actionId }, goalId, reason: goalId && 'why' }));
      const goalIds = async () => Promise.all(ids.map(async (id) => (await readAction(store, id))?.goalId));
      const save = await store.addGoal({ title: 'Save', category: 'Wealth' });
      expect(await hasMaintenanceLeft(store)).toBe(true);
      const due = await store.listLinksDue(10);
      expect(due.goals).toEqual([save, sleep]);
      expect(due.due.map(({ of }) => of)).toEqual(ids.slice(1).map((actionId) => ({ actionId })));
      expect(due.due[0]).toEqual({
        of: { actionId: ids[1] },
        text: 'Do two.',
        documentTitle: 'Title',
        language: 'en',
        headingPath: ['H'],
      });
      expect((await store.listLinksDue(1)).due).toHaveLength(1);
      expect(await store.keepGoalLinks(due.goalsVersion - 1, links(save.id))).toBe(false);
      expect(await goalIds()).toEqual([null, null, null, null]);
      await store.updateAction(ids[3]!, { state: 'done' });
      expect(await store.keepGoalLinks(due.goalsVersion, links(save.id))).toBe(true);
      expect(await goalIds()).toEqual([null, save.id, save.id, null]);
      expect(await readAction(store, ids[1]!)).toMatchObject({ goalReason: 'why', reason: null });
      expect(await hasMaintenanceLeft(store)).toBe(false);

      await store.updateGoal(sleep.id, { title: 'Rest' });
      expect((await store.listLinksDue(10)).due).toEqual([]);
      await store.updateGoal(save.id, { title: 'Save' });
      expect(await hasMaintenanceLeft(store)).toBe(false);
      await store.updateGoal(save.id, { title: 'Invest' });
      const again = await store.listLinksDue(10);
      expect(again.due.map(({ of }) => of)).toEqual([{ actionId: ids[1] }, { actionId: ids[2] }]);
      await store.updateGoal(save.id, { archived: true });
      const { goalsVersion, goals } = await store.listLinksDue(10);
      expect(goals.map(({ title }) => title)).toEqual(['Rest']);
      expect(await store.keepGoalLinks(goalsVersion, links(sleep.id))).toBe(true);
      expect(await goalIds()).toEqual([null, save.id, save.id, null]);
    });

    it('keep the goal that a person set or removed, whatever goals change and analyses find', async () => {
      const { store } = underTest();
      const sleep = await store.addGoal({ title: 'Sleep', category: 'Health' });
      const save = await store.addGoal({ title: 'Save', category: 'Wealth' });
      const text = 'Do one. Do two. Do three.';
      const quotes = text.match(/Do \w+\./g)!;
      const id = await saveAndProcess(store, 'a', { text, actions: quotes });
      const version = await store.goalsVersion();
      const { documentId } = (await store.readDocument(id))!;
      const serving = (goalId: string | null) => {
        const analysis = analysisOf(text, quotes);
        for (const action of analysis.actions) Object.assign(action, { goalId, goalReason: goalId && 'why' });
        return analysis;
      };
      expect(await store.renewExtractiveAnalysis(id, documentId, serving(sleep.id), version)).toBe(true);
      const [linked, unlinked, other] = (await store.getContent(id))!.actions;
      await store.updateAction(linked!.id, { goalId: save.id });
      await store.updateAction(unlinked!.id, { goalId: null });
      const expectTheirs = async (goalOfOther: string | null) =>
        expect(
          (await store.getContent(id))!.actions.map((action) => [action.id, action.goalId, action.goalReason]),
        ).toEqual([
          [linked!.id, save.id, null],
          [unlinked!.id, null, null],
          [other!.id, goalOfOther, goalOfOther && 'why'],
        ]);
      await store.renewExtractiveAnalysis(id, documentId, serving(null), version);
      await expectTheirs(null);
      await store.updateGoal(save.id, { title: 'Save more', category: 'Health' });
      const { due, goalsVersion } = await store.listLinksDue(9);
      expect(due.map(({ of }) => of)).toEqual([{ actionId: other!.id }]);
      const all = [linked, unlinked, other].map((action) => ({
        of: { actionId: action!.id },
        goalId: sleep.id,
        reason: 'why',
      }));
      await store.keepGoalLinks(goalsVersion, all);
      await expectTheirs(sleep.id);
      const taken = (await store.claimAnalysis(60_000))!;
      expect(await store.keepLlmAnalysis(taken, documentId, serving(sleep.id))).toBe('kept');
      await expectTheirs(sleep.id);
    });

    it('keep the link to an archived goal when the text is reprocessed, and are due for linking when goals changed meanwhile', async () => {
      const { store } = underTest();
      const goal = await store.addGoal({ title: 'Sleep', category: 'Health' });
      const version = await store.goalsVersion();
      const url = 'file:///note.md';
      const text = 'Do one. Do two.';
      const analyse = async (bytes: string, goalId: string | null) => {
        await store.saveContent(saving(url, { original: resource(url, bytes) }));
        const analysing = await store.finishEmbedding(await processToPassages(store, await claim(store), { text }));
        const { documentId } = (await store.readDocument(analysing.contentId))!;
        const analysis = analysisOf(text, ['Do one.', 'Do two.']);
        Object.assign(analysis.actions[0]!, { goalId, goalReason: goalId && 'why' });
        await store.keepAnalysis(analysing, documentId, analysis, version);
      };
      await analyse('first', goal.id);
      expect(await hasMaintenanceLeft(store)).toBe(false);
      await store.updateGoal(goal.id, { archived: true });
      expect(await hasMaintenanceLeft(store)).toBe(false);
      await store.addGoal({ title: 'Save', category: 'Wealth' });
      await analyse('second', null);
      const { items } = await store.listActions({ offset: 0 });
      expect(items.map(({ goalId, goalReason }) => [goalId, goalReason])).toEqual([
        [goal.id, 'why'],
        [null, null],
      ]);
      expect((await store.listLinksDue(9)).due).toHaveLength(2);
    });
  });

  describe('tasks in notes', () => {
    const task = (title: string, due: string | null = null) => ({
      title,
      quote: title,
      due,
      priority: 'normal' as ActionPriority,
    });
    const shown = async (store: Store, id: string) =>
      (await store.getContent(id))!.actions.map(({ title, quote, due, state }) => [title, quote, due, state]);
    /** Keeps these tasks for the item that is due. */
    const keep = async (store: Store, ...tasks: ReturnType<typeof task>[]) => {
      const [read] = await store.listNotesDue(9);
      return store.keepNoteTasks(read!, tasks);
    };

    it('are due whenever a note of an item or highlight is written, changed or deleted', async () => {
      const { store } = underTest();
      const plain = await saveAndProcess(store, 'a', { text: 'Foxes sleep.' });
      expect(await store.listNotesDue(9)).toEqual([]);
      await store.updateContent(plain, { tags: ['x'] });
      expect(await store.listNotesDue(9)).toEqual([]);
      const { id } = await store.saveContent(saving('b', { notes: 'TODO: call' }));
      const { updatedAt } = (await store.readToExport(id))!;
      expect(await store.listNotesDue(9)).toEqual([
        { contentId: id, updatedAt, language: null, notes: ['TODO: call'] },
      ]);
      expect(await store.hasMaintenance()).toBe(true);
      await keep(store, task('Call'));
      expect(await shown(store, id)).toEqual([['Call', 'Call', null, 'open']]);

      const notesDue = async () => (await store.listNotesDue(9)).map(({ notes }) => notes);
      await store.updateContent(plain, { notes: 'mine' });
      const highlight = (await store.addHighlight({ contentId: plain, quote: 'Foxes', note: 'first' }))!;
      expect(await notesDue()).toEqual([['mine', 'first']]);
      await keep(store);
      await store.updateHighlight(highlight.id, { note: 'second' });
      expect(await notesDue()).toEqual([['mine', 'second']]);
      await keep(store);
      await store.updateHighlight(highlight.id, { colour: 'blue' });
      expect(await notesDue()).toEqual([]);
      await store.deleteHighlight(highlight.id);
      expect(await notesDue()).toEqual([['mine']]);
      await store.deleteContent(plain);
      expect(await notesDue()).toEqual([]);
      await store.restoreContent(plain);
      expect(await notesDue()).toEqual([['mine']]);
      expect((await store.listNotesDue(9))[0]?.language).toBe('en');
      await keep(store);
      await store.updateContent(plain, { notes: null });
      expect(await notesDue()).toEqual([[]]);
    });

    it('become actions, whose state survives changed notes and new analyses', async () => {
      const { store, clock } = underTest();
      const text = 'Walk every day. Call Ada.';
      const id = await saveAndProcess(store, 'a', { text, actions: ['Walk every day.', 'Call Ada.'] });
      await store.updateContent(id, { notes: 'some' });
      const [read] = await store.listNotesDue(9);
      // The item has changed since it was read.
      clock.advance(1);
      await store.updateContent(id, { tags: ['x'] });
      expect(await store.keepNoteTasks(read!, [task('Late')])).toBe(false);
      const friday = task('Ask Tom on Friday', '2026-01-09');
      // One that the text asks for already is not added again.
      expect(await keep(store, task('Buy milk'), friday, task('Sell'), task('Rent'), task('Call Ada'))).toBe(true);
      expect(await store.listNotesDue(9)).toEqual([]);
      const byTitle = async (title: string) =>
        (await store.listActions({ offset: 0, contentId: id })).items.find((action) => action.title === title)!;
      await store.updateAction((await byTitle('Buy milk')).id, { state: 'done' });
      await store.updateAction((await byTitle('Sell')).id, { state: 'dismissed' });
      await store.updateAction((await byTitle('Rent')).id, { title: 'Pay the rent' });
      await store.updateContent(id, { notes: 'others' });
      await keep(store, { ...friday, due: '2026-01-16' }, task('Rent'), task('New'));
      const kept = [
        ['Buy milk', 'Buy milk', null, 'done'],
        [friday.title, friday.quote, friday.due, 'open'],
        ['Sell', 'Sell', null, 'dismissed'],
        ['Pay the rent', 'Rent', null, 'open'],
      ];
      const ofText = ['Walk every day.', 'Call Ada.'].map((title) => [title, title, null, 'open']);
      const all = [...ofText, ...kept, ['New', 'New', null, 'open']];
      const sorted = (rows: readonly unknown[][]) => rows.map((row) => JSON.stringify(row)).toSorted();
      expect(sorted(await shown(store, id))).toEqual(sorted(all));

      const { documentId } = (await store.readDocument(id))!;
      const again = analysisOf(text, ['Call Ada.']);
      expect(await store.renewExtractiveAnalysis(id, documentId, again, 0)).toBe(true);
      expect(sorted(await shown(store, id))).toEqual(sorted(all.slice(1)));
      await store.updateContent(id, { notes: null });
      await keep(store);
      expect(sorted(await shown(store, id))).toEqual(
        sorted([ofText[1]!, ...kept.filter(([title]) => title !== friday.title)]),
      );
    });

    it('are linked to goals, also before their item has a text, and are exported', async () => {
      const { store, stores } = underTest();
      const goal = await store.addGoal({ title: 'Sleep', category: 'Health' });
      const { id } = await store.saveContent(saving('a', { notes: 'Buy a dark curtain' }));
      await keep(store, task('Buy a dark curtain'));
      const { due, goalsVersion } = await store.listLinksDue(9);
      expect(due).toEqual([
        {
          of: expect.objectContaining({ actionId: expect.any(String) as string }) as never,
          text: 'Buy a dark curtain',
          documentTitle: null,
          language: null,
          headingPath: [],
        },
      ]);
      await store.keepGoalLinks(goalsVersion, [{ of: due[0]!.of, goalId: goal.id, reason: 'why' }]);
      const { items } = await store.listActions({ offset: 0 });
      expect(items).toMatchObject([{ goalId: goal.id, goalReason: 'why', quote: 'Buy a dark curtain', locator: null }]);

      const other = await stores.open((await stores.control.createAccount({ name: 'other', plan: 'pro' })).id);
      await other.restoreGoals(await store.listGoalsToExport());
      await other.restoreItem((await store.readToExport(id))!, []);
      await keep(other, task('Buy a dark curtain'));
      expect((await other.listActions({ offset: 0 })).items).toEqual(items);
    });
  });

  describe('insights', () => {
    const text = 'Dark rooms help. Funds cost little.';
    const insight = (words: string, more: { goalId?: string; goalReason?: string } = {}) => {
      const start = text.indexOf(words);
      const place = { start, end: start + words.length };
      return { text: words, quote: words, ...place, locator: { kind: 'text' as const, ...place }, url: null, ...more };
    };
    const insights = (...more: Parameters<typeof insight>[1][]) => [
      insight('Dark rooms help.', more[0]),
      insight('Funds cost little.', more[1]),
    ];
    const goalsOf = async (store: Store, id: string) =>
      (await store.getContent(id))!.keyInsights.map(({ goalId, goalReason }) => [goalId, goalReason]);
    const addItem = async (store: Store, found: PlacedAnalysis['insights'], version?: number) => {
      const { id } = await store.saveContent(saving('a'));
      const analysing = await store.finishEmbedding(
        await processToPassages(store, await claim(store), { text, document: { title: 'Title' }, headingPath: ['H'] }),
      );
      const { documentId } = (await store.readDocument(id))!;
      await store.keepAnalysis(analysing, documentId, analysisOf(text, [], { insights: found }), version);
      return { id, documentId };
    };

    it('keep the goal that their analyst found, unless it is missing', async () => {
      const { store } = underTest();
      const sleep = await store.addGoal({ title: 'Sleep', category: 'Health' });
      const found = insights(
        { goalId: sleep.id, goalReason: 'why' },
        { goalId: 'g_aaaaaaaaaaaaaaaa', goalReason: 'x' },
      );
      const { id } = await addItem(store, found, await store.goalsVersion());
      expect(await goalsOf(store, id)).toEqual([
        [sleep.id, 'why'],
        [undefined, undefined],
      ]);
      expect(await hasMaintenanceLeft(store)).toBe(false);
      expect((await store.readToExport(id))!.insights.map(({ goalId, goalReason }) => [goalId, goalReason])).toEqual([
        [sleep.id, 'why'],
        [null, 'x'],
      ]);
    });

    it('are exported with their goal, and are due for linking where it is missing', async () => {
      const { store, stores } = underTest();
      const sleep = await store.addGoal({ title: 'Sleep', category: 'Health' });
      const found = insights({ goalId: sleep.id, goalReason: 'why' });
      const { id } = await addItem(store, found, await store.goalsVersion());
      const exported = (await store.readToExport(id))!;
      const other = await stores.open((await stores.control.createAccount({ name: 'other', plan: 'pro' })).id);
      await other.restoreGoals(await store.listGoalsToExport());
      const item = { ...exported, originals: [] };
      expect(await other.restoreItem(item, [])).toMatchObject({ outcome: 'taken' });
      expect((await other.readToExport(id))!.insights).toEqual(exported.insights);
      expect((await other.listLinksDue(9)).due.map((one) => one.text)).toEqual(['Funds cost little.']);
      for (const goalId of [undefined, null, 'g_aaaaaaaaaaaaaaaa']) {
        const ofNone = exported.insights.map((one) => ({ ...one, goalId }));
        await other.restoreItems([{ item: { ...item, insights: ofNone }, originals: [] }]);
        expect((await other.listLinksDue(9)).due).toHaveLength(2);
      }
    });

    it('are due for linking while some goals were not compared, and whenever a goal changes', async () => {
      const { store, clock } = underTest();
      const { id, documentId } = await addItem(store, insights());
      expect(await hasMaintenanceLeft(store)).toBe(false);
      const sleep = await store.addGoal({ title: 'Sleep', category: 'Health' });
      expect(await hasMaintenanceLeft(store)).toBe(true);
      const { due, goalsVersion } = await store.listLinksDue(9);
      expect(due.map((one) => one.text)).toEqual(['Dark rooms help.', 'Funds cost little.']);
      expect(due[0]).toMatchObject({ documentTitle: 'Title', language: 'en', headingPath: ['H'] });
      expect((await store.listLinksDue(1)).due).toHaveLength(1);
      const links = due.map(({ of }, at) => ({
        of,
        goalId: at === 0 ? sleep.id : null,
        reason: at === 0 ? 'why' : null,
      }));
      expect(await store.keepGoalLinks(goalsVersion - 1, links)).toBe(false);
      const before = (await store.readToExport(id))!.updatedAt;
      clock.advance(1);
      expect(await store.keepGoalLinks(goalsVersion, links)).toBe(true);
      expect((await store.readToExport(id))!.updatedAt).toBeGreaterThan(before);
      expect(await goalsOf(store, id)).toEqual([
        [sleep.id, 'why'],
        [undefined, undefined],
      ]);
      expect(await hasMaintenanceLeft(store)).toBe(false);

      // An archived goal keeps what serves it, and gets nothing new; nothing else is linked again.
      await store.updateGoal(sleep.id, { archived: true });
      expect(await store.goalsVersion()).toBe(goalsVersion);
      expect(await hasMaintenanceLeft(store)).toBe(false);
      const toArchived = links.map((link) => ({ ...link, goalId: sleep.id }));
      expect(await store.keepGoalLinks(goalsVersion, toArchived)).toBe(false);
      expect((await goalsOf(store, id))[1]).toEqual([undefined, undefined]);
      await store.addGoal({ title: 'Save', category: 'Wealth' });
      const again = await store.listLinksDue(9);
      expect(again.due).toHaveLength(2);
      await store.keepGoalLinks(
        again.goalsVersion,
        again.due.map(({ of }) => ({ of, goalId: null, reason: null })),
      );
      expect((await goalsOf(store, id))[0]).toEqual([sleep.id, 'why']);

      // A link that was found for insights that are replaced meanwhile is not kept for their successors.
      await store.updateGoal(sleep.id, { archived: false });
      const late = await store.listLinksDue(9);
      const claimed = (await store.claimAnalysis(60_000))!;
      const written = analysisOf(text, [], {
        insights: [insight('Funds cost little.')],
        info: { by: 'claude', model: 'm', at: '2026-01-01T00:00:00.000Z', droppedQuotes: 0 },
      });
      expect(await store.keepLlmAnalysis(claimed, documentId, written)).toBe('kept');
      await store.keepGoalLinks(
        late.goalsVersion,
        late.due.map(({ of }) => ({ of, goalId: sleep.id, reason: 'why' })),
      );
      expect(await goalsOf(store, id)).toEqual([[undefined, undefined]]);
      expect((await store.listLinksDue(9)).due.map((one) => one.text)).toEqual(['Funds cost little.']);
    });
  });
}
