import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAccountId as account } from '../../src/domain/records/account.ts';
import { createActionsService } from '../../src/services/analyses/actions.ts';
import { createGoalsService } from '../../src/services/analyses/goals.ts';
import { ManualClock } from '../support/clock.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../support/content.ts';
import { openStores, type TestStores } from '../support/stores.ts';

const clock = new ManualClock();
let testServer: TestStores;

beforeEach(async () => {
  testServer = await openStores(clock);
});

afterEach(() => testServer.close());

/** An item with so many action items, each of its first words. */
function addActions(count: number): Promise<string> {
  return addFinishedItem(testServer.store, {
    url: `https://example.com/${count}`,
    blocks: paragraphs(`Do ${count} things, ${'one after the other, '.repeat(20)}`),
    analysis: {
      ...emptyAnalysis,
      actions: Array.from({ length: count }, (_, index) => ({
        title: `Thing ${index}`,
        reason: 'r'.repeat(900),
        goalId: null,
        quote: 'Do',
        start: 0,
        end: 2,
        locator: { kind: 'text', start: 0, end: 2 },
        url: null,
      })),
    },
  });
}

describe('action items', () => {
  it('are dismissed, reopened, renamed and tied to a goal, and done can be undone', async () => {
    const actions = createActionsService(testServer.stores, clock);
    await addActions(1);
    const [first] = (await actions.list(account, { offset: 0 })).items;
    await actions.complete(account, first!.id);
    expect(await actions.update(account, first!.id, { state: 'open' })).toEqual(first);
    expect(await actions.update(account, first!.id, { state: 'dismissed' })).toMatchObject({ state: 'dismissed' });
    await expect(actions.update(account, first!.id, {})).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(actions.update(account, 'a_x', { state: 'open' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('goals', () => {
  it('are changed, archived and taken up again; only an account without any is told how to add one', async () => {
    const goals = createGoalsService(testServer.stores, clock, () => undefined);
    const none = await goals.list(account, { offset: 0 });
    expect(none).toEqual({ items: [], total: 0, limit: 0, offset: 0, hint: expect.stringContaining('No goals yet') });
    const goal = await goals.add(account, { title: 'Sleep', category: 'Health' });
    expect(await goals.list(account, { offset: 0 })).not.toHaveProperty('hint');
    const archived = await goals.update(account, goal.id, { archived: true });
    expect(archived.archivedAt).toBe(new Date(clock.now()).toISOString());
    expect(await goals.list(account, { offset: 0 })).toEqual({ items: [], total: 0, limit: 0, offset: 0 });
    expect((await goals.list(account, { offset: 0, includeArchived: true })).items).toEqual([archived]);
    expect(await goals.update(account, goal.id, { archived: false })).toEqual(goal);
    await expect(goals.update(account, goal.id, {})).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(goals.update(account, 'g_x', { title: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
