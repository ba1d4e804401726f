import { describe, expect, it } from 'vitest';
import { restorableForMs } from '../../../../src/domain/records/limits.ts';
import type { ControlUnderTest } from './under-test.ts';

export function accountsContract(underTest: () => ControlUnderTest): void {
  describe('accounts', () => {
    it('begin with one Pro account', async () => {
      expect(await underTest().stores.control.listAccounts()).toEqual([
        { id: 'local', name: 'Local', plan: 'pro', createdAt: '2026-01-01T00:00:00.000Z' },
      ]);
    });

    it('are listed by creation time, with their plans', async () => {
      const { control } = underTest().stores;
      const made = [];
      for (const name of ['Zoë', 'Ann', 'Bob']) made.push(await control.createAccount({ name, plan: 'free' }));
      await control.setPlan(made[1]!.id, 'pro');
      await control.setPlan('u_aaaaaaaaaaaaaaaa', 'pro');
      const [, ...listed] = await control.listAccounts();
      expect(listed).toEqual(made.map((account, at) => ({ ...account, plan: at === 1 ? 'pro' : 'free' })));
      expect(await control.getAccount(made[2]!.id)).toEqual(made[2]);
      for (const id of ['', 'nobody', 'LOCAL', "' OR ''='"]) expect(await control.getAccount(id)).toBeNull();
    });

    it('can be hidden, and restored with their tokens', async () => {
      const { clock, stores } = underTest();
      const { control } = stores;
      const account = await control.createAccount({ name: 'Ann', plan: 'free' });
      const hash = new Uint8Array(32).fill(1);
      await control.tokens.createToken({ ...aToken, accountId: account.id, hash });
      await control.announceWork(account.id);
      await stores.setAsideAccount(account.id);
      expect(await control.getAccount(account.id)).toBeNull();
      expect(await control.tokens.findCredential(hash)).toBeNull();
      expect(await control.accountsWithWork()).toEqual([]);
      expect(await stores.listSetAside()).toEqual([{ ...account, removedAt: new Date(clock.now()).toISOString() }]);
      await expect(stores.setAsideAccount(account.id)).rejects.toMatchObject({ code: 'not_found' });

      clock.advance(restorableForMs - 1);
      await stores.removeExpiredAccounts();
      expect(await stores.bringBackAccount(account.id)).toEqual(account);
      expect(await stores.bringBackAccount(account.id)).toBeNull();
      expect(await stores.listSetAside()).toEqual([]);
      expect(await control.tokens.findCredential(hash)).not.toBeNull();
    });

    it('are removed for good once they were hidden for long enough', async () => {
      const { clock, stores } = underTest();
      const account = await stores.control.createAccount({ name: 'Ann', plan: 'free' });
      await stores.setAsideAccount(account.id);
      clock.advance(restorableForMs);
      await stores.removeExpiredAccounts();
      expect(await stores.listSetAside()).toEqual([]);
      expect(await stores.bringBackAccount(account.id)).toBeNull();
    });

    it('lose all their credentials when they are removed', async () => {
      const { clock, stores } = underTest();
      const { control } = stores;
      const { id } = await control.createAccount({ name: 'Ann', plan: 'free' });
      const hash = (byte: number) => new Uint8Array(32).fill(byte);
      const expiresAt = clock.now() + 1_000;
      await control.tokens.createToken({ ...aToken, accountId: id, hash: hash(1) });
      await control.signIn.setLogin(id, { name: 'Ann', folded: 'ann', passwordHash: 'x' });
      await control.signIn.createSession({ accountId: id, hash: hash(2), browser: 'b', expiresAt });
      await control.signIn.createLink({ accountId: id, purpose: 'open', hash: hash(3), expiresAt });
      await stores.removeAccount(id);
      expect(await control.listAccounts()).toHaveLength(1);
      expect(await control.tokens.findCredential(hash(1))).toBeNull();
      expect(await control.signIn.findSession(hash(2))).toBeNull();
      expect(await control.signIn.findLink(hash(3))).toBeNull();
      expect(await control.signIn.findLogin('ann')).toBeNull();
      await expect(control.announceWork(id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(control.tokens.createToken({ ...aToken, accountId: id, hash: hash(4) })).rejects.toMatchObject({
        code: 'not_found',
      });
      // The name is free again.
      expect(await control.signIn.setLogin('local', { name: 'Ann', folded: 'ann', passwordHash: 'x' })).toBe(true);
    });

    it('keep the local account', async () => {
      const { stores } = underTest();
      await expect(stores.removeAccount('local')).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(stores.setAsideAccount('local')).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });
}

const aToken = {
  name: 'laptop',
  scopes: ['content:read' as const],
  permissions: null,
  requestsPerMinute: null,
  expiresAt: null,
  madeBy: null,
  heldTo: null,
};
