import { describe, expect, it } from 'vitest';
import { saving } from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { claimJob } from '../../../support/store/claims.ts';

export function accountContract(underTest: () => StoreUnderTest): void {
  describe('accounts', () => {
    it('keeps accounts apart', async () => {
      const { stores, store } = underTest();
      const other = await stores.control.createAccount({ name: 'Other', plan: 'free' });
      const otherStore = await stores.open(other.id);
      const { id } = await store.saveContent(saving('https://a.example/'));
      expect(await otherStore.getContent(id)).toBeNull();
      expect((await otherStore.listContent({ limit: 10, offset: 0 })).total).toBe(0);
      expect(await claimJob(otherStore, 1000)).toBeNull();
      expect((await otherStore.saveContent(saving('https://a.example/'))).outcome).toBe('created');
    });

    it.each(['nobody', '', '../local', 'local/../local', 'u_aaaaaaaaaaaaaaaa', 'LOCAL'])(
      'refuses to open the account %j',
      async (id) => {
        await expect(underTest().stores.open(id)).rejects.toMatchObject({ code: 'not_found' });
        await expect(underTest().stores.control.announceWork(id)).rejects.toMatchObject({ code: 'not_found' });
      },
    );

    it('remembers which accounts have work and never loses work announced meanwhile', async () => {
      const { control } = underTest().stores;
      expect(await control.accountsWithWork()).toEqual([]);
      await underTest().store.saveContent(saving('https://a.example/'));
      const [first] = await control.accountsWithWork();
      expect(first).toMatchObject({ accountId: 'local' });
      await control.announceWork('local');
      await control.clearWork('local', first!.generation);
      const [second] = await control.accountsWithWork();
      expect(second!.generation).toBeGreaterThan(first!.generation);
      await control.clearWork('local', second!.generation);
      expect(await control.accountsWithWork()).toEqual([]);
      await control.announceWork('local');
      const [third] = await control.accountsWithWork();
      expect(third!.generation).toBeGreaterThan(second!.generation);
    });
  });
}
