import { describe, expect, it } from 'vitest';
import type { ControlUnderTest } from './under-test.ts';

export function workContract(underTest: () => ControlUnderTest): void {
  describe('the record of accounts with work', () => {
    it('is never lost when more work is announced meanwhile', async () => {
      const { control } = underTest().stores;
      expect(await control.accountsWithWork()).toEqual([]);
      const first = await control.announceWork('local');
      expect(await control.accountsWithWork()).toEqual([{ accountId: 'local', generation: first }]);
      const second = await control.announceWork('local');
      expect(second).toBeGreaterThan(first);
      await control.clearWork('local', first);
      expect(await control.accountsWithWork()).toEqual([{ accountId: 'local', generation: second }]);
      await control.clearWork('local', second);
      expect(await control.accountsWithWork()).toEqual([]);
      expect(await control.announceWork('local')).toBeGreaterThan(second);
      expect(await control.announceWork('local', second + 100)).toBe(second + 101);
    });

    it('gets a new number with each announcement, also with concurrent ones', async () => {
      const { control } = underTest().stores;
      const numbers = await Promise.all(Array.from({ length: 20 }, () => control.announceWork('local')));
      expect(new Set(numbers).size).toBe(20);
      expect(await control.accountsWithWork()).toEqual([{ accountId: 'local', generation: Math.max(...numbers) }]);
    });
  });

  describe('figures of all accounts', () => {
    it('include the failed items as last recorded', async () => {
      const { control } = underTest().stores;
      const other = await control.createAccount({ name: 'Other', plan: 'free' });
      await control.noteFailedItems('local', { timeout: 2, blocked: 1 });
      await control.noteFailedItems(other.id, { timeout: 5 });
      await control.noteFailedItems('local', { timeout: 3 });
      expect(await control.listFailedItems()).toEqual(
        expect.arrayContaining([
          { accountId: 'local', code: 'timeout', items: 3 },
          { accountId: other.id, code: 'timeout', items: 5 },
        ]),
      );
      await control.noteFailedItems(other.id, {});
      expect(await control.listFailedItems()).toHaveLength(1);
    });

    it('sum model costs by day', async () => {
      const { clock, stores } = underTest();
      const { control } = stores;
      const usage = { inputTokens: 3, outputTokens: 2, costMicros: 7_000_000_000 };
      expect(await control.usageToday()).toEqual({ inputTokens: 0, outputTokens: 0, costMicros: 0 });
      await Promise.all(Array.from({ length: 10 }, () => control.addUsage(usage)));
      expect(await control.usageToday()).toEqual({ inputTokens: 30, outputTokens: 20, costMicros: 70_000_000_000 });
      clock.advance(24 * 60 * 60_000);
      expect(await control.usageToday()).toEqual({ inputTokens: 0, outputTokens: 0, costMicros: 0 });
    });
  });
}
