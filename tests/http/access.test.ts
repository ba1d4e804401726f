import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, test } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { hashToken, isWellFormedToken, newToken } from '../../src/domain/access/token.ts';
import type { SqliteControl } from '../../src/store/sqlite/control/control.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { ManualClock } from '../support/clock.ts';
import { forAll } from '../support/for-all.ts';
import { openHttpServer, type AskOptions, type HttpTestServer } from '../support/http.ts';

let testServer: HttpTestServer | undefined;

async function open(...given: Parameters<typeof openHttpServer>): Promise<HttpTestServer> {
  testServer = await openHttpServer({ embedder: 'none', ...given[0] }, ...given.slice(1));
  return testServer;
}
afterEach(async () => {
  await testServer?.close();
  testServer = undefined;
});

describe('a token', () => {
  it('is cpl_, 43 characters and a checksum, and always unique', () => {
    const made = Array.from({ length: 200 }, newToken);
    for (const token of made) {
      expect(token).toMatch(/^cpl_[0-9A-Za-z]{49}$/);
      expect(isWellFormedToken(token)).toBe(true);
      expect(hashToken(token)).toHaveLength(32);
    }
    expect(new Set(made).size).toBe(made.length);
  });

  it('is recognised as mistyped when any one character is wrong', () => {
    const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
    forAll(fc.integer({ min: 4, max: 52 }), fc.constantFrom(...alphabet), (at, letter) => {
      const token = newToken();
      fc.pre(token[at] !== letter);
      expect(isWellFormedToken(token.slice(0, at) + letter + token.slice(at + 1))).toBe(false);
    });
  });

  it.each(['', 'cpl_', 'x', `${'cpl_'}${'0'.repeat(49)}x`, `xcpl_${'0'.repeat(49)}`, `cpl_${'é'.repeat(49)}`])(
    'is not %j',
    (text) => expect(isWellFormedToken(text)).toBe(false),
  );
});

describe('without a valid token', () => {
  const everything: [string, AskOptions][] = [
    ['/content', {}],
    ['/content?limit=abc', {}],
    ['/content', { method: 'POST', body: 'no JSON' }],
    ['/content', { method: 'POST', body: 'x'.repeat(100_000), headers: { 'content-type': 'text/plain' } }],
    ['/content', { method: 'PUT' }],
    ['/content', { method: 'OPTIONS' }],
    ['/content', { method: 'HEAD' }],
    ['/content/c_aaaaaaaaaaaaaaaa', {}],
    ['/search', { method: 'POST', body: { query: 'x' } }],
    ['/actions', {}],
    ['/actions/a_aaaaaaaaaaaaaaaa/complete', { method: 'POST' }],
    ['/goals', {}],
    ['/nothing/here', {}],
    ['/', {}],
  ];

  it('every path is 401, whatever else is wrong with the request', async () => {
    const { ask } = await open();
    for (const [path, options] of everything) {
      const answer = await ask(path, { ...options, token: null });
      expect(answer.status, `${options.method} ${path}`).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="commonplace"');
      expect(answer.body ?? { code: 'unauthorized' }).toMatchObject({ code: 'unauthorized' });
    }
  });

  it.each([
    ['another scheme', 'Basic dXNlcjpwYXNz', undefined],
    ['no token after the scheme', 'Bearer', 'invalid_token'],
    ['two words', 'Bearer a b', 'invalid_token'],
    ['a made-up token', 'Bearer cpl_abc', 'invalid_token'],
    ['a well-formed one that nobody was given', `Bearer ${newToken()}`, 'invalid_token'],
  ])('%s is 401', async (_, authorization, error) => {
    const { ask } = await open();
    const answer = await ask('/goals', { token: null, headers: { authorization } });
    expect(answer.status).toBe(401);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(challenge.startsWith('Bearer realm="commonplace"')).toBe(true);
    expect(challenge.includes('error="invalid_token"')).toBe(error !== undefined);
  });

  it('only the health routes answer', async () => {
    const { ask } = await open();
    for (const path of ['/health', '/ready']) expect((await ask(path, { token: null })).status).toBe(200);
    expect((await ask('/api/v1/content', { token: null })).status).toBe(404);
    expect((await ask('/metrics', { token: null })).status).toBe(401);
  });
});

test('the scheme may be written in any case', async () => {
  const { ask, token } = await open();
  for (const scheme of ['bearer', 'BEARER']) {
    expect((await ask('/goals', { headers: { authorization: `${scheme} ${token}` } })).status).toBe(200);
  }
});

