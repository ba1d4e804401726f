import { describe, expect, it } from 'vitest';
import { maxSessions, oldSecretMs } from '../../../../src/domain/access/sign-in.ts';
import type { ControlUnderTest } from './under-test.ts';

const hash = (byte: number) => new Uint8Array(32).fill(byte);
const login = (name: string) => ({ name, folded: name.toLowerCase(), passwordHash: `hash of ${name}` });

export function signInContract(underTest: () => ControlUnderTest): void {
  describe('sign-in', () => {
    it('finds a login by its folded name and by its account', async () => {
      const { control } = underTest().stores;
      const { signIn } = control;
      expect(await signIn.hasLogins()).toBe(false);
      expect(await signIn.setLogin('local', login('Ann'))).toBe(true);
      const expected = {
        accountId: 'local',
        accountName: 'Local',
        plan: 'pro',
        name: 'Ann',
        passwordHash: 'hash of Ann',
      };
      expect(await signIn.findLogin('ann')).toEqual(expected);
      expect(await signIn.findLoginOf('local')).toEqual(expected);
      expect(await signIn.findLogin('Ann')).toBeNull();
      expect(await signIn.hasLogins()).toBe(true);

      const other = await control.createAccount({ name: 'Other', plan: 'free' });
      expect(await signIn.setLogin(other.id, login('ANN'))).toBe(false);
      expect(await signIn.findLoginOf(other.id)).toBeNull();
      await expect(signIn.setLogin('u_aaaaaaaaaaaaaaaa', login('x'))).rejects.toMatchObject({ code: 'not_found' });
    });

    it('gives a name to only one of several concurrent requests for it', async () => {
      const { control } = underTest().stores;
      const ids = [];
      for (const name of ['a', 'b', 'c']) ids.push((await control.createAccount({ name, plan: 'free' })).id);
      const set = await Promise.all(ids.map((id) => control.signIn.setLogin(id, login('Ann'))));
      expect(set.filter(Boolean)).toHaveLength(1);
    });

    it('accepts a link once and until it expires, and one link per purpose at a time', async () => {
      const { clock, stores } = underTest();
      const { signIn } = stores.control;
      const link = { accountId: 'local', purpose: 'reset' as const, expiresAt: clock.now() + 1_000 };
      await signIn.createLink({ ...link, hash: hash(1) });
      await signIn.createLink({ ...link, hash: hash(2) });
      await signIn.createLink({ ...link, purpose: 'open', hash: hash(3) });
      expect(await signIn.findLink(hash(1))).toBeNull();
      expect(await signIn.findLink(hash(2))).toEqual({ ...link, accountName: 'Local', name: null });
      expect((await signIn.listLinks()).map(({ purpose }) => purpose).toSorted()).toEqual(['open', 'reset']);
      expect(await signIn.listLinks()).toContainEqual(link);
      const taken = await Promise.all([1, 2, 3].map(() => signIn.takeLink(hash(2))));
      expect(taken.filter(Boolean)).toHaveLength(1);
      clock.advance(1_000);
      expect(await signIn.findLink(hash(3))).toBeNull();
      expect(await signIn.listLinks()).toEqual([]);
      expect(await signIn.takeLink(hash(3))).toBe(false);
    });

    it('sets a login by a link for one caller; a taken name does not use up the link', async () => {
      const { clock, stores } = underTest();
      const { signIn } = stores.control;
      const other = await stores.control.createAccount({ name: 'Other', plan: 'free' });
      await signIn.setLogin(other.id, login('Ann'));
      const link = { accountId: 'local', purpose: 'owner' as const, expiresAt: clock.now() + 1_000 };
      await signIn.createLink({ ...link, hash: hash(1) });
      await signIn.createLink({ ...link, purpose: 'open', hash: hash(2) });
      expect(await signIn.setLoginByLink(hash(1), login('ann'))).toBe('taken');
      expect(await signIn.setLoginByLink(hash(2), login('Bob'))).toBe('used');
      const outcomes = await Promise.all(['Bob', 'Eve'].map((name) => signIn.setLoginByLink(hash(1), login(name))));
      expect(outcomes.toSorted()).toEqual(['set', 'used']);
      expect((await signIn.findLoginOf('local'))?.name).toBe(outcomes[0] === 'set' ? 'Bob' : 'Eve');
      expect(await signIn.findLink(hash(2))).toBeNull();
    });

    it('finds a session by its secret, and for a while by the previous one', async () => {
      const { clock, stores } = underTest();
      const { signIn } = stores.control;
      const end = clock.now() + 10 * oldSecretMs;
      const session = await signIn.createSession({ accountId: 'local', hash: hash(1), browser: 'B', expiresAt: end });
      expect(session).toMatchObject({ accountId: 'local', browser: 'B', expiresAt: end, createdAt: clock.now() });
      expect(await signIn.findSession(hash(1))).toEqual(session);
      const renewed = await Promise.all([2, 3].map((byte) => signIn.renewSession(session.id, hash(1), hash(byte))));
      expect(renewed.filter(Boolean)).toHaveLength(1);
      const present = hash(renewed[0] === true ? 2 : 3);
      clock.advance(oldSecretMs - 1);
      expect(await signIn.findSession(hash(1))).not.toBeNull();
      clock.advance(1);
      expect(await signIn.findSession(hash(1))).toBeNull();
      await signIn.touchSession(session.id, clock.now() + 5);
      expect(await signIn.findSession(present)).toMatchObject({ lastUsedAt: clock.now(), expiresAt: clock.now() + 5 });
      clock.advance(5);
      expect(await signIn.findSession(present)).toBeNull();
    });

    it('ends single sessions, all of them for a new login, and all others for a new password', async () => {
      const { clock, stores } = underTest();
      const { signIn } = stores.control;
      await signIn.setLogin('local', login('Ann'));
      const other = await stores.control.createAccount({ name: 'Other', plan: 'free' });
      const make = (byte: number) => {
        clock.advance(1);
        const expiresAt = clock.now() + 1_000;
        return signIn.createSession({ accountId: 'local', hash: hash(byte), browser: 'B', expiresAt });
      };
      const [one, two, three] = [await make(1), await make(2), await make(3)];
      expect((await signIn.listSessions('local')).map(({ id }) => id)).toEqual([three.id, two.id, one.id]);
      expect(await signIn.endSession(other.id, one.id)).toBe(false);
      expect(await signIn.endSession('local', one.id)).toBe(true);
      expect(await signIn.endSession('local', one.id)).toBe(false);
      await signIn.setPassword('local', 'another', two.id);
      expect((await signIn.listSessions('local')).map(({ id }) => id)).toEqual([two.id]);
      expect((await signIn.findLoginOf('local'))?.passwordHash).toBe('another');
      await signIn.setLogin('local', login('Ann'));
      expect(await signIn.listSessions('local')).toEqual([]);
    });

    it('ends the longest-unused session when an account has too many', async () => {
      const { clock, stores } = underTest();
      const { signIn } = stores.control;
      await signIn.setLogin('local', login('Ann'));
      const made: string[] = [];
      for (let count = 0; count <= maxSessions; count += 1) {
        clock.advance(1);
        const session = { accountId: 'local', hash: hash(count), browser: 'B', expiresAt: clock.now() + 1_000_000 };
        made.push((await signIn.createSession(session)).id);
      }
      const left = (await signIn.listSessions('local')).map(({ id }) => id);
      expect(new Set(left)).toEqual(new Set(made.slice(1)));
    });

    it("creates the server's secret once, whoever asks first", async () => {
      const { signIn } = underTest().stores.control;
      const secrets = await Promise.all([1, 2, 3, 4].map(() => signIn.serverSecret('cookies')));
      expect(new Set(secrets).size).toBe(1);
      expect(secrets[0]).toMatch(/^[\w-]{43}$/);
      expect(await signIn.serverSecret('other')).not.toBe(secrets[0]);
    });
  });
}
