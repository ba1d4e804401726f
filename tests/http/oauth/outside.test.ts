import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { localAccountId, scopes } from '../../../src/domain/records/account.ts';
import { createIssuerKeys } from '../../../src/services/sign-in/outside-tokens.ts';
import { ManualClock } from '../../support/clock.ts';
import { openTestServer } from '../../support/test-server.ts';
import { startIssuer, type Issuer } from '../../support/servers/issuer.ts';
import { openSignIn, type SignInServer } from '../../support/access/sign-in.ts';

const publicUrl = 'https://library.example.org';
const audience = `${publicUrl}/mcp`;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Served extends SignInServer {
  issuer: Issuer;
  /** What the API says to a token. */
  ask(token: string, path?: string): Promise<{ status: number; text: string }>;
}

/** A server whose assistants sign in elsewhere, where Ann is `ann`. */
async function serve(settings: Record<string, unknown> = {}): Promise<Served> {
  let now = () => 0;
  const issuer = await startIssuer(audience, () => now());
  closers.push(issuer.close);
  const all = { signIn: 'off', publicUrl, authorizationServer: issuer.url, ...settings };
  const { testServer, close } = await openSignIn(all, { failedAuthPerMinute: 0 });
  closers.push(close);
  now = () => testServer.clock.now();
  await testServer.app.signIn.setIdentity(localAccountId, 'ann');
  return {
    ...testServer,
    issuer,
    async ask(token, path = '/goals') {
      const response = await fetch(`${testServer.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return { status: response.status, text: await response.text() };
    },
  };
}

describe('an external authorization server', () => {
  it('receives the assistants, and its tokens are accepted with their scopes', async () => {
    const { url, issuer, ask } = await serve();
    const refused = await fetch(`${url}/mcp`, { method: 'POST' });
    expect(refused.headers.get('www-authenticate')).toContain(`${publicUrl}/.well-known/oauth-protected-resource/mcp`);
    const metadata = await (await fetch(`${url}/.well-known/oauth-protected-resource/mcp`)).json();
    expect(metadata).toMatchObject({ resource: audience, authorization_servers: [issuer.url] });
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize', '/oauth/register'])
      expect((await fetch(`${url}${path}`)).status, path).toBe(401);

    const token = await issuer.sign({});
    expect([(await ask(token)).status, (await ask(token, '/content')).status]).toEqual([200, 403]);
    const called = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect(await called.text()).toContain('list_goals');
    expect(issuer.keysFetched()).toBe(1);
  });

  it('may format the audience, the person and the list of scopes in its own way', async () => {
    const { issuer, ask, url } = await serve({
      authorizationAudience: 'api://library',
      authorizationClaim: 'preferred_username',
    });
    const claims = { aud: ['other', 'api://library'], sub: 'f3a1', preferred_username: 'ann' };
    const listed = await issuer.sign({ ...claims, scope: undefined, scp: ['goals:read', 'content:read', 'openid'] });
    expect([(await ask(listed)).status, (await ask(listed, '/content')).status]).toEqual([200, 200]);
    expect((await ask(listed, '/actions')).status).toBe(403);
    const metadata = await (await fetch(`${url}/.well-known/oauth-protected-resource/mcp`)).json();
    expect(metadata).toMatchObject({ scopes_supported: [...scopes] });
  });

  it('may rotate keys; unknown key ids cost one fetch a minute', async () => {
    const { issuer, ask, clock } = await serve();
    expect((await ask(await issuer.sign({}))).status).toBe(200);
    clock.advance(61_000);
    await issuer.rotate();
    expect((await ask(await issuer.sign({}))).status).toBe(200);
    expect(issuer.keysFetched()).toBe(2);
    const madeUp = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => (await ask(await issuer.sign({}, { kid: `made up ${at}` }))).status),
    );
    expect(new Set(madeUp)).toEqual(new Set([401]));
    expect(issuer.keysFetched()).toBe(2);
    clock.advance(61_000);
    for (const kid of ['one', 'two']) expect((await ask(await issuer.sign({}, { kid }))).status).toBe(401);
    expect(issuer.keysFetched()).toBe(3);
  });

  it('loses the tokens signed by a key that it withdrew', async () => {
    const { issuer, ask, clock } = await serve();
    const old = await issuer.sign({ exp: Math.floor(clock.now() / 1_000) + 86_400 });
    expect((await ask(old)).status).toBe(200);
    await issuer.rotate();
    clock.advance(11 * 60_000);
    expect((await ask(old)).status).toBe(401);
  });

  it('blocks nobody while its keys are refetched, and nobody twice while it does not answer', async () => {
    const clock = new ManualClock();
    const known = { keys: [{ kty: 'EC', kid: 'one' }] };
    const troubles: unknown[] = [];
    let hanging: PromiseWithResolvers<unknown> | null = null;
    const keys = createIssuerKeys(
      'https://issuer.example',
      async (url) => {
        if (hanging !== null) return hanging.promise;
        return url.endsWith('/keys') ? known : { issuer: 'https://issuer.example', jwks_uri: `${url}/keys` };
      },
      clock,
      (error) => troubles.push(error),
    );
    expect(await keys.current()).toEqual(known);
    for (const [minutes, failed] of [
      [6, 1],
      [20, 2],
    ] as const) {
      hanging = Promise.withResolvers<unknown>();
      clock.advance(minutes * 60_000);
      expect(await keys.current()).toEqual(known);
      hanging.reject(new Error('it does not answer'));
      await expect.poll(() => troubles).toHaveLength(failed);
    }
  });

  it('may be down: then tokens are checked with the known keys, and without any nobody gets in', async () => {
    const { issuer, ask, clock } = await serve();
    issuer.fail(503);
    const first = await ask(await issuer.sign({}));
    expect([first.status, first.text]).toEqual([500, expect.stringContaining('cannot be reached')]);
    issuer.fail(null);
    clock.advance(6_000);
    expect((await ask(await issuer.sign({}))).status).toBe(200);
    issuer.fail(503);
    clock.advance(11 * 60_000);
    expect((await ask(await issuer.sign({}))).status).toBe(200);
  });

  it.each([
    ['names another issuer', { issuer: 'https://evil.example' }],
    ['has keys at an address without encryption', { jwks_uri: 'http://evil.example/keys' }],
    ['has keys in a private network', { jwks_uri: 'https://127.0.0.1:1/keys' }],
    ['has keys in a file', { jwks_uri: 'file:///etc/passwd' }],
    ['has no keys', { jwks_uri: undefined }],
  ])('is rejected when its metadata %s', async (_, changes) => {
    const { issuer, ask } = await serve();
    issuer.describe(changes);
    expect((await ask(await issuer.sign({}))).status).toBe(500);
    expect(issuer.keysFetched()).toBe(0);
  });
});

describe('an external token is refused', () => {
  const second = (served: Served) => Math.floor(served.clock.now() / 1_000);
  const claims: Readonly<Record<string, (served: Served) => Record<string, unknown>>> = {
    'of another issuer': () => ({ iss: 'https://evil.example' }),
    'without an issuer': () => ({ iss: undefined }),
    'for another server': () => ({ aud: 'https://other.example/mcp' }),
    'for nobody': () => ({ aud: undefined }),
    'for a server whose name begins like this one': () => ({ aud: `${audience}.evil.example` }),
    'that has expired': (served) => ({ exp: second(served) - 60 }),
    'that never expires': () => ({ exp: undefined }),
    'that is not valid yet': (served) => ({ nbf: second(served) + 600 }),
    'of somebody unknown': () => ({ sub: 'eve' }),
    'of a name in other letters': () => ({ sub: 'ANN' }),
    'of a name with a space': () => ({ sub: ' ann' }),
    'of the id of an account': () => ({ sub: localAccountId }),
    'of nobody': () => ({ sub: undefined }),
    'of several': () => ({ sub: ['ann'] }),
  };
  it.each(Object.keys(claims))('%s', async (what) => {
    const served = await serve();
    expect((await served.ask(await served.issuer.sign({}))).status).toBe(200);
    const refused = await served.ask(await served.issuer.sign(claims[what]?.(served) ?? {}));
    expect([refused.status, refused.text.includes('"code":"unauthorized"')]).toEqual([401, true]);
  });

  it('if it is signed by somebody else, by nobody, or with the public key as a secret', async () => {
    const { issuer, ask, clock } = await serve();
    const good = await issuer.sign({});
    expect((await ask(good)).status).toBe(200);
    const now = Math.floor(clock.now() / 1_000);
    const payload = { iss: issuer.url, aud: audience, sub: 'ann', exp: now + 300, scope: 'goals:read' };
    const header = { alg: 'ES256', typ: 'at+jwt', kid: issuer.publicKey().kid ?? '' };
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, body = '', signature = ''] = good.split('.');
    const hmacInput = `${encode({ ...header, alg: 'HS256' })}.${encode(payload)}`;
    const hmac = createHmac('sha256', JSON.stringify(issuer.publicKey())).update(hmacInput).digest('base64url');
    const forged = [
      await new SignJWT(payload).setProtectedHeader(header).sign(privateKey),
      await new SignJWT(payload)
        .setProtectedHeader({ ...header, jwk: publicKey.export({ format: 'jwk' }) as never })
        .sign(privateKey),
      await new SignJWT(payload).setProtectedHeader({ ...header, jku: 'https://evil.example/keys' }).sign(privateKey),
      new UnsecuredJWT(payload).encode(),
      `${encode({ ...header, alg: 'none' })}.${encode(payload)}.AA`,
      `${hmacInput}.${hmac}`,
      `${encode(header)}.${encode({ ...payload, scope: 'content:write' })}.${signature}`,
      `${encode({ ...header, crit: ['exp'] })}.${body}.${signature}`,
      `${good.slice(0, -4)}AAAA`,
      await issuer.sign({}, { typ: 'logout+jwt' }),
      await issuer.sign({ padding: 'x'.repeat(9_000) }),
    ];
    const statuses = await Promise.all(forged.map(async (token) => (await ask(token)).status));
    expect(statuses).toEqual(forged.map(() => 401));
  });

  it('if its account has no Pro, was removed, or its name belongs to another one now', async () => {
    const { app, issuer, ask } = await serve();
    const token = await issuer.sign({});
    await app.access.setPlan(localAccountId, 'free');
    expect((await ask(token)).text).toContain('for Pro accounts');
    await app.access.setPlan(localAccountId, 'pro');
    const bob = await app.access.addAccount('Bob', 'pro');
    await expect(app.signIn.setIdentity(bob.id, 'Ann')).rejects.toThrow('Somebody else');
    await app.signIn.setIdentity(localAccountId, 'anna');
    expect((await ask(token)).status).toBe(401);
    await app.signIn.setIdentity(bob.id, 'ann');
    expect((await ask(token)).status).toBe(200);
    await app.access.removeAccount(bob.id);
    expect((await ask(token)).status).toBe(401);
  });

  it('if its name was chosen here with a password', async () => {
    const { app, issuer, ask } = await serve();
    const bob = await app.access.addAccount('Bob', 'pro');
    const code = await app.signIn.createLink(bob.id, 'invitation');
    await app.signIn.useLink(code, { name: 'carol', password: 'correct horse' }, { address: 'x', browser: '' });
    expect((await ask(await issuer.sign({ sub: 'carol' }))).status).toBe(401);
  });
});

it.each([
  [{ authorizationServer: 'http://auth.example.org' }],
  [{ authorizationServer: 'https://auth.example.org?x=1' }],
  [{ publicUrl: '' }],
  [{ signIn: 'password' }],
])('unsafe settings are refused: %j', async (settings) => {
  const safe = { publicUrl, authorizationServer: 'https://auth.example.org', embedder: 'none', httpPort: 0 };
  const testServer = await openTestServer({ ...safe, ...settings });
  try {
    await expect(testServer.app.serve()).rejects.toMatchObject({ code: 'invalid_input' });
  } finally {
    await testServer.close();
  }
});

it('behind a proxy, the account page says where assistants sign in', async () => {
  const { browser, app, issuer } = await serve({
    signIn: 'proxy',
    trustedIdentityHeader: 'Remote-User',
    trustedProxies: ['127.0.0.1'],
  });
  expect(await app.signIn.findName(localAccountId)).toBe('ann');
  const page = await browser.get('/account', { 'remote-user': 'ann' });
  expect(page.text).toContain(`Assistants sign in at ${issuer.url}`);
});