describe('a token stops working', () => {
  const clock = new ManualClock();

  it('when it expires', async () => {
    const { ask, createToken } = await open({}, {}, { clock });
    const token = await createToken({ lifetimeMs: 60_000 });
    expect((await ask('/goals', { token })).status).toBe(200);
    clock.advance(59_999);
    expect((await ask('/goals', { token })).status).toBe(200);
    clock.advance(1);
    const answer = await ask('/goals', { token });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('expired');
  });

  it('at once when another process revokes it', async () => {
    const { ask, token, folder, app } = await open();
    expect((await ask('/goals')).status).toBe(200);
    const [{ id } = { id: '' }] = await app.access.listTokens(localAccountId);
    const other = await openDataFolder({ folder, clock });
    expect(await other.control.tokens.revokeToken(id)).toBe(true);
    await other.close();
    const answer = await ask('/goals', { token });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('revoked');
  });

  it('when its account loses Pro, until it has it again', async () => {
    const { ask, app } = await open();
    await app.access.setPlan(localAccountId, 'free');
    const answer = await ask('/goals');
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('Pro');
    await app.access.setPlan(localAccountId, 'pro');
    expect((await ask('/goals')).status).toBe(200);
  });

  it('when another process removes its account, which leaves nothing behind', async () => {
    const { ask, app, folder, createToken } = await open();
    const { id } = await app.access.addAccount('Ada', 'pro');
    const token = await createToken({ account: id });
    const saved = await ask('/content', { token, method: 'POST', body: { url: 'https://example.com/secret' } });
    expect(saved.status).toBe(201);
    const store = await app.stores.open(id);

    const other = await openDataFolder({ folder, clock });
    await other.removeAccount(id);
    await other.close();

    expect((await ask('/goals', { token })).status).toBe(401);
    await expect(store.addGoal({ title: 'Too late', category: 'Health' })).rejects.toMatchObject({ code: 'not_found' });
    await app.access.listAccounts();
    await expect(store.listGoals({ offset: 0 })).rejects.toMatchObject({ code: 'not_found' });
    expect(readdirSync(join(folder, 'accounts')).filter((name) => name.includes(id))).toEqual([]);
    await expect(app.access.getAccount(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('an interrupted removal of an account is finished at the next start', async () => {
  const clock = new ManualClock();
  const { app, folder } = await open();
  const { id } = await app.access.addAccount('Ada', 'pro');
  await (await app.stores.open(id)).addGoal({ title: 'A goal', category: 'Health' });
  await app.close();
  const interrupted = await openDataFolder({ folder, clock });
  await (interrupted.control as SqliteControl).markRemoved(id);
  await interrupted.close();
  const files = () => readdirSync(join(folder, 'accounts')).filter((name) => name.includes(id));
  expect(files()).not.toEqual([]);
  await (await openDataFolder({ folder, clock })).close();
  expect(files()).toEqual([]);
});

describe('limits', () => {
  it('apply to a token with too many requests, and say when to retry', async () => {
    const { ask, createToken } = await open({ rateLimitPerMinute: 3 });
    const other = await createToken();
    for (const left of [2, 1, 0]) {
      const answer = await ask('/goals');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"token";r=${left};t=[1-6]?\\d$`));
      expect(answer.headers.get('ratelimit-policy')).toBe('"token";q=3;w=60');
    }
    const refused = await ask('/goals');
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"token";r=0;t=\d+$/);
    expect(refused.headers.get('ratelimit-policy')).toBe('"token";q=3;w=60');
    expect((await ask('/goals', { token: other })).status).toBe(200);
  });

  it('apply to an address that sends wrong tokens, but not to valid tokens from there', async () => {
    const { ask, token, createToken } = await open({}, { failedAuthPerMinute: 3 });
    expect((await ask('/goals')).status).toBe(200);
    for (let time = 0; time < 10; time += 1) expect((await ask('/goals', { token: null })).status).toBe(401);
    for (let time = 0; time < 3; time += 1) expect((await ask('/goals', { token: newToken() })).status).toBe(401);
    const refused = await ask('/goals', { token: newToken() });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-policy')).toBe('"failed-auth";q=3;w=60');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('/goals', { token: await createToken() })).status).toBe(429);
    expect((await ask('/goals', { token })).status).toBe(200);
  });
});
