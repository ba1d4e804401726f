import { expect, it } from 'vitest';
import { localAccountId as account } from '../../src/domain/records/account.ts';
import { createGoalsService } from '../../src/services/analyses/goals.ts';
import { ManualClock } from '../support/clock.ts';
import { openStores } from '../support/store/stores.ts';

it('goals are changed, archived and reopened, and only an account without any is told how to add one', async () => {
  const clock = new ManualClock();
  const { stores, close } = await openStores(clock);
  const goals = createGoalsService(stores, clock, () => undefined);
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
  await close();
});
