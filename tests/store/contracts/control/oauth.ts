import { describe, expect, it } from 'vitest';
import { maxGrants, maxUnanswered } from '../../../../src/domain/access/oauth.ts';
import type { ControlUnderTest } from './under-test.ts';

const key = (number: number) => new Uint8Array(32).fill(number % 256, 0, 31).fill(number >> 8, 31);

export function oauthContract(underTest: () => ControlUnderTest): void {
  describe('records of the authorization server', () => {
    const record = (more: { payload?: string; uid?: string; grantId?: string; expiresAt?: number } = {}) => ({
      payload: '{"a":1}',
      uid: null,
      grantId: null,
      expiresAt: underTest().clock.now() + 10_000,
      ...more,
    });
    const grant = (id: string, more: { accountId?: string; clientKey?: Uint8Array } = {}) => ({
      id,
      accountId: 'local',
      name: 'An assistant',
      host: 'assistant.example',
      scopes: ['content:read' as const, 'content:write' as const],
      clientKey: key(1),
      expiresAt: underTest().clock.now() + 100_000,
      ...more,
    });

    it('are found by key and uid, replaced, used once, and removed', async () => {
      const { clock, stores } = underTest();
      const { oauth } = stores.control;
      await oauth.put('Interaction', key(1), record({ uid: 'u' }));
      expect(await oauth.find('Interaction', key(1))).toEqual({ payload: '{"a":1}', consumedAt: null });
      expect(await oauth.findByUid('Interaction', 'u')).toEqual({ payload: '{"a":1}', consumedAt: null });
      expect(await oauth.find('Session', key(1))).toBeNull();
      await oauth.put('Interaction', key(1), record({ payload: '{"b":2}' }));
      expect(await oauth.findByUid('Interaction', 'u')).toBeNull();
      const used = await Promise.all([1, 2, 3].map(() => oauth.consume('Interaction', key(1))));
      expect(used.filter(Boolean)).toHaveLength(1);
      expect(await oauth.find('Interaction', key(1))).toEqual({ payload: '{"b":2}', consumedAt: clock.now() });
      await oauth.remove('Interaction', key(1));
      expect(await oauth.find('Interaction', key(1))).toBeNull();
      await oauth.put('Client', key(2), record());
      clock.advance(10_000);
      expect(await oauth.find('Client', key(2))).toBeNull();
    });

    it('are limited in number until somebody gives consent', async () => {
      const { clock, stores } = underTest();
      const { oauth } = stores.control;
      const max = maxUnanswered.Client!;
      await oauth.addGrant(grant('granted', { clientKey: key(0) }));
      for (let number = 0; number <= max + 1; number += 1) {
        clock.advance(1);
        await oauth.put('Client', key(number), record());
      }
      expect(await oauth.find('Client', key(0))).not.toBeNull();
      expect(await oauth.find('Client', key(1))).toBeNull();
      expect(await oauth.find('Client', key(2))).not.toBeNull();
    });

    it("give the permissions of an access token's holder", async () => {
      const { clock, stores } = underTest();
      const { oauth } = stores.control;
      await oauth.put('Client', key(1), record());
      await oauth.addGrant(grant('g'));
      const payload = JSON.stringify({ scope: 'content:read profile' });
      await oauth.put('AccessToken', key(3), record({ grantId: 'g', payload }));
      const expected = {
        id: 'g',
        accountId: 'local',
        name: 'An assistant',
        host: 'assistant.example',
        scopes: ['content:read', 'content:write'],
        createdAt: clock.now(),
        lastUsedAt: null,
      };
      expect(await oauth.findAccess(key(3))).toEqual({ grant: expected, scopes: ['content:read'], plan: 'pro' });
      expect(await oauth.findAccess(key(1))).toBeNull();
      expect(await oauth.listGrants('local')).toEqual([expected]);
      clock.advance(5_000);
      await oauth.touchGrant('g');
      expect(await oauth.listGrants('local')).toEqual([{ ...expected, lastUsedAt: clock.now() }]);
      clock.advance(5_000);
      expect(await oauth.findAccess(key(3))).toBeNull();
      expect(await oauth.listGrants('local')).toEqual([]);
      // The registration lives as long as the grant.
      expect(await oauth.find('Client', key(1))).not.toBeNull();
    });

    it('disconnect the longest-unused assistant when there are too many', async () => {
      const { clock, stores } = underTest();
      const { oauth } = stores.control;
      const other = await stores.control.createAccount({ name: 'Other', plan: 'free' });
      await oauth.addGrant(grant('other', { accountId: other.id }));
      const connect = async (number: number) => {
        clock.advance(1);
        await oauth.addGrant(grant(`g${number}`));
        await oauth.put('AccessToken', key(number), record({ grantId: `g${number}` }));
      };
      for (let number = 0; number < maxGrants; number += 1) await connect(number);
      clock.advance(1);
      await oauth.touchGrant('g0');
      expect(await oauth.listGrants('local')).toHaveLength(maxGrants);
      await connect(maxGrants);
      const left = (await oauth.listGrants('local')).map(({ id }) => id);
      expect(left).toHaveLength(maxGrants);
      expect(left).not.toContain('g1');
      expect(left).toContain('g0');
      expect(await oauth.findAccess(key(1))).toBeNull();
      expect(await oauth.find('AccessToken', key(1))).toBeNull();
      expect(await oauth.endGrant(other.id, 'other')).toBe(true);
    });

    it('end with their grant, which only its own account can end', async () => {
      const { stores } = underTest();
      const { oauth } = stores.control;
      const other = await stores.control.createAccount({ name: 'Other', plan: 'free' });
      for (const id of ['g1', 'g2']) {
        await oauth.addGrant(grant(id));
        for (const kind of ['AccessToken', 'RefreshToken'] as const)
          await oauth.put(kind, key(id === 'g1' ? 11 : 12), record({ grantId: id }));
      }
      expect(await oauth.endGrant(other.id, 'g1')).toBe(false);
      expect(await oauth.endGrant('local', 'g1')).toBe(true);
      expect(await oauth.endGrant('local', 'g1')).toBe(false);
      expect(await oauth.find('AccessToken', key(11))).toBeNull();
      await oauth.removeByGrant('AccessToken', 'g2');
      expect(await oauth.find('AccessToken', key(12))).toBeNull();
      expect(await oauth.find('RefreshToken', key(12))).not.toBeNull();
      await oauth.removeGrant('g2');
      expect(await oauth.find('RefreshToken', key(12))).toBeNull();
      expect(await oauth.listGrants('local')).toEqual([]);
    });
  });
}
