import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { operations } from '../../../src/operations/index.ts';
import { pageOperations } from '../../../src/operations/page.ts';
import { openBrowser, type Shown, type TestBrowser } from '../../support/access/browser.ts';
import { acceptsHtml as html, cookiesOf, enter, tokenOf } from '../../support/access/page-calls.ts';
import { servePage } from '../../support/access/page.ts';
import { becomeOwner, invite, password, serveSignIn } from '../../support/access/sign-in.ts';

interface Called {
  operation?: string;
  cookie?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A call as the page's script makes it, or as somebody else would. */
async function call(url: string, { operation = 'library_state', cookie = '', headers = {}, body = '{}' }: Called) {
  const response = await fetch(`${url}/app/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, ...(cookie !== '' && { cookie }), ...headers },
    body,
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

describe('signing in on one’s own machine', () => {
  it('uses the link of `commonplace open`, which works once, and a click', async () => {
    const testServer = await servePage();
    const { app, url } = testServer;
    const browser = openBrowser(url);
    const code = await app.signIn.createLink(localAccountId, 'open');
    const shown = await browser.get(`/app/enter?code=${code}`);
    expect(shown.status).toBe(200);
    // Looking is not entering.
    expect((await browser.get('/', html)).text).not.toContain('id="start"');
    await browser.get(`/app/enter?code=${code}`);
    expect((await browser.post('/app/enter', { code })).location).toBe('/');
    expect((await browser.get('/', html)).text).toContain('id="start"');
    const other = openBrowser(url);
    expect((await other.get(`/app/enter?code=${code}`)).status).toBe(404);
    expect((await other.get('/', html)).text).not.toContain('id="start"');
  });

  it('accepts no click from another site, and no link for another purpose', async () => {
    const { app, url } = await servePage();
    const browser = openBrowser(url);
    const code = await app.signIn.createLink(localAccountId, 'open');
    await browser.get(`/app/enter?code=${code}`);
    const foreign = await browser.post('/app/enter', { code }, { origin: 'http://127.0.0.1:1' });
    expect([foreign.status, browser.cookies.has('commonplace-local-session')]).toEqual([400, false]);
    const owner = (await app.signIn.createOwnerLink()) ?? '';
    expect((await browser.get(`/app/enter?code=${owner}`)).status).toBe(404);
    await browser.get(`/app/enter?code=${code}`);
    expect((await browser.post('/app/enter', { code: owner })).status).toBe(404);
  });

  it('works on this machine only: with a public address the page requires signing in', async () => {
    const { url } = await servePage({ publicUrl: 'https://library.example.org' });
    const ask = (path: string) => fetch(url + path, { headers: { ...html, host: 'library.example.org' } });
    expect((await ask('/app/enter?code=x')).status).toBe(401);
    expect((await ask('/app/week')).status).toBe(401);
  });

  it('tells visitors how to sign in and shows nothing else', async () => {
    const { url } = await servePage();
    const shown = await openBrowser(url).get('/app/week', html);
    expect([shown.status, shown.text.includes('commonplace open')]).toEqual([401, true]);
    expect(shown.text).not.toContain('id="start"');
  });
});

describe('the route of the page', () => {
  it('calls every operation of the program, and those of the page', async () => {
    const testServer = await servePage();
    const { browser, formToken } = await enter(testServer);
    const headers = { 'x-commonplace-form': formToken };
    const cookie = cookiesOf(browser);
    for (const { name } of [...operations, ...pageOperations]) {
      const { status, body } = await call(testServer.url, { operation: name, cookie, headers, body: '{"wrong":1}' });
      const isRead = JSON.stringify(body['errors'] ?? []).includes('wrong');
      expect([name, status, isRead]).toEqual([name, 400, true]);
    }
    const unknown = await call(testServer.url, { operation: 'nothing', cookie, headers });
    expect(unknown.status).toBe(404);
    const { status, body, headers: answered } = await call(testServer.url, { cookie, headers });
    expect([status, body['searchable'], answered.get('cache-control')]).toEqual([200, 0, 'no-store']);
  });

  it('refuses requests that do not come from the page itself', async () => {
    const testServer = await servePage();
    const { browser, formToken } = await enter(testServer);
    const cookie = cookiesOf(browser);
    const token = (
      await testServer.app.access.createToken({ account: localAccountId, name: 'laptop', scopes: ['content:read'] })
    ).token;
    const right = { 'x-commonplace-form': formToken };
    const tries: [status: number, Called][] = [
      [401, { headers: right }],
      [401, { headers: { ...right, authorization: `Bearer ${token}` } }],
      // A page of an earlier session: its writes wait until it is loaded again, and are not refused.
      [401, { cookie }],
      [401, { cookie, headers: { 'x-commonplace-form': `${formToken}x` } }],
      [400, { cookie, headers: { ...right, origin: 'https://attacker.example' } }],
      [400, { cookie, headers: { ...right, origin: 'null' } }],
      [400, { cookie, headers: { ...right, origin: testServer.url.replace('127.0.0.1', 'localhost') } }],
      [415, { cookie, headers: { ...right, 'content-type': 'text/plain' } }],
      [200, { cookie, headers: right }],
    ];
    for (const [index, [status, sent]] of tries.entries())
      expect([index, (await call(testServer.url, sent)).status]).toEqual([index, status]);
    const preflight = await fetch(`${testServer.url}/app/api/library_state`, {
      method: 'OPTIONS',
      headers: { origin: 'https://attacker.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is not in the API document, and API paths accept no cookie', async () => {
    const testServer = await servePage({ apiV1: true });
    const { browser } = await enter(testServer);
    for (const path of ['/openapi.json', '/api/v1/openapi.json'])
      expect((await browser.get(path)).text).not.toContain('/app');
    for (const path of ['/content', '/goals', '/api/v1/content', '/mcp'])
      expect([path, (await browser.get(path)).status]).toEqual([path, 401]);
  });

  it('applies a repeated write with its key once, even after a new sign-in', async () => {
    const testServer = await servePage();
    const input = JSON.stringify({ title: 'Sleep eight hours', category: 'Health' });
    const send = async (key: string) => {
      const { browser, formToken } = await enter(testServer);
      const headers = { 'x-commonplace-form': formToken, 'idempotency-key': key };
      return call(testServer.url, { cookie: cookiesOf(browser), headers, operation: 'add_goal', body: input });
    };
    const [first, again] = [await send('k1'), await send('k1')];
    expect([first.status, again.body]).toEqual([200, first.body]);
    const { browser, formToken } = await enter(testServer);
    const asked = { cookie: cookiesOf(browser), headers: { 'x-commonplace-form': formToken, 'idempotency-key': 'k1' } };
    const history = await call(testServer.url, { ...asked, operation: 'history' });
    expect(history.body['items']).toHaveLength(1);
    const other = JSON.stringify({ title: 'Another', category: 'Health' });
    expect((await call(testServer.url, { ...asked, operation: 'add_goal', body: other })).status).toBe(409);
  });

  it("records changes under the browser's name, and undoes them", async () => {
    const testServer = await servePage();
    const { browser, formToken } = await enter(testServer);
    const asked = { cookie: cookiesOf(browser), headers: { 'x-commonplace-form': formToken } };
    const input = JSON.stringify({ title: 'Sleep eight hours', category: 'Health' });
    const { body } = await call(testServer.url, { ...asked, operation: 'add_goal', body: input });
    const history = await call(testServer.url, { ...asked, operation: 'history' });
    expect(history.body['items']).toMatchObject([{ id: body['undo'], operation: 'add_goal', face: 'page' }]);
    const undone = await call(testServer.url, {
      ...asked,
      operation: 'undo',
      body: JSON.stringify({ id: body['undo'] }),
    });
    expect(undone.body).toMatchObject({ outcome: 'undone' });
  });
});

describe('a page with sign-in', () => {
  it('shows each person their own library, and nothing after the session ends', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    const bob = openBrowser(testServer.url);
    await invite(testServer, bob, 'Bob');
    await testServer.app.services.goals.add(localAccountId, { title: 'A goal of Ann', category: 'Health' });
    const [ofAnn, ofBob] = [await testServer.browser.get('/', html), await bob.get('/', html)];
    const ask = async (browser: TestBrowser, shown: Shown) =>
      (
        await call(testServer.url, {
          operation: 'list_goals',
          cookie: cookiesOf(browser),
          headers: { 'x-commonplace-form': tokenOf(shown) },
        })
      ).body['total'];
    expect(await ask(testServer.browser, ofAnn)).toBe(1);
    expect(await ask(bob, ofBob)).toBe(0);
    // The token of one browser is no use with the cookies of another.
    const mixed = await call(testServer.url, {
      cookie: cookiesOf(bob),
      headers: { 'x-commonplace-form': tokenOf(ofAnn) },
    });
    expect(mixed.status).toBe(401);
    const cookie = cookiesOf(bob);
    await bob.get('/account');
    await bob.post('/sign-out', {});
    const after = await call(testServer.url, { cookie, headers: { 'x-commonplace-form': tokenOf(ofBob) } });
    expect(after.status).toBe(401);
    expect((await bob.get('/app/week', html)).location).toBe('/sign-in?to=%2Fapp%2Fweek');
  });

  it('leads after signing in to the requested address, and to no other server', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    const { browser } = testServer;
    await browser.get('/account');
    await browser.post('/sign-out', {});
    expect((await browser.get('/', html)).location).toBe('/sign-in');
    const { location } = await browser.get('/app/read/c_aaaaaaaaaaaaaaaa?x=1', html);
    expect(location).toBe('/sign-in?to=%2Fapp%2Fread%2Fc_aaaaaaaaaaaaaaaa%3Fx%3D1');
    const to = '/app/read/c_aaaaaaaaaaaaaaaa?x=1';
    expect((await browser.get(location ?? '')).text).toContain(`name="to" value="${to}"`);
    const enter = async (wanted: string) => {
      await browser.get('/sign-in');
      const entered = (await browser.post('/sign-in', { name: 'Ann', password, to: wanted })).location;
      await browser.get('/account');
      await browser.post('/sign-out', {});
      return entered;
    };
    expect(await enter(to)).toBe(to);
    expect(await enter('/?q=coffee')).toBe('/?q=coffee');
    for (const elsewhere of [
      'https://evil.example/app/',
      '//evil.example/app/',
      '/\\evil.example',
      '/app/../..//evil.example',
      '/oauth/authorize',
      'javascript:alert(1)',
      `/app/${'a'.repeat(5_000)}`,
    ])
      expect([elsewhere, await enter(elsewhere)]).toEqual([elsewhere, '/']);
  });

  it('tells a person who makes too many requests, without a redirect loop', async () => {
    const testServer = await serveSignIn({ rateLimitPerMinute: 1 });
    await becomeOwner(testServer);
    expect((await testServer.browser.get('/', html)).status).toBe(200);
    expect((await testServer.browser.get('/', html)).status).toBe(429);
  });

  it('leads an account without access to the explanation', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    await testServer.app.access.setPlan(localAccountId, 'free');
    const shown = await testServer.browser.get('/app', html);
    expect([shown.status, shown.location]).toEqual([303, '/account']);
    expect((await testServer.browser.get('/account', html)).text).toContain('access is for Pro accounts');
  });
});

describe('the document', () => {
  it('runs only its own script, and shows saved content as text', async () => {
    const testServer = await servePage();
    await testServer.app.services.library.saveNote(
      localAccountId,
      { title: '</script><script>alert(1)</script>', text: 'Hidden <img src=x onerror=alert(2)>' },
      { signal: new AbortController().signal },
    );
    const { browser } = await enter(testServer);
    const { headers, text } = await browser.get('/', html);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'.*script-src 'self';.*require-trusted-types-for 'script'/);
    expect(policy).not.toMatch(/unsafe|https:|\*/);
    expect(text.match(/<script/g)).toHaveLength(2);
    expect(text).not.toMatch(/ style=| on\w+=|javascript:/);
    expect(text).toContain('&lt;/script>');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('loads pictures and players of other sites only when the person allows it', async () => {
    const testServer = await servePage();
    const { browser } = await enter(testServer);
    browser.cookies.set('commonplace-images', 'on');
    browser.cookies.set('commonplace-players', 'on');
    const policy = (await browser.get('/', html)).headers.get('content-security-policy');
    expect(policy).toContain("img-src 'self' data: https:");
    expect(policy).toContain("frame-src 'self' https://www.youtube-nocookie.com");
  });

  it('has compressed files with permanent caching, and no others', async () => {
    const testServer = await servePage();
    const { browser } = await enter(testServer);
    const { text } = await browser.get('/', html);
    const files = [...text.matchAll(/\/app\/assets\/([\w.-]+)/g)].map(([path]) => path);
    expect(files.length).toBeGreaterThanOrEqual(4);
    let packed = 0;
    for (const file of new Set(files)) {
      const answer = await fetch(testServer.url + file);
      expect([file, answer.status, answer.headers.get('cache-control')]).toEqual([
        file,
        200,
        'public, max-age=31536000, immutable',
      ]);
      const small = await new Promise<number>((resolve, reject) => {
        httpRequest(testServer.url + file, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
          let size = 0;
          response.on('data', (piece: Buffer) => (size += piece.length)).on('end', () => resolve(size));
        })
          .on('error', reject)
          .end();
      });
      packed += small;
    }
    expect(packed).toBeLessThan(90_000);
    for (const path of ['/app/assets/render.js', '/app/assets/names.json', '/app/assets/..%2f..%2fpackage.json'])
      expect([path, (await fetch(testServer.url + path)).status]).toEqual([path, 404]);
  });

  it('is the same at an address with a trailing slash', async () => {
    const { browser } = await enter(await servePage());
    expect((await browser.get('/app/actions/', html)).text).toContain('<title>To do – ');
    expect((await browser.get('/app/', html)).text).toContain('<title>Commonplace<');
    expect((await browser.get('/app/elsewhere/', html)).text).toContain('Nothing here');
  });

  it('has a manifest for installing it on a phone', async () => {
    const { url } = await servePage();
    const answer = await fetch(`${url}/app/manifest.webmanifest`);
    const manifest = (await answer.json()) as { icons: { src: string; sizes: string }[]; display: string };
    expect(answer.headers.get('content-type')).toBe('application/manifest+json');
    expect([manifest.display, manifest.icons.map(({ sizes }) => sizes)]).toEqual([
      'standalone',
      ['192x192', '512x512', 'any'],
    ]);
    for (const { src } of manifest.icons) expect((await fetch(url + src)).status).toBe(200);
  });

  it('contains the beginning of a long text; the browser draws the rest', async () => {
    const testServer = await servePage();
    const { library } = testServer.app.services;
    const waiting = { signal: new AbortController().signal };
    const one = await library.saveNote(
      localAccountId,
      { title: 'One', text: `Begin ${'*a* '.repeat(50_000)}` },
      waiting,
    );
    const many = await library.saveNote(
      localAccountId,
      { title: 'Many', text: Array.from({ length: 400 }, (_, at) => `${at} ${'*b* '.repeat(250)}`).join('\n\n') },
      waiting,
    );
    await testServer.app.worker.runUntilEmpty();
    const { browser } = await enter(testServer);
    for (const [{ id }, mark, most] of [
      [one, '<em>a</em>', 50_000 / 4],
      [many, '<em>b</em>', 30_000 / 4],
    ] as const) {
      const { text } = await browser.get(`/app/read/${id}`, html);
      const drawn = text.split(mark).length - 1;
      expect(drawn).toBeGreaterThan(5_000);
      expect(drawn).toBeLessThanOrEqual(most);
    }
  });
});
