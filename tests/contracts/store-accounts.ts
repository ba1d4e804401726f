import { describe, expect, it } from 'vitest';
import { saving } from './store-items.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function accountContract(underTest: () => StoreUnderTest): void {
  describe('accounts and tokens', () => {
    const hash = (byte: number) => new Uint8Array(32).fill(byte);
    const token = {
      accountId: 'local',
      name: 'laptop',
      hash: hash(1),
      scopes: ['content:read' as const],
      permissions: null,
      requestsPerMinute: null,
      expiresAt: null,
      madeBy: null,
    };

    it('begins with one Pro account', async () => {
      const { control } = underTest().stores;
      expect(await control.listAccounts()).toEqual([
        { id: 'local', name: 'Local', plan: 'pro', createdAt: '2026-01-01T00:00:00.000Z' },
      ]);
    });

    it('keeps accounts apart', async () => {
      const { stores, store } = underTest();
      const other = await stores.control.createAccount({ name: 'Other', plan: 'free' });
      const otherStore = await stores.open(other.id);
      const { id } = await store.saveContent(saving('https://a.example/'));
      expect(await otherStore.getContent(id)).toBeNull();
      expect((await otherStore.listContent({ limit: 10, offset: 0 })).total).toBe(0);
      expect(await otherStore.claimJob(1000)).toBeNull();
      expect((await otherStore.saveContent(saving('https://a.example/'))).outcome).toBe('created');
    });

    it.each(['nobody', '', '../local', 'local/../local', 'u_aaaaaaaaaaaaaaaa', 'LOCAL'])(
      'refuses to open the account %j',
      async (id) => {
        await expect(underTest().stores.open(id)).rejects.toMatchObject({ code: 'not_found' });
        await expect(underTest().stores.control.announceWork(id)).rejects.toMatchObject({ code: 'not_found' });
      },
    );

    it('remembers which accounts have work, and never forgets work announced meanwhile', async () => {
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

    it('finds a token by its hash', async () => {
      const { clock, stores } = underTest();
      const created = await stores.control.tokens.createToken({ ...token, expiresAt: clock.now() + 1000 });
      expect(created).toMatchObject({
        accountId: 'local',
        scopes: ['content:read'],
        revokedAt: null,
        lastUsedAt: null,
      });
      expect(await stores.control.tokens.findCredential(hash(1))).toEqual({
        token: created,
        plan: 'pro',
        hash: Buffer.from(hash(1)),
        oldHash: null,
      });
      expect(await stores.control.tokens.findCredential(hash(2))).toBeNull();
      expect(await stores.control.tokens.listTokens('local')).toEqual([created]);
      await expect(
        stores.control.tokens.createToken({ ...token, accountId: 'u_aaaaaaaaaaaaaaaa' }),
      ).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    it('revokes one token, once', async () => {
      const { clock, stores } = underTest();
      const { id } = await stores.control.tokens.createToken(token);
      await stores.control.tokens.createToken({ ...token, hash: hash(2) });
      expect(await stores.control.tokens.revokeToken('t_aaaaaaaaaaaaaaaa')).toBe(false);
      expect(await stores.control.tokens.revokeToken(id)).toBe(true);
      expect(await stores.control.tokens.revokeToken(id)).toBe(false);
      expect((await stores.control.tokens.findCredential(hash(1)))?.token.revokedAt).toBe(clock.now());
      expect((await stores.control.tokens.findCredential(hash(2)))?.token.revokedAt).toBeNull();
    });

    it('lists the tokens of one account, or of all, newest first', async () => {
      const { clock, stores } = underTest();
      const other = await stores.control.createAccount({ name: 'Other', plan: 'pro' });
      const made = [];
      for (const [at, accountId] of ['local', other.id, 'local'].entries()) {
        made.unshift(await stores.control.tokens.createToken({ ...token, accountId, hash: hash(at + 1) }));
        clock.advance(1);
      }
      expect(await stores.control.tokens.listTokens()).toEqual(made);
      expect(await stores.control.tokens.listTokens(other.id)).toEqual([made[1]]);
    });

    it('writes down the last use of a token to the minute', async () => {
      const { clock, stores } = underTest();
      const { id } = await stores.control.tokens.createToken(token);
      const lastUse = async () => (await stores.control.tokens.findCredential(hash(1)))?.token.lastUsedAt;
      const first = clock.now();
      await stores.control.tokens.touchToken(id, null);
      clock.advance(59_999);
      await stores.control.tokens.touchToken(id, null);
      expect(await lastUse()).toBe(first);
      clock.advance(1);
      await stores.control.tokens.touchToken(id, null);
      expect(await lastUse()).toBe(first + 60_000);
    });
  });
}
