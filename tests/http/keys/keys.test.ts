import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { localAccountId, scopes } from '../../../src/domain/records/account.ts';
import type { Key } from '../../../src/domain/access/key.ts';
import { permissions, permissionsOfScopes, type Permission } from '../../../src/domain/access/permission.ts';
import { mounts } from '../../../src/http/listen.ts';
import { ManualClock } from '../../support/clock.ts';
import { openHttpServer, type Answer, type HttpTestServer } from '../../support/http.ts';
import { makeKey } from '../../support/access/keys.ts';

const hourMs = 60 * 60_000;

let testServer: HttpTestServer | undefined;
let clock: ManualClock;

async function open(settings: Record<string, unknown> = {}): Promise<HttpTestServer> {
  clock = new ManualClock();
  testServer = await openHttpServer({ embedder: 'none', apiV1: true, ...settings }, { mounts }, { clock });
  return testServer;
}
afterEach(async () => {
  await testServer?.close();
  testServer = undefined;
});

type WithSecret = Key & { secret: string };

const keyOf = ({ body }: Answer): WithSecret => body;
const post = (token: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  testServer!.ask(`/api/v1/keys${path}`, { method: 'POST', token, headers, ...(body !== undefined && { body }) });
const read = (token: string, path = '') => testServer!.ask(`/api/v1/keys${path}`, { token });
const revoke = (token: string, id: string) => testServer!.ask(`/api/v1/keys/${id}`, { method: 'DELETE', token });
const statusWith = async (token: string, path = '/content') => (await testServer!.ask(path, { token })).status;

describe('a key', () => {
  it('is created, listed, rotated and revoked over /api/v1', async () => {
    const { app } = await open();
    const { secret: owner } = await makeKey(app, permissions);
    const made = await post(owner, '', { name: 'reader', permissions: ['search:read', 'content:read'] });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { id, secret, ...rest } = keyOf(made);
    expect(made.headers.get('location')).toBe(`/api/v1/keys/${id}`);
    expect(rest).toMatchObject({ name: 'reader', permissions: ['content:read', 'search:read'], expiresAt: null });
    expect(await statusWith(secret)).toBe(200);
    expect(await statusWith(secret, '/goals')).toBe(403);

    const listed = await read(owner);
    expect(listed.body).toMatchObject({ items: [{ id }, { name: 'test' }, { name: 'test' }], total: 3 });
    expect(listed.text).not.toContain(secret);
    const one = await read(owner, `/${id}`);
    expect(one.body).toMatchObject({ id, lastUsedOn: '2026-01-01' });
    expect(one.body).not.toHaveProperty('secret');

    const rotated = keyOf(await post(owner, `/${id}/rotate`));
    expect(rotated.secret).not.toBe(secret);
    expect([await statusWith(secret), await statusWith(rotated.secret)]).toEqual([200, 200]);
    clock.advance(hourMs - 1);
    expect(await statusWith(secret)).toBe(200);
    clock.advance(1);
    expect([await statusWith(secret), await statusWith(rotated.secret)]).toEqual([401, 200]);

    const revoked = await revoke(owner, id);
    expect(revoked.body).toMatchObject({ id, revokedAt: '2026-01-01T01:00:00.000Z' });
    expect(await statusWith(rotated.secret)).toBe(401);
    expect((await revoke(owner, id)).text).toBe(revoked.text);
    expect((await post(owner, `/${id}/rotate`)).status).toBe(404);
  });

  it('expires on time and says so', async () => {
    const { app } = await open();
    const { secret: owner } = await makeKey(app, permissions);
    const { secret, expiresAt } = keyOf(
      await post(owner, '', { name: 'a day', permissions: ['content:read'], expiresInDays: 1 }),
    );
    expect(expiresAt).toBe('2026-01-02T00:00:00.000Z');
    clock.advance(24 * hourMs - 1);
    expect(await statusWith(secret)).toBe(200);
    clock.advance(1);
    const answer = await testServer!.ask('/content', { token: secret });
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('This key has expired.')]);
  });

  it('has its own limit below that of the server', async () => {
    const { app, ask } = await open({ rateLimitPerMinute: 5 });
    const slow = await makeKey(app, ['content:read'], { requestsPerMinute: 2 });
    const fast = await makeKey(app, ['content:read'], { requestsPerMinute: 50 });
    const first = await ask('/content', { token: slow.secret });
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=1;t=\d+$/);
    expect(await statusWith(slow.secret)).toBe(200);
    const third = await ask('/content', { token: slow.secret });
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await ask('/content', { token: fast.secret })).headers.get('ratelimit-policy')).toBe('"token";q=5;w=60');
    // A rotation gives no second limit.
    const { secret } = await app.services.keys.rotate({ accountId: localAccountId, permissions: new Set() }, slow.id);
    expect(await statusWith(secret ?? '')).toBe(429);
  });

  it('of another account is not found', async () => {
    const { app } = await open();
    const { id: account } = await app.access.addAccount('Other', 'pro');
    const other = await makeKey(app, permissions, { account });
    const { secret } = await makeKey(app, permissions);
    const missing = await read(secret, '/k_aaaaaaaaaaaaaaaa');
    for (const answer of [
      await read(secret, `/${other.id}`),
      await revoke(secret, other.id),
      await post(secret, `/${other.id}/rotate`),
    ])
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    expect((await read(secret)).text).not.toContain(other.id);
    expect(await statusWith(other.secret)).toBe(200);
  });

  it('cannot be created without the setting, but existing ones work', async () => {
    const { app, ask } = await open({ apiV1: false });
    const { secret } = await makeKey(app, permissions);
    expect((await ask('/api/v1/keys', { token: secret })).status).toBe(404);
    expect(await statusWith(secret)).toBe(200);
  });
});

