import { describe, expect, it } from 'vitest';
import { letPeopleIn, opened } from '../../../support/access/access-records.ts';
import type { ControlUnderTest } from './under-test.ts';

export function controlTransferContract(underTest: () => ControlUnderTest): void {
  describe('copying accounts', () => {
    it('restores all credentials and removes those that were added since', async () => {
      const { clock, stores } = underTest();
      const { control } = stores;
      const { id } = await control.createAccount({ name: 'Ann', plan: 'free' });
      const until = clock.now() + 100_000;
      await letPeopleIn(control, id, 1, until);
      await letPeopleIn(control, 'local', 11, until);
      const before = [await opened(control, id, 1), await opened(control, 'local', 11)];
      const [moved, common] = [await control.transfer.readAccount(id), await control.transfer.readCommon()];
      expect(JSON.stringify(moved)).toContain('01'.repeat(32));
      await control.setPlan(id, 'pro');
      await letPeopleIn(control, id, 21, until);
      await control.transfer.restoreAccount(moved!);
      await control.transfer.restoreCommon(common);
      expect([await opened(control, id, 1), await opened(control, 'local', 11)]).toEqual(before);
      expect(await control.tokens.findCredential(new Uint8Array(32).fill(21))).toBeNull();
      expect(await control.transfer.readAccount(id)).toEqual(moved);
      expect(await control.transfer.readCommon()).toEqual(common);
      expect(await control.getAccount(id)).toMatchObject({ name: 'Ann', plan: 'free' });
    });

    it('never reuses the id of a removed account', async () => {
      const { stores } = underTest();
      const { id } = await stores.control.createAccount({ name: 'Ann', plan: 'free' });
      const moved = (await stores.control.transfer.readAccount(id))!;
      await stores.removeAccount(id);
      expect(await stores.control.transfer.readAccount(id)).toBeNull();
      await expect(stores.control.transfer.restoreAccount(moved)).rejects.toMatchObject({ code: 'not_found' });
      expect(await stores.control.getAccount(id)).toBeNull();
    });
  });
}
