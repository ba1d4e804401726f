import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restorableForMs } from '../../src/domain/records/limits.ts';
import { linkToGoals } from '../../src/pipeline/maintenance.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../support/content.ts';
import { keepSomething } from '../support/vitest/stages.ts';
import { saveUrls } from '../support/store/stores.ts';
import { openWorkshop, withChangedStore, type Workshop } from '../support/vitest/workers.ts';
import { textWork } from '../support/texts/text-work.ts';

let testServer: Workshop;
beforeEach(async () => {
  testServer = await openWorkshop();
});
afterEach(() => testServer.close());

async function deleteSome(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const url = `https://example.com/deleted/${index}`;
    await testServer.store.deleteContent(
      await addFinishedItem(testServer.store, { url, blocks: paragraphs(`text ${index}`) }),
    );
  }
}
const countDeleted = async () => (await testServer.store.listContent({ limit: 1, offset: 0, deleted: true })).total;
const clearHints = async () => {
  const { control } = testServer.stores;
  for (const { accountId, generation } of await control.accountsWithWork())
    await control.clearWork(accountId, generation);
};

describe('maintenance', () => {
  it('purges items deleted thirty days ago, with the worker’s sweep and without any job', async () => {
    await deleteSome(9);
    await clearHints();
    testServer.clock.advance(restorableForMs - 1);
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect(await countDeleted()).toBe(9);
    testServer.clock.advance(1);
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect(await testServer.store.hasMaintenance()).toBe(false);
    expect(await testServer.store.purgeExpired(9)).toBe(0);
    expect(await testServer.stores.control.accountsWithWork()).toEqual([]);
  });

  it('delays no job when it fails, says so once, and is retried a minute later', async () => {
    await deleteSome(1);
    testServer.clock.advance(restorableForMs);
    const [id] = await saveUrls(testServer.store, ['https://example.com/new']);
    let tried = 0;
    const stores = withChangedStore(testServer.stores, (store) => ({
      purgeExpired: (most) => {
        tried += 1;
        return tried === 1 ? Promise.reject(new Error('broken')) : store.purgeExpired(most);
      },
    }));
    const worker = testServer.workerWith(keepSomething, {}, stores);
    await worker.runUntilEmpty();
    expect((await testServer.store.getContentSummary(id!))?.status).toBe('completed');
    expect(testServer.log.entries.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(tried).toBe(1);
    expect(await testServer.stores.control.accountsWithWork()).toHaveLength(1);
    testServer.clock.advance(60_000);
    await worker.runUntilEmpty();
    expect(tried).toBe(2);
    expect(await testServer.store.hasMaintenance()).toBe(false);
  });
});

describe('edited notes', () => {
  it('give the item their tasks, linked to goals, and remove tasks that no note has', async () => {
    const goal = await testServer.store.addGoal({ title: 'Better sleep, dark bedroom', category: 'Health' });
    const id = await addFinishedItem(testServer.store, {
      url: 'https://example.com/a',
      blocks: paragraphs('Foxes sleep.'),
    });
    await testServer.store.updateContent(id, { notes: '- [ ] Sleep in a dark bedroom\n- [x] Buy milk\nA good text.' });
    await testServer.store.addHighlight({ contentId: id, quote: 'Foxes', note: 'TODO: ask Tom about foxes' });
    await testServer.workerWith(keepSomething).runUntilEmpty();
    const actions = async () =>
      (await testServer.store.getContent(id))!.actions.map(({ title, goalId }) => [title, goalId]);
    const ask = ['Ask Tom about foxes', null];
    expect(await actions()).toEqual([['Sleep in a dark bedroom', goal.id], ask]);
    await testServer.store.updateContent(id, { notes: 'A good text.' });
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect(await actions()).toEqual([ask]);
    expect(await testServer.store.hasMaintenance()).toBe(false);
  });
});

describe('changed goals', () => {
  const text = 'Go to bed at ten so that your sleep is long enough. Walk to work twice a week.';
  let contentId: string;
  async function addAdvice(): Promise<void> {
    const sentences = ['Go to bed at ten so that your sleep is long enough.', 'Walk to work twice a week.'];
    const places = sentences.map((quote) => {
      const start = text.indexOf(quote);
      const end = start + quote.length;
      return { quote, start, end, locator: { kind: 'text' as const, start, end }, url: null };
    });
    contentId = await addFinishedItem(testServer.store, {
      url: 'https://example.com/advice',
      about: { title: 'How to sleep through the night' },
      blocks: paragraphs(text),
      analysis: {
        ...emptyAnalysis,
        insights: places.map((place) => ({ text: place.quote, ...place })),
        actions: places.map((place) => ({ title: place.quote, reason: null, goalId: null, ...place })),
      },
    });
  }
  const links = async () => (await testServer.store.listActions({ offset: 0 })).items.map(({ goalId }) => goalId);
  const ofInsights = async () =>
    (await testServer.store.getContent(contentId))!.keyInsights.map(({ goalId, goalReason }) => [goalId, goalReason]);

  it('get the matching open actions and insights, with the reason', async () => {
    await addAdvice();
    const goal = await testServer.store.addGoal({ title: 'Better sleep', category: 'Health' });
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect(await links()).toEqual([goal.id, null]);
    const [linked] = (await testServer.store.listActions({ offset: 0 })).items;
    const goalReason = 'Serves your goal "Better sleep": it speaks of sleep.';
    expect(linked).toMatchObject({ goalReason, reason: null });
    const none = [undefined, undefined];
    expect(await ofInsights()).toEqual([[goal.id, goalReason], none]);
    await testServer.store.updateGoal(goal.id, { title: 'Swim' });
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect(await links()).toEqual([null, null]);
    expect(await ofInsights()).toEqual([none, none]);
    expect(await testServer.store.hasMaintenance()).toBe(false);
  });

  it('are linked at the next start when the process was killed', async () => {
    await addAdvice();
    const goal = await testServer.store.addGoal({ title: 'Better sleep', category: 'Health' });
    await clearHints();
    const stopped = AbortSignal.abort();
    await expect(linkToGoals(testServer.store, textWork.matchGoals, stopped)).rejects.toMatchObject({
      name: 'AbortError',
    });
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect(await links()).toEqual([goal.id, null]);
  });
});