describe('a key cannot give more than it has', () => {
  const some: Permission[] = ['content:read', 'keys:read', 'keys:write', 'keys:delete'];

  it('in permissions', async () => {
    const { app } = await open();
    const { secret } = await makeKey(app, some);
    for (const one of permissions) {
      const answer = await post(secret, '', { name: one, permissions: [one] });
      const isRefused = answer.text.includes(`which lacks ${one}.`);
      expect([one, answer.status, isRefused]).toEqual([one, ...(some.includes(one) ? [201, false] : [403, true])]);
    }
  });

  it('in time and in requests', async () => {
    const { app } = await open();
    const { secret } = await makeKey(app, some, { lifetimeMs: 48 * hourMs, requestsPerMinute: 30 });
    const asked = { name: 'child', permissions: ['content:read'] };
    expect((await post(secret, '', { ...asked, expiresInDays: 3 })).status).toBe(403);
    expect((await post(secret, '', { ...asked, requestsPerMinute: 31 })).status).toBe(403);
    expect((await post(secret, '', asked)).body).toMatchObject({
      expiresAt: '2026-01-03T00:00:00.000Z',
      requestsPerMinute: 30,
    });
    expect((await post(secret, '', { ...asked, expiresInDays: 1, requestsPerMinute: 3 })).body).toMatchObject({
      expiresAt: '2026-01-02T00:00:00.000Z',
      requestsPerMinute: 3,
    });
  });

  it('by rotating one that may do more, works longer or more often', async () => {
    const { app } = await open();
    const lesser = await makeKey(app, some, { lifetimeMs: 48 * hourMs, requestsPerMinute: 30 });
    const within = { lifetimeMs: hourMs, requestsPerMinute: 1 };
    const stronger = [
      await makeKey(app, [...some, 'goals:read'], within),
      await makeKey(app, ['content:read'], { ...within, lifetimeMs: 49 * hourMs }),
      await makeKey(app, ['content:read'], { ...within, requestsPerMinute: 31 }),
      await makeKey(app, ['content:read'], { requestsPerMinute: 1 }),
      await makeKey(app, ['content:read'], { lifetimeMs: hourMs }),
    ];
    for (const { id, secret } of stronger) {
      const answer = await post(lesser.secret, `/${id}/rotate`);
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain('cpl_');
      expect(await statusWith(secret)).toBe(200);
    }
    const weaker = await makeKey(app, ['content:read'], within);
    expect((await post(lesser.secret, `/${weaker.id}/rotate`)).status).toBe(200);
    expect((await post(lesser.secret, `/${lesser.id}/rotate`)).status).toBe(200);
  });

  it('with a replaced secret, which creates and rotates none', async () => {
    const { app } = await open();
    const { id, secret } = await makeKey(app, permissions);
    const { secret: next } = keyOf(await post(secret, `/${id}/rotate`));
    expect((await post(secret, '', { name: 'mine', permissions: ['content:read'] })).status).toBe(403);
    expect((await post(secret, `/${id}/rotate`)).status).toBe(403);
    expect((await revoke(secret, id)).status).toBe(403);
    expect((await read(secret)).status).toBe(403);
    expect(await statusWith(secret)).toBe(200);
    expect((await read(next)).status).toBe(200);
  });

  it('beyond its own end', async () => {
    const { app } = await open();
    const owner = await makeKey(app, permissions);
    const parent = await makeKey(app, some);
    const child = keyOf(await post(parent.secret, '', { name: 'child', permissions: some }));
    const grandchild = keyOf(await post(child.secret, '', { name: 'grandchild', permissions: ['content:read'] }));
    expect(grandchild.madeBy).toBe(child.id);
    await revoke(owner.secret, parent.id);
    for (const { secret } of [parent, child, grandchild]) expect(await statusWith(secret)).toBe(401);
    expect(await statusWith(owner.secret)).toBe(200);
  });

  it('when it was revoked between the look-up and the write', async () => {
    const { app } = await open();
    const { id, secret } = await makeKey(app, permissions);
    const caller = await app.access.authenticate(secret);
    await app.access.revokeToken(id);
    const late = { name: 'late', permissions: ['content:read'] as const };
    await expect(app.services.keys.create(caller, late)).rejects.toMatchObject({ code: 'unauthorized' });
    const other = await makeKey(app, ['content:read']);
    await expect(app.services.keys.rotate(caller, other.id)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('existing tokens', () => {
  it('are listed as keys with the permissions of their scopes', async () => {
    const { app, createToken } = await open();
    await createToken({ scopes: ['content:write', 'goals:read'] });
    const { secret } = await makeKey(app, ['keys:read']);
    const { items } = (await read(secret)).body as { items: Key[] };
    expect(items.find(({ id }) => id.startsWith('t_'))?.permissions).toEqual([
      'content:write',
      'content:delete',
      'search:write',
      'search:delete',
      'goals:read',
      'history:write',
      'history:delete',
    ]);
  });

  it('cannot create keys, whatever their scopes', async () => {
    const { token } = await open();
    expect([...permissionsOfScopes(scopes)].filter((one) => one.startsWith('keys:'))).toEqual([]);
    const answer = await post(token, '', { name: 'mine', permissions: ['content:read'] });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('`commonplace token create --permissions` makes a key'),
    ]);
  });

  it('are rotated and revoked like keys; the list of tokens has no keys', async () => {
    const { app, token } = await open();
    const { secret } = await makeKey(app, permissions);
    const [{ id } = { id: '' }, ...others] = await app.access.listTokens(localAccountId);
    expect(others).toEqual([]);
    const { secret: next } = keyOf(await post(secret, `/${id}/rotate`));
    expect([await statusWith(token), await statusWith(next)]).toEqual([200, 200]);
    await revoke(secret, id);
    expect([await statusWith(token), await statusWith(next)]).toEqual([401, 401]);
  });
});

test('the last use is stored as a day and a network, not an address', async () => {
  const { app, folder } = await open();
  const { id, secret } = await makeKey(app, ['content:read']);
  const lastUse = async () => {
    const { lastUsedOn, lastUsedFrom } = await app.services.keys.get(localAccountId, id);
    return [lastUsedOn, lastUsedFrom];
  };
  expect(await lastUse()).toEqual([null, null]);
  clock.advance(5 * hourMs);
  await app.access.authenticate(secret, '203.0.113.0/24');
  await expect.poll(lastUse).toEqual(['2026-01-01', '203.0.113.0/24']);
  expect((await app.stores.control.tokens.getToken(id))?.lastUsedAt).toBe(Date.UTC(2026, 0, 1));
  // Another network within the minute is not written.
  await app.access.authenticate(secret, '198.51.100.0/24');
  clock.advance(60_000);
  await app.access.authenticate(secret, '2001:db8:1::/48');
  await expect.poll(lastUse).toEqual(['2026-01-01', '2001:db8:1::/48']);
  for (const path of filesIn(folder)) expect(readFileSync(path).includes('198.51.100')).toBe(false);
});

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));

test('no secret of a key is in any file, or in the answer to a repeated request', async () => {
  const { app, folder } = await open();
  const { secret: owner } = await makeKey(app, permissions);
  const again = { 'idempotency-key': 'one-and-the-same' };
  const asked = { name: 'reader', permissions: ['content:read'] };
  const made = await post(owner, '', asked, again);
  const repeated = await post(owner, '', asked, again);
  expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  const { secret, ...rest } = keyOf(made);
  expect([repeated.status, repeated.body]).toEqual([201, rest]);
  const rotation = { 'idempotency-key': 'another' };
  const { secret: next } = keyOf(await post(owner, `/${rest.id}/rotate`, undefined, rotation));
  expect(keyOf(await post(owner, `/${rest.id}/rotate`, undefined, rotation)).secret).toBeUndefined();
  expect(await statusWith(next)).toBe(200);
  const hasSecret = (path: string) => {
    const bytes = readFileSync(path);
    return [owner, secret, next].some((one) => bytes.includes(one.slice(4, 30)));
  };
  expect(filesIn(folder).filter((path) => path.endsWith('control.db'))).toHaveLength(1);
  expect(filesIn(folder).filter(hasSecret)).toEqual([]);
  // What was in the logs of the databases is in their files then.
  await app.close();
  expect(filesIn(folder).filter(hasSecret)).toEqual([]);
});

test('the stored hash does not let anybody in', async () => {
  const { app } = await open();
  const { secret } = await makeKey(app, permissions);
  const { hashToken } = await import('../../../src/domain/access/token.ts');
  const hex = Buffer.from(hashToken(secret)).toString('hex');
  for (const guess of [hex, `cpl_${hex.slice(0, 49)}`, secret.slice(0, -1), `${secret}0`, secret.toLowerCase()])
    expect(await statusWith(guess)).toBe(401);
});
