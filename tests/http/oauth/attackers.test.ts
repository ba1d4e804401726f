import { createHook } from 'node:async_hooks';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { answer, callback, followTo } from '../../support/access/assistant.ts';
import { openBrowser, type Shown, type TestBrowser } from '../../support/access/browser.ts';
import { allow, authorizeUrl, everything } from '../../support/access/raw-assistant.ts';
import {
  becomeOwner,
  invite,
  openSignIn,
  password,
  sessionCookie,
  type SignInServer,
} from '../../support/access/sign-in.ts';

/*
 * What an attacker tries who has an account here (Bob, beside Ann, the owner) and one who has none. All tries meet one
 * server, one after the other; in the end only what Ann did herself is there. Each comes from its own address, so
 * that limits by address hide nothing.
 */

const evil = 'https://evil.example';
let testServer: SignInServer;
let close: () => Promise<void>;
let ann: TestBrowser;
let bob: TestBrowser;
let bobsAccount: string;
/** The assistant that Ann let in, and one that Bob registered. */
let anns: Connected;
let bobs: Connected;

interface Connected {
  clientId: string;
  access: string;
  refresh: string;
}

let addresses = 0;
const someAddress = (): Record<string, string> => {
  addresses += 1;
  return { 'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}` };
};
const stranger = (): TestBrowser => openBrowser(testServer.url, someAddress());
/** The same browser at another address, for tests that ask more than one address may. */
const moved = ({ cookies }: TestBrowser): TestBrowser => {
  const other = stranger();
  for (const [name, value] of cookies) other.cookies.set(name, value);
  return other;
};

async function post(
  path: string,
  body: URLSearchParams | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(`${testServer.url}${path}`, {
    method: 'POST',
    body,
    headers: { ...someAddress(), ...headers },
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {} };
}

const register = (metadata: Record<string, unknown> = {}) =>
  post('/oauth/register', JSON.stringify({ client_name: 'Raw', redirect_uris: [callback], ...metadata }), {
    'content-type': 'application/json',
  });
const token = (fields: Record<string, string>) => post('/oauth/token', new URLSearchParams(fields));

/** What an assistant has after a person let it in: a code, and what it takes to use it. */
async function codeOf(browser: TestBrowser, clientId?: string): Promise<Record<string, string>> {
  const id = clientId ?? (await register()).body['client_id'] ?? '';
  const { address, verifier } = authorizeUrl(testServer.url, id);
  const place = await answer(browser, address, allow);
  const code = place.searchParams.get('code') ?? '';
  return { grant_type: 'authorization_code', client_id: id, redirect_uri: callback, code_verifier: verifier, code };
}

async function connect(browser: TestBrowser): Promise<Connected> {
  const exchange = await codeOf(browser);
  const { body } = await token(exchange);
  return {
    clientId: exchange['client_id'] ?? '',
    access: body['access_token'] ?? '',
    refresh: body['refresh_token'] ?? '',
  };
}

const statusOf = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(`${testServer.url}${path}`, { headers: { ...someAddress(), ...headers } })).status;
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

beforeAll(async () => {
  ({ testServer, close } = await openSignIn({ trustedProxies: ['127.0.0.1'] }));
  [ann, bob] = [stranger(), stranger()];
  await becomeOwner({ ...testServer, browser: ann });
  bobsAccount = await invite(testServer, bob, 'Bob');
  [anns, bobs] = [await connect(ann), await connect(bob)];
});
afterAll(() => close());

/** Each form of the server, and whose browser would send it. */
const forms: readonly [string, Record<string, string | readonly string[]>][] = [
  ['/sign-in', { name: 'Ann', password }],
  ['/sign-out', {}],
  ['/sign-in/link', { code: 'A'.repeat(43), name: 'Eve', password }],
  ['/account/tokens', { name: 'theirs', scope: ['content:read'], expires: '0' }],
  ['/account/tokens/end', { id: 't_1' }],
  ['/account/assistants/end', { id: 'x' }],
  ['/account/sessions/end', { id: 's_1' }],
  ['/account/password', { present: password, next: 'their password' }],
  ['/oauth/consent/AAAAAAAAAAAAAAAAAAAAA', allow],
];

/** How another site, or another browser, would send it. */
const forgeries: Readonly<Record<string, () => { fields?: Record<string, string>; headers?: Record<string, string> }>> =
  {
    'from another site': () => ({ headers: { origin: evil } }),
    'from a frame without an origin': () => ({ headers: { origin: 'null' } }),
    'from another port': () => ({ headers: { origin: 'http://127.0.0.1:1' } }),
    'over another scheme': () => ({ headers: { origin: testServer.url.replace('http:', 'https:') } }),
    'without its token': () => ({ fields: { form: '' } }),
    'with the token of the attacker’s browser': () => ({ fields: { form: bob.formToken() } }),
    'with a token in other letters': () => ({ fields: { form: 'é'.repeat(43) } }),
    'as text, which needs no preflight': () => ({ headers: { 'content-type': 'text/plain' } }),
  };

describe('a form is refused', () => {
  const tries = forms.flatMap(([path, fields]) => Object.keys(forgeries).map((how) => [path, how, fields] as const));
  it.each(tries)('%s %s', async (path, how, fields) => {
    await ann.get('/account');
    await bob.get('/account');
    const { fields: changed = {}, headers = {} } = forgeries[how]?.() ?? {};
    const refused = await ann.post(path, { ...fields, ...changed }, headers);
    expect([400, 415]).toContain(refused.status);
    expect(refused.headers.getSetCookie().filter((one) => one.includes('session'))).toEqual([]);
    expect((await ann.get('/account')).status).toBe(200);
  });
});

const otherRedirects = [
  `${evil}/`,
  `${callback}/`,
  `${callback}/../x`,
  `${callback}?x=1`,
  `${callback}#x`,
  `${callback}%00`,
  `${callback}.evil.example`,
  callback.toUpperCase(),
  callback.replace('https:', 'http:'),
  callback.replace('assistant.example', 'assistant.example:8443'),
  callback.replace('assistant.example', 'assistant.example@evil.example'),
  callback.replace('assistant.example', 'assistant.example.evil.example'),
  'https://assistant.example',
  'http://127.0.0.1/callback',
  'javascript:alert(1)//',
  'data:text/html,<script>',
  '//evil.example',
  '/oauth/consent/x',
];

/** Client ids that would make the server fetch something of a private network. `PORT` is where the test listens. */
const privateDocuments = [
  'https://127.0.0.1:PORT/client.json',
  'https://localhost:PORT/client.json',
  'https://localhost.:PORT/client.json',
  'https://[::1]:PORT/client.json',
  'https://[::ffff:127.0.0.1]:PORT/client.json',
  'https://2130706433:PORT/client.json',
  'https://0x7f.1:PORT/client.json',
  'https://0177.0.0.1:PORT/client.json',
  'https://0:PORT/client.json',
  'https://127.0.0.1.nip.io@127.0.0.1:PORT/client.json',
  'HTTPS://127.0.0.1:PORT/client.json',
  'https://10.0.0.1/client.json',
  'https://169.254.169.254/latest/meta-data',
  'http://example.org/client.json',
  'file:///etc/passwd',
];

const refusedClients: Readonly<Record<string, Record<string, unknown>>> = {
  'an address that runs a script': { redirect_uris: ['javascript:alert(1)'] },
  'an address that runs a script, in other letters': { redirect_uris: ['JavaScript:alert(1)'] },
  'a script after a tab': { redirect_uris: ['java\tscript:alert(1)'] },
  'a page in its address': { redirect_uris: ['data:text/html,x'] },
  'a file': { redirect_uris: ['file:///etc/passwd'] },
  'a diagnostic tool of the operating system': { redirect_uris: ['ms-msdt:/id PCWDiagnostic'] },
  'a search window of the operating system': { redirect_uris: ['search-ms:query=x&crumb=location:evil.example'] },
  'the settings of the operating system': { redirect_uris: ['x-apple.systempreferences'] },
  'a shell': { redirect_uris: ['shell:startup'] },
  'an installer': { redirect_uris: ['ms-appinstaller:?source=https://evil.example/x'] },
  'a mail': { redirect_uris: ['mailto:mallory@evil.example'] },
  'an app without a dot that is no known assistant': { redirect_uris: ['evil://callback'] },
  'an assistant with a letter more': { redirect_uris: ['cursorx://callback'] },
  'a script through the viewer of sources': { redirect_uris: ['view-source:javascript:alert(1)'] },
  'an address without encryption': { redirect_uris: ['http://evil.example/'] },
  'a name that begins like this machine': { redirect_uris: ['http://127.0.0.1.evil.example/'] },
  'an address with a password': { redirect_uris: ['https://user:secret@a.example/'] },
  'an address with a fragment': { redirect_uris: ['https://a.example/#x'] },
  'one good address and a bad one': { redirect_uris: [callback, 'javascript:alert(1)'] },
  'no address': { redirect_uris: [] },
  'an address that is an object': { redirect_uris: [{ toString: 'x' }] },
  'a thousand addresses': { redirect_uris: Array.from({ length: 1_000 }, (_, at) => `https://a.example/${at}`) },
};

describe('a request for access cannot be weakened', () => {
  const errors: readonly [Record<string, string | null>, string][] = [
    [{ code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge: 'é'.repeat(43) }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: null }, 'invalid_request'],
    [{ code_challenge_method: 's256' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code token' }, 'unsupported_response_type'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_type: 'none' }, 'unsupported_response_type'],
    [{ response_type: null }, 'invalid_request'],
    [{ resource: `${evil}/mcp` }, 'invalid_target'],
    [{ resource: 'mcp' }, 'invalid_target'],
    [{ prompt: 'none' }, 'login_required'],
  ];
  it.each(errors)('by %j', async (changes, error) => {
    const browser = stranger();
    const { address } = authorizeUrl(testServer.url, bobs.clientId, changes);
    const shown = await browser.get(address);
    expect([shown.status, shown.location]).toEqual([400, null]);
    expect(shown.text).toContain(`cannot be answered (${error}). Nothing was sent to it.`);
    // Bob has let in an assistant that has its answers there, so it is told.
    const place = new URL((await followTo(bob, address)).url.replace('#', '?'));
    expect(`${place.origin}${place.pathname}`).toBe(callback);
    expect([place.searchParams.get('error'), place.searchParams.has('code')]).toEqual([error, false]);
    // Answers name the server, so that an assistant that knows several is not mixed up (RFC 9207).
    expect(place.searchParams.get('iss')).toBe(testServer.url);
  });

  it.each([`${evil}/`, 'com.evil.app:/x', 'cursor://evil', 'http://127.0.0.1:9/'])(
    'into an open redirect to %s: neither a stranger nor a signed-in person is sent there',
    async (redirect) => {
      const clientId = (await register({ redirect_uris: [redirect] })).body['client_id'] ?? '';
      for (const browser of [stranger(), moved(ann), moved(bob)]) {
        for (const [changes] of errors) {
          const { address } = authorizeUrl(testServer.url, clientId, { redirect_uri: redirect, ...changes });
          const shown = await browser.get(address);
          expect([shown.status, shown.location]).toEqual([400, null]);
          expect(shown.text).not.toContain('evil');
          expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
        }
        // A request without a mistake leads to a page of this server, as well.
        const asked = await followTo(
          browser,
          authorizeUrl(testServer.url, clientId, { redirect_uri: redirect }).address,
        );
        expect([new URL(asked.url).origin, asked.status]).toEqual([testServer.url, 200]);
      }
    },
  );

  it.each(otherRedirects)('by an answer that goes to %j', async (redirect) => {
    const { address } = authorizeUrl(testServer.url, bobs.clientId, { redirect_uri: redirect });
    const shown = await stranger().get(address);
    expect([shown.status, shown.location]).toEqual([400, null]);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['client_id', () => anns.clientId],
    ['redirect_uri', () => `${evil}/`],
    ['code_challenge', () => 'A'.repeat(43)],
    ['state', () => 'other'],
    ['response_type', () => 'token'],
  ])('by a second %s', async (name, value) => {
    const { address } = authorizeUrl(testServer.url, bobs.clientId);
    const shown = await stranger().get(`${address}&${name}=${encodeURIComponent(value())}`);
    expect([shown.status, shown.location]).toEqual([400, null]);
    expect(shown.text).toContain('(invalid_request)');
  });

  it.each(['', 'x', '__proto__', 'constructor', '\0', 'x'.repeat(5_000), '../../x', `${evil}/none.json`])(
    'by the client %j',
    async (clientId) => {
      const shown = await stranger().get(authorizeUrl(testServer.url, clientId).address);
      expect([shown.status, shown.location]).toEqual([400, null]);
      expect(shown.text).not.toContain('<script');
    },
  );

  it.each([
    ['response_mode', 'fragment'],
    ['response_mode', 'form_post'],
    ['response_mode', 'web_message'],
    ['request', 'eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJodHRwczovL2V2aWwuZXhhbXBsZS8ifQ.'],
    ['request_uri', 'https://169.254.169.254/latest'],
    ['registration', '{"redirect_uris":["https://evil.example/"]}'],
    ['claims', '{"userinfo":{"email":null}}'],
    ['id_token_hint', 'x'],
    ['login_hint', 'Ann'],
    ['max_age', '0'],
    ['acr_values', 'none'],
    ['scope', 'openid offline_access admin content:read'],
  ])('by %s, which is ignored: the person is asked as usual', async (name, value) => {
    const { address } = authorizeUrl(testServer.url, bobs.clientId, { [name]: value });
    const page = await followTo(ann, address);
    expect(new URL(page.url).pathname).toMatch(/^\/oauth\/consent\//);
    expect(page.text).toContain('<dt>The answer goes to</dt><dd><strong>assistant.example</strong></dd>');
    expect(page.text).not.toMatch(/admin|offline|openid|evil\.example/);
  });
});

describe('a code or a token is useless', () => {
  /** A code of Ann's, and what Bob changes when he uses it. */
  const misuses: Readonly<Record<string, () => Record<string, string> | Promise<Record<string, string>>>> = {
    'with another verifier': () => ({ code_verifier: 'x'.repeat(43) }),
    'without a verifier': () => ({ code_verifier: '' }),
    'as another client': () => ({ client_id: bobs.clientId }),
    'without a client': () => ({ client_id: '' }),
    'for another address': () => ({ redirect_uri: `${evil}/` }),
    'for another resource': () => ({ resource: `${evil}/mcp` }),
    'as a refresh token': () => ({ grant_type: 'refresh_token' }),
    'with a password': () => ({ grant_type: 'password', username: 'Ann', password }),
    'for the client itself': () => ({ grant_type: 'client_credentials' }),
    'by an implicit grant': () => ({ grant_type: 'implicit' }),
    'by a device code': () => ({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }),
    'by an assertion': () => ({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'a.b.c' }),
    'by exchange': () => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: anns.access,
    }),
    'after a minute': () => {
      testServer.clock.advance(61_000);
      return {};
    },
  };

  it.each(Object.keys(misuses))('a code %s', async (how) => {
    const exchange = await codeOf(ann, anns.clientId);
    const { status, body } = await token({ ...exchange, ...(await misuses[how]?.()) });
    expect([status >= 400 && status < 500, body['access_token'], body['refresh_token']]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it('when the code was used before or at the same time, which also revokes the first use', async () => {
    const exchange = await codeOf(ann, anns.clientId);
    const all = await Promise.all(Array.from({ length: 4 }, () => token(exchange)));
    const got = all.flatMap(({ body }) => body['access_token'] ?? []);
    expect(got.length).toBeLessThanOrEqual(1);
    expect((await token(exchange)).body['error']).toBe('invalid_grant');
    for (const access of got) expect(await statusOf('/content', bearer(access))).toBe(401);
  });

  it('when Ann disconnects the assistant during a refresh', async () => {
    const known = new Set((await everyGrant(localAccountId)).map(({ id }) => id));
    const exchange = await codeOf(ann, anns.clientId);
    const { body } = await token(exchange);
    const fields = { grant_type: 'refresh_token', client_id: anns.clientId };
    const refresh = (value = '') => token({ ...fields, refresh_token: value });
    const fresh = (await everyGrant(localAccountId)).filter(({ id }) => !known.has(id));
    expect(fresh).toHaveLength(1);
    const answers = await Promise.all([
      refresh(body['refresh_token']),
      refresh(body['refresh_token']),
      testServer.app.assistants.cutOff(localAccountId, fresh[0]?.id ?? ''),
      refresh(body['refresh_token']),
    ]);
    for (const answered of [{ body }, ...answers.filter((one) => one !== undefined)]) {
      expect(await statusOf('/content', bearer(answered.body['access_token'] ?? 'none'))).toBe(401);
      expect((await refresh(answered.body['refresh_token'] ?? 'none')).status).toBe(400);
    }
  });

  it.each([
    ['in the address', (exchange: Record<string, string>) => [`/oauth/token?${new URLSearchParams(exchange)}`, '']],
    ['as JSON', (exchange: Record<string, string>) => ['/oauth/token', JSON.stringify(exchange)]],
  ] as const)('a code %s', async (_, how) => {
    const [path = '', body = ''] = how(await codeOf(ann, anns.clientId));
    const got = await post(path, body, body === '' ? {} : { 'content-type': 'application/json' });
    expect([got.status >= 400, got.body['access_token']]).toEqual([true, undefined]);
  });

  it.each(['code', 'client_id', 'code_verifier', 'grant_type', 'redirect_uri'])('with a second %s', async (name) => {
    const exchange = await codeOf(ann, anns.clientId);
    const fields = new URLSearchParams(exchange);
    fields.append(name, 'x');
    const got = await post('/oauth/token', fields);
    expect([got.status, got.body['access_token']]).toEqual([400, undefined]);
  });

  it.each([
    ['as another client', () => ({ client_id: bobs.clientId })],
    ['without a client', () => ({ client_id: '' })],
    ['for more scopes than were allowed', () => ({ scope: `${everything.join(' ')} admin` })],
    ['for another resource', () => ({ resource: `${evil}/mcp` })],
    ['that is the access token', () => ({ refresh_token: anns.access })],
    ['that nobody gave', () => ({ refresh_token: 'A'.repeat(43) })],
    ['twice in one request', () => ({ refresh_token: '' })],
  ])('a refresh token %s', async (_, change) => {
    const fields = { grant_type: 'refresh_token', client_id: anns.clientId, refresh_token: anns.refresh };
    const got = await token({ ...fields, ...change() });
    expect([got.status, got.body['access_token']]).toEqual([400, undefined]);
  });

  it.each([
    ['the refresh token', () => bearer(anns.refresh)],
    ['a session', () => bearer(ann.cookies.get(sessionCookie) ?? '')],
    ['the token of a form', () => bearer(ann.formToken())],
    ['a token with something behind it', () => bearer(`${anns.access}x`)],
    ['a token in other letters', () => bearer(anns.access.toLowerCase())],
    ['a token by another scheme', () => ({ authorization: `Basic ${btoa(`x:${anns.access}`)}` })],
    ['a token in a cookie', () => ({ cookie: `access_token=${anns.access}` })],
    ['a session in its cookie', () => ({ cookie: `${sessionCookie}=${ann.cookies.get(sessionCookie)}` })],
    ['nothing', () => ({})],
    ['a JSON web token without a signature', () => bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJsb2NhbCJ9.')],
  ])('%s for the API', async (_, headers) => {
    expect(await statusOf('/content', headers())).toBe(401);
  });

  it('a token in the address', async () => {
    expect(await statusOf(`/content?access_token=${anns.access}`, {})).toBe(401);
  });

  it("when Bob’s token is used for Ann's items", async () => {
    const saved = await fetch(`${testServer.url}/content`, {
      method: 'POST',
      headers: { ...bearer(anns.access), 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.org/mine', text: 'A page that only Ann can open.' }),
    });
    const { id } = (await saved.json()) as { id: string };
    expect([saved.status, id]).toEqual([201, expect.any(String)]);
    expect(await statusOf(`/content/${id}`, bearer(anns.access))).toBe(200);
    expect(await statusOf(`/content/${id}`, bearer(bobs.access))).toBe(404);
  });

  it.each([
    ['as another client', () => ({ token: anns.refresh, client_id: bobs.clientId })],
    ['without a client', () => ({ token: anns.refresh })],
  ])('a token that Bob revokes %s continues to work', async (_, fields) => {
    await post('/oauth/revoke', new URLSearchParams(fields() as Record<string, string>));
    expect(await statusOf('/content', bearer(anns.access))).toBe(200);
  });
});

const everyGrant = (account: string) => testServer.app.stores.control.oauth.listGrants(account);

describe('registration data is harmless', () => {
  it.each(Object.keys(refusedClients))('%s is refused', async (what) => {
    const { status, body } = await register(refusedClients[what]);
    expect([status >= 400 && status < 500, body['error']]).toEqual([true, 'invalid_client_metadata']);
  });

  it.each([
    ['deep JSON', '['.repeat(8_000)],
    ['a list', '[]'],
    ['nothing', 'null'],
    ['a text', '"x"'],
    ['a large document', JSON.stringify({ client_name: 'x'.repeat(20_000), redirect_uris: [callback] })],
    ['a prototype', '{"__proto__": {"redirect_uris": ["https://a.example/"]}}'],
  ])('%s is refused', async (_, text) => {
    const { status, body } = await post('/oauth/register', text, { 'content-type': 'application/json' });
    expect([status >= 400 && status < 500, body['client_id']]).toEqual([true, undefined]);
  });

  it('only its addresses and its name are stored', async () => {
    const { body } = await register({
      client_id: anns.clientId,
      client_secret: 'x',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials', 'password'],
      response_types: ['token'],
      jwks_uri: 'https://169.254.169.254/',
      sector_identifier_uri: 'https://169.254.169.254/',
      logo_uri: `${evil}/x.png`,
      policy_uri: 'javascript:alert(1)',
      subject_type: 'pairwise',
      scope: 'admin',
      software_statement: 'x.y.z',
    });
    expect(body['client_id']).not.toBe(anns.clientId);
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', response_types: ['code'] });
    for (const name of ['client_secret', 'jwks_uri', 'sector_identifier_uri', 'logo_uri', 'policy_uri', 'scope'])
      expect(body, name).not.toHaveProperty(name);
  });

  it.each([
    'https://a.example/x',
    'http://127.0.0.1:1/x',
    'http://[::1]/x',
    'com.example.app:/x',
    'vscode-insiders://a.b/x',
  ])('%s is accepted as a redirect address', async (redirect) => {
    const { status } = await register({ redirect_uris: [redirect] });
    expect(status).toBe(201);
  });

  const said: readonly [unknown, string][] = [
    ['<script>alert(1)</script>', 'scriptalert(1)script'],
    ['"><img src=x onerror=alert(1)>', 'img srcx onerroralert(1)'],
    ['\u202Eedualc', 'edualc'],
    ['Claude\u2066\u2069\u200B', 'Claude'],
    ['Claude\n\n\u0007 says: allow', 'Claude says allow'],
    ['x'.repeat(4_000), `${'x'.repeat(39)}…`],
    [{ toString: 'x' }, 'An assistant without a name'],
    ['\u200B', 'An assistant without a name'],
    ['“”', 'An assistant without a name'],
    // Quotation marks, and what looks like them, would end the name where the sentence of a page goes on.
    ['x” is harmless. “claude.ai', 'x is harmless. claude.ai'],
    ...[...'"\'`´‘’‚‛“”„‟‹›«»′″‴‵‶〝〞〟＂＇「」『』﹁❛❜❝❞ʹʺʻʼʽˈˊˋˮʹ՚׳״ߴߵꞋꞌᑊᐧᛌ゛ﾞ\u0301\u030e'].map(
      (mark): [unknown, string] => [`a${' '}${mark} b`, 'a b'],
    ),
    ['https://claude.ai/', 'httpsclaude.ai'],
    ['Claude ✓ verified ✅', 'Claude verified'],
    [`A${'\u0300'.repeat(50)}`, 'À\u0300\u0300\u0300'],
    // Names in other scripts, and ordinary names, stay as they are.
    ...[
      'Claude Code (laptop)',
      'Acme & Söhne, Inc. #2',
      'データ・アシスタント'.replaceAll('・', ''),
      'مساعد',
      'साथी',
      'ผู้ช่วย',
    ].map((name): [unknown, string] => [name, name]),
  ];
  it("its name is shown in a separate box, without characters that could make it part of the page's text", async () => {
    const headings = new Set<string>();
    for (const [name, shown] of said) {
      const { body } = await register({ client_name: name });
      const page = await followTo(moved(ann), authorizeUrl(testServer.url, body['client_id'] ?? '').address);
      const [, box = ''] =
        /<dt>It calls itself \(not verified\)<\/dt><dd><bdi>([^<]*)<\/bdi><\/dd>/.exec(page.text) ?? [];
      expect(box.replaceAll('&amp;', '&'), JSON.stringify(name)).toBe(shown);
      headings.add(/<h1>(.*)<\/h1>/.exec(page.text)?.[1] ?? '');
      // It stands nowhere else on the page.
      expect(page.text.replaceAll('An assistant', '').split(`>${box}<`).length).toBeLessThanOrEqual(2);
    }
    expect([...headings]).toEqual(['Let an assistant use your library?']);
  });

  it('nothing of a private network is fetched for it, however its address is written', async () => {
    let connections = 0;
    const inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const port = String((inside.address() as AddressInfo).port);
    try {
      for (const written of privateDocuments) {
        const clientId = written.replace('PORT', port);
        const shown = await stranger().get(authorizeUrl(testServer.url, clientId).address);
        expect([shown.status, shown.location], clientId).toEqual([400, null]);
      }
    } finally {
      await new Promise((resolve) => inside.close(resolve));
    }
    expect(connections).toBe(0);
  });

  it('floods are limited by address and in storage', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 14 }, async () => {
        const sent = await fetch(`${testServer.url}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.1' },
          body: JSON.stringify({ redirect_uris: [callback] }),
        });
        return sent.status;
      }),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    const { oauth } = testServer.app.stores.control;
    const key = (at: number) => Buffer.from(String(at).padStart(32, '0'));
    const record = { payload: '{}', uid: null, grantId: null, expiresAt: testServer.clock.now() + 1_800_000 };
    for (const [kind, max] of [
      ['Client', 1_000],
      ['Interaction', 2_000],
      ['Session', 2_000],
    ] as const) {
      await Promise.all(
        Array.from({ length: max + 20 }, (_, at) =>
          oauth.put(kind, key(at), { ...record, expiresAt: record.expiresAt + at }),
        ),
      );
      const found = await Promise.all(Array.from({ length: max + 20 }, (_, at) => oauth.find(kind, key(at))));
      expect(found.filter((one) => one !== null).length, kind).toBeLessThanOrEqual(max);
      expect(found.at(-1), kind).not.toBeNull();
    }
  });
});

describe('nobody is signed in as somebody else', () => {
  it.each([
    ['../x', '/'],
    ['//evil.example', '/'],
    [`${evil}/`, '/'],
    [String.raw`/\evil.example`, '/'],
    ['javascript:alert(1)', '/'],
    ['x\r\nLocation: https://evil.example/', '/'],
    ['AAAAAAAAAAAAAAAAAAAAA', '/oauth/consent/AAAAAAAAAAAAAAAAAAAAA'],
  ])('and after signing in nobody is led away by %j', async (waiting, place) => {
    const browser = stranger();
    await browser.get(`/sign-in?next=${encodeURIComponent(waiting)}&return_to=${encodeURIComponent(waiting)}`);
    const done = await browser.post('/sign-in', { name: 'Bob', password, waiting, next: waiting, return_to: waiting });
    expect(done.location).toBe(place);
  });

  it.each(['//evil.example/account', '/sign-in/%2f%2fevil.example', '/account/..//evil.example', '/\\evil.example'])(
    'or by the path %s',
    async (path) => {
      const shown = await rawRequest({ path });
      expect(shown.headers['location']).toBeUndefined();
    },
  );

  it('by names: an unknown one costs as many hashes as a wrong password', async () => {
    let hashes = 0;
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'SCRYPTREQUEST') hashes += 1;
      },
    }).enable();
    try {
      const counts: number[] = [];
      for (const name of ['Ann', 'Nobody', '', 'x'.repeat(500)]) {
        const browser = stranger();
        await browser.get('/sign-in');
        hashes = 0;
        const refused = await browser.post('/sign-in', { name, password: 'a wrong password' });
        expect(refused.status).toBe(401);
        counts.push(hashes);
      }
      expect(counts).toEqual([1, 1, 1, 1]);
    } finally {
      hook.disable();
    }
  });

  it.each([
    [
      'an action of Ann’s account',
      '/account/assistants/end',
      async (): Promise<string | undefined> => (await everyGrant(localAccountId))[0]?.id,
    ],
    [
      'a session of Ann’s',
      '/account/sessions/end',
      async (): Promise<string | undefined> => (await testServer.app.signIn.listSessions(localAccountId))[0]?.id,
    ],
    ['an id that is no text', '/account/tokens/end', (): Promise<string> => Promise.resolve('[object Object]')],
  ] as const)('Bob does not end %s', async (_, path, idOf) => {
    await bob.get('/account');
    await bob.post(path, { id: (await idOf()) ?? '' });
    expect(await statusOf('/content', bearer(anns.access))).toBe(200);
    expect((await ann.get('/account')).status).toBe(200);
  });

  it.each([
    ['with the name of a person in a header', { 'remote-user': 'Ann' }],
    [
      'with names that proxies use',
      { 'x-remote-user': 'Ann', 'x-forwarded-user': 'Ann', 'x-auth-request-user': 'Ann' },
    ],
    ['with another name of the cookie', { cookie: `__Host-commonplace-session=${'A'.repeat(43)}` }],
  ])('%s', async (_, headers) => {
    expect((await stranger().get('/account', headers)).location).toBe('/sign-in');
  });
});

/** A request whose headers are sent as they are. */
function rawRequest({
  path,
  headers = {},
}: {
  path: string;
  headers?: Record<string, string | string[]>;
}): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const { hostname, port } = new URL(testServer.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers: { ...someAddress(), ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the server keeps its own address', () => {
  const metadata = '/.well-known/oauth-authorization-server';
  const forwarded: Record<string, string>[] = [
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-host': '127.0.0.1, evil.example' },
    { 'x-forwarded-proto': 'javascript' },
    { forwarded: 'host=evil.example' },
    { 'x-original-host': 'evil.example', 'x-rewrite-url': '/account' },
  ];
  it.each(forwarded)('whatever a proxy forwards: %j', async (headers) => {
    const shown = await rawRequest({ path: metadata, headers });
    const { issuer } = JSON.parse(shown.text) as { issuer: string };
    expect(new URL(issuer).host).toBe(new URL(testServer.url).host);
    expect(issuer).toMatch(/^https?:/);
  });

  it('in lower case, however the host is written', async () => {
    const { port } = new URL(testServer.url);
    const shown = await rawRequest({ path: metadata, headers: { host: `LocalHost:${port}` } });
    expect(JSON.parse(shown.text)).toMatchObject({ issuer: `http://localhost:${port}` });
  });

  it.each([
    '/',
    '/docs',
    '/sign-in',
    '/sign-in/link?code=x',
    '/account',
    '/oauth/authorize',
    '/oauth/consent/AAAAAAAAAAAAAAAAAAAAA',
    '/oauth/authorize/AAAAAAAAAAAAAAAAAAAAA',
  ])('%s cannot be framed', async (path) => {
    const shown: Shown = await ann.get(path, { accept: 'text/html' });
    expect(shown.headers.get('x-frame-options')).toBe('DENY');
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('the header of a sign-in proxy is accepted from the proxy only', () => {
  let other: Awaited<ReturnType<typeof openSignIn>>;
  beforeAll(async () => {
    const settings = { signIn: 'proxy', trustedIdentityHeader: 'Remote-User', trustedProxies: ['10.9.8.7'] };
    other = await openSignIn(settings);
    await other.testServer.app.signIn.useLinkAs((await other.testServer.app.signIn.createOwnerLink()) ?? '', 'ann');
  });
  afterAll(() => other.close());

  const smuggled: Record<string, string>[] = [
    { 'remote-user': 'ann' },
    { 'REMOTE-USER': 'ann' },
    { remote_user: 'ann' },
    { 'remote-user': 'ann', 'x-forwarded-for': '10.9.8.7' },
    { 'remote-user': 'ann', 'x-real-ip': '10.9.8.7', forwarded: 'for=10.9.8.7' },
    { 'remote-user': 'ann', cookie: `${sessionCookie}=${'A'.repeat(43)}` },
    { 'x-remote-user': 'ann', 'x-forwarded-user': 'ann' },
  ];
  it.each(smuggled)('%j', async (headers) => {
    const { url } = other.testServer;
    for (const path of ['/account', '/sign-in/link?code=x']) {
      const shown = await openBrowser(url).get(path, headers);
      expect([shown.status, shown.text.includes('The library')]).toEqual([403, false]);
    }
  });
});

it('in the end, only the actions of Ann and Bob have had an effect', async () => {
  const { app } = testServer;
  expect(await app.access.listTokens()).toEqual([]);
  expect((await app.signIn.listSessions(localAccountId)).map(({ browser }) => browser)).toEqual(['test browser']);
  expect(await statusOf('/content', bearer(anns.access))).toBe(200);
  expect(await statusOf('/content', bearer(bobs.access))).toBe(200);
  expect((await ann.get('/account')).status).toBe(200);
  expect((await everyGrant(bobsAccount)).length).toBe(1);
  const names = (await app.access.listAccounts()).map(({ name }) => name);
  expect(names).toEqual(['Local', 'Bob']);
});
