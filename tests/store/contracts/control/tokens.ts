import { describe, expect, it } from 'vitest';
import { maxEndedKeys, maxKeys } from '../../../../src/domain/access/key.ts';
import type { ControlUnderTest } from './under-test.ts';

export function tokenContract(underTest: () => ControlUnderTest): void {
  describe('tokens', () => {
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
      heldTo: null,
    };

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

    it('revokes a token once', async () => {
      const { clock, stores } = underTest();
      const { id } = await stores.control.tokens.createToken(token);
      await stores.control.tokens.createToken({ ...token, hash: hash(2) });
      expect(await stores.control.tokens.revokeToken('t_aaaaaaaaaaaaaaaa')).toBe(false);
      expect(await stores.control.tokens.revokeToken(id)).toBe(true);
      expect(await stores.control.tokens.revokeToken(id)).toBe(false);
      expect((await stores.control.tokens.findCredential(hash(1)))?.token.revokedAt).toBe(clock.now());
      expect((await stores.control.tokens.findCredential(hash(2)))?.token.revokedAt).toBeNull();
    });

    it('lists the tokens of one account or of all, newest first', async () => {
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

    it('records the last use of a token to the minute', async () => {
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

    it("replaces a token's secret and accepts the previous one as well", async () => {
      const { clock, stores } = underTest();
      const { tokens } = stores.control;
      const { id } = await tokens.createToken(token);
      const oldUntil = clock.now() + 1_000;
      const rotated = await tokens.rotateToken({ id, hash: hash(2), oldUntil, by: null });
      expect(rotated).toMatchObject({ id, oldUntil, rotatedAt: clock.now() });
      for (const byte of [1, 2])
        expect(await tokens.findCredential(hash(byte))).toMatchObject({
          token: { id },
          hash: Buffer.from(hash(2)),
          oldHash: Buffer.from(hash(1)),
        });
      await tokens.revokeToken(id);
      expect(await tokens.rotateToken({ id, hash: hash(3), oldUntil, by: null })).toBeNull();
      expect(await tokens.findCredential(hash(3))).toBeNull();
    });

    it('revokes a key together with everything it created, and lets it create nothing more', async () => {
      const { stores } = underTest();
      const { tokens } = stores.control;
      const key = { ...token, scopes: [], permissions: ['content:read' as const] };
      const first = await tokens.createToken(key);
      const second = await tokens.createToken({ ...key, hash: hash(2), madeBy: first.id });
      const third = await tokens.createToken({ ...key, hash: hash(3), madeBy: second.id });
      const other = await tokens.createToken({ ...key, hash: hash(4) });
      expect(await tokens.revokeToken(first.id)).toBe(true);
      for (const { id } of [first, second, third]) expect((await tokens.getToken(id))?.revokedAt).not.toBeNull();
      expect(await tokens.getToken(other.id)).toEqual(other);
      const late = { code: 'unauthorized' };
      await expect(tokens.createToken({ ...key, hash: hash(5), madeBy: third.id })).rejects.toMatchObject(late);
      await expect(
        tokens.rotateToken({ id: other.id, hash: hash(5), oldUntil: 0, by: second.id }),
      ).rejects.toMatchObject(late);
    });

    it('revokes what a key creates while it is being revoked', async () => {
      const { tokens } = underTest().stores.control;
      const key = { ...token, scopes: [], permissions: ['content:read' as const] };
      for (let round = 0; round < 10; round += 1) {
        const maker = await tokens.createToken({ ...key, hash: hash(round * 2) });
        const made = { ...key, hash: hash(round * 2 + 1), madeBy: maker.id };
        await Promise.allSettled([tokens.createToken(made), tokens.revokeToken(maker.id)]);
        const after = await tokens.findCredential(made.hash);
        // Either it was refused, or it was made and ended.
        expect(after?.token.revokedAt).not.toBeNull();
      }
    });

    it.each([
      ['keys', ['content:read' as const]],
      ['tokens', null],
    ])('limits the number of working %s and of listed ended ones', async (kind, permissions) => {
      const { clock, stores } = underTest();
      const { tokens } = stores.control;
      let made = 0;
      const make = () => {
        made += 1;
        const bytes = new Uint8Array(32).fill(made % 256, 0, 31).fill(made >> 8, 31);
        return tokens.createToken({ ...token, hash: bytes, scopes: [], permissions, expiresAt: clock.now() + 10 });
      };
      for (const _ of [1, 2, 3]) {
        for (let count = 0; count < maxKeys; count += 1) await make();
        await expect(make()).rejects.toMatchObject({
          code: 'invalid_input',
          message: `An account has at most 100 ${kind}. Revoke one that is not needed.`,
        });
        clock.advance(10);
      }
      await make();
      expect(await tokens.listTokens('local')).toHaveLength(maxEndedKeys + 1);
    });
  });
}
