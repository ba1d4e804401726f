import { describe, expect, it, test } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { createPasswords } from '../../../src/services/sign-in/passwords.ts';
import { openBrowser } from '../../support/access/browser.ts';
import { openTestServer } from '../../support/test-server.ts';
import { makeKey } from '../../support/access/keys.ts';
import { becomeOwner, password, serveSignIn as serve, sessionCookie, signIn } from '../../support/access/sign-in.ts';

describe('the first owner', () => {
  it('signs in with a link that works once, and no further link is created', async () => {
    const served = await serve();
    const { app, browser, url } = served;
    const code = (await app.signIn.createOwnerLink()) ?? '';
    expect((await browser.get(`/sign-in/link?code=${code}`)).text).toContain('name and the password of the owner');
    // Looking at the link does not use it up: programs that check links do that too.
    await browser.get(`/sign-in/link?code=${code}`);
    const done = await browser.post('/sign-in/link', { code, name: 'Ann', password });
    expect([done.status, done.location]).toEqual([303, '/']);
    expect((await browser.get('/account')).text).toContain('You are signed in as Ann.');
    const other = openBrowser(url);
    expect((await other.get(`/sign-in/link?code=${code}`)).status).toBe(404);
    expect(await app.signIn.createOwnerLink()).toBeNull();
    expect((await signIn(other, ' ANN ', password)).location).toBe('/');
  });

  it('gets a new link at each start until there is one, which invalidates the previous link', async () => {
    const { app, browser } = await serve();
    const [first, second] = [await app.signIn.createOwnerLink(), await app.signIn.createOwnerLink()];
    expect((await browser.get(`/sign-in/link?code=${first}`)).status).toBe(404);
    expect((await browser.get(`/sign-in/link?code=${second}`)).status).toBe(200);
  });

  it('is one person when two open the link at the same time', async () => {
    const { app, browser, url } = await serve();
    const code = (await app.signIn.createOwnerLink()) ?? '';
    const other = openBrowser(url);
    await Promise.all([browser, other].map((one) => one.get(`/sign-in/link?code=${code}`)));
    const answers = await Promise.all(
      [browser, other].map((one, index) => one.post('/sign-in/link', { code, name: `n${index}`, password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  });

  it.each([
    ['', 'name of 1 to 100'],
    ['short', 'at least 10 characters'],
    ['Ann Example Ltd', 'not your name'],
    ['aaaaaaaaaaaaa', 'more different'],
  ])('cannot choose the password %j', async (chosen, why) => {
    const { app, browser } = await serve();
    const code = (await app.signIn.createOwnerLink()) ?? '';
    await browser.get(`/sign-in/link?code=${code}`);
    const name = chosen === '' ? '' : 'ann example ltd';
    const refused = await browser.post('/sign-in/link', { code, name, password: chosen });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(why);
    expect((await browser.get(`/sign-in/link?code=${code}`)).status).toBe(200);
  });
});

describe('signing in', () => {
  it('does not distinguish an unknown name from a wrong password', async () => {
    const served = await serve();
    await becomeOwner(served);
    const other = openBrowser(served.url);
    const [wrong, unknown] = [await signIn(other, 'Ann', 'wrong password'), await signIn(other, 'Bob', password)];
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const plain = (text: string) => text.replaceAll(/value="[^"]*"/g, '');
    expect(plain(wrong.text)).toBe(plain(unknown.text));
    expect(other.cookies.has(sessionCookie)).toBe(false);
  });

  it('compares a password even where there is none, and never accepts it', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('pässword one');
    expect(stored).toMatch(/^scrypt\$15\$8\$1\$/);
    expect(await passwords.verify('pässword one', stored)).toBe(true);
    expect(await passwords.verify('pässword one'.normalize('NFD'), stored)).toBe(true);
    expect(await passwords.verify('pässword two', stored)).toBe(false);
    for (const guess of ['', 'pässword one']) expect(await passwords.verify(guess, null)).toBe(false);
  });

  it('refuses further guesses, including concurrent ones, and lets the owner in again later', async () => {
    const served = await serve();
    await becomeOwner(served);
    const guesser = openBrowser(served.url);
    await guesser.get('/sign-in');
    const fields = { name: 'ann', password: 'wrong password', form: guesser.formToken() };
    const answers = await Promise.all(Array.from({ length: 40 }, () => guesser.post('/sign-in', fields)));
    const counted = Map.groupBy(answers, ({ status }) => status);
    expect(counted.get(401)?.length).toBe(20);
    expect(counted.get(429)?.length).toBe(20);
    expect((await signIn(guesser, 'Ann', password)).status).toBe(429);
    served.clock.advance(16 * 60_000);
    expect((await signIn(guesser, 'Ann', password)).location).toBe('/');
  });

  it("never adopts a planted session, and ends the browser's previous one", async () => {
    const served = await serve();
    const { app, browser, url } = served;
    await becomeOwner(served);
    const own = browser.cookies.get(sessionCookie) ?? '';
    const planted = 'A'.repeat(43);
    const victim = openBrowser(url);
    victim.cookies.set(sessionCookie, planted);
    await signIn(victim, 'Ann', password);
    expect(victim.cookies.get(sessionCookie)).not.toBe(planted);
    expect(await app.signIn.findSession(planted)).toBeNull();
    const both = { cookie: `${sessionCookie}=${planted}; ${sessionCookie}=${victim.cookies.get(sessionCookie)}` };
    expect((await openBrowser(url).get('/account', both)).location).toBe('/sign-in');
    const before = victim.cookies.get(sessionCookie) ?? '';
    await victim.get('/account');
    await victim.post('/sign-in', { name: 'Ann', password });
    expect(await app.signIn.findSession(before)).toBeNull();
    expect(await app.signIn.findSession(own)).not.toBeNull();
  });
});

describe('a form', () => {
  it('creates a token with the ticked scopes', async () => {
    const served = await serve();
    await becomeOwner(served);
    await served.browser.get('/account');
    const fields = { name: 'laptop', scope: ['search:read'], expires: '90' };
    expect((await served.browser.post('/account/tokens', fields)).text).toMatch(/cpl_[0-9A-Za-z]{49}/);
    expect((await served.app.access.listTokens(localAccountId))[0]?.scopes).toEqual(['search:read']);
  });

  it('larger than any of ours is refused', async () => {
    const { browser } = await serve();
    await browser.get('/sign-in');
    expect((await browser.post('/sign-in', { name: 'x'.repeat(20_000), password: 'y' })).status).toBe(413);
  });
});

test('lists keys with the tokens and can revoke them, but not those of others', async () => {
  const served = await serve();
  const { app, browser } = served;
  await becomeOwner(served);
  expect((await browser.get('/account')).text).not.toContain('<h2>Keys</h2>');
  const key = await makeKey(app, ['content:read'], { name: 'a <reader>' });
  const bob = await app.access.addAccount('Bob', 'pro');
  const his = await makeKey(app, ['content:read'], { account: bob.id, name: 'his' });
  const page = (await browser.get('/account')).text;
  expect(page).toContain('a &lt;reader&gt;');
  expect(page).toContain('content:read<br>');
  expect(page).not.toContain('his</strong>');
  expect((await browser.post('/account/keys/end', { id: his.id })).status).toBe(404);
  expect((await app.access.authenticate(his.secret)).accountId).toBe(bob.id);
  await browser.get('/account');
  await browser.post('/account/keys/end', { id: key.id });
  await expect(app.access.authenticate(key.secret)).rejects.toMatchObject({ code: 'unauthorized' });
  expect((await browser.get('/account')).text).not.toContain('reader');
});

describe('a session', () => {
  it('can be listed and ended, effective with the next request', async () => {
    const served = await serve();
    const { app, browser, url } = served;
    await becomeOwner(served);
    const other = openBrowser(url);
    await signIn(other, 'Ann', password);
    expect((await other.get('/account')).status).toBe(200);
    const sessions = await app.signIn.listSessions(localAccountId);
    expect(sessions).toHaveLength(2);
    const { person } = (await app.signIn.findSession(other.cookies.get(sessionCookie) ?? '')) ?? {};
    await browser.get('/account');
    await browser.post('/account/sessions/end', { id: person?.sessionId ?? '' });
    expect((await other.get('/account')).location).toBe('/sign-in');
    await browser.get('/account');
    const left = await browser.post('/sign-out', {});
    expect(left.location).toBe('/sign-in');
    // Drafts that the page kept in the browser go, too.
    expect(left.headers.get('clear-site-data')).toBe('"storage"');
    expect(await app.signIn.listSessions(localAccountId)).toEqual([]);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('of another account cannot be ended, and neither can its tokens', async () => {
    const served = await serve();
    const { app, browser, url } = served;
    await becomeOwner(served);
    const bob = await app.access.addAccount('Bob', 'pro');
    const code = await app.signIn.createLink(bob.id, 'invitation');
    const other = openBrowser(url);
    await other.get(`/sign-in/link?code=${code}`);
    const taken = await other.post('/sign-in/link', { code, name: 'ANN', password });
    expect([taken.status, taken.text.includes('Choose another')]).toEqual([400, true]);
    await other.post('/sign-in/link', { code, name: 'Bob', password });
    const [session] = await app.signIn.listSessions(bob.id);
    const token = await app.access.createToken({ account: bob.id, name: 'his', scopes: ['search:read'] });
    await browser.get('/account');
    await browser.post('/account/sessions/end', { id: session?.id ?? '' });
    expect((await browser.post('/account/tokens/end', { id: token.id })).status).toBe(404);
    expect((await other.get('/account')).status).toBe(200);
    expect(await app.access.authenticate(token.token)).toMatchObject({ accountId: bob.id });
  });

  it('gets a new secret after a day; the previous one works for two more minutes', async () => {
    const served = await serve();
    const { browser, url, clock } = served;
    await becomeOwner(served);
    const first = browser.cookies.get(sessionCookie) ?? '';
    clock.advance(25 * 3_600_000);
    await browser.get('/account');
    const second = browser.cookies.get(sessionCookie) ?? '';
    expect(second).not.toBe(first);
    const late = openBrowser(url);
    late.cookies.set(sessionCookie, first);
    expect((await late.get('/account')).status).toBe(200);
    expect(late.cookies.get(sessionCookie)).toBe(first);
    clock.advance(3 * 60_000);
    expect((await late.get('/account')).location).toBe('/sign-in');
    expect((await browser.get('/account')).status).toBe(200);
  });

  it('ends thirty days after its last use', async () => {
    const served = await serve();
    await becomeOwner(served);
    served.clock.advance(31 * 24 * 3_600_000);
    expect((await served.browser.get('/account')).location).toBe('/sign-in');
  });

  it('ends when another one changes or resets the password', async () => {
    const served = await serve();
    const { app, browser, url } = served;
    await becomeOwner(served);
    const other = openBrowser(url);
    await signIn(other, 'Ann', password);
    await browser.get('/account');
    expect((await browser.post('/account/password', { present: 'wrong', next: 'another password' })).status).toBe(401);
    await browser.get('/account');
    expect((await browser.post('/account/password', { present: password, next: 'another password' })).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
    expect((await other.get('/account')).location).toBe('/sign-in');
    const code = await app.signIn.createLink(localAccountId, 'reset');
    await other.get(`/sign-in/link?code=${code}`);
    await other.post('/sign-in/link', { code, name: 'Ann', password: 'a third password' });
    expect((await browser.get('/account')).location).toBe('/sign-in');
    expect((await signIn(openBrowser(url), 'Ann', 'another password')).status).toBe(401);
  });

  it("begins with one click on a link from this machine's command line", async () => {
    const { app, browser } = await serve();
    const code = await app.signIn.createLink(localAccountId, 'open');
    expect((await browser.get(`/sign-in/link?code=${code}`)).text).not.toContain('type="password"');
    expect((await browser.post('/sign-in/link', { code })).location).toBe('/');
    expect((await browser.get('/account')).text).toContain('Local');
    expect((await browser.get(`/sign-in/link?code=${code}`)).status).toBe(404);
  });

  it('is gone with its account', async () => {
    const served = await serve();
    const { app, browser } = served;
    const bob = await app.access.addAccount('Bob', 'free');
    const code = await app.signIn.createLink(bob.id, 'invitation');
    await browser.get(`/sign-in/link?code=${code}`);
    await browser.post('/sign-in/link', { code, name: 'Bob', password });
    expect((await browser.get('/account')).text).toContain('access is for Pro accounts');
    await app.access.removeAccount(bob.id);
    expect((await browser.get('/account')).location).toBe('/sign-in');
    expect((await signIn(browser, 'Bob', password)).status).toBe(401);
  });
});

describe('the pages', () => {
  it('load and run nothing, cannot be framed or stored, and show names as text', async () => {
    const served = await serve();
    const { app, browser } = served;
    await becomeOwner(served);
    await app.access.createToken({
      account: localAccountId,
      name: '<script>alert(1)</script>',
      scopes: ['search:read'],
    });
    for (const path of ['/account', '/sign-in/link?code=x']) {
      const shown = await browser.get(path);
      expect(shown.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      );
      expect(shown.headers.get('x-frame-options')).toBe('DENY');
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect(shown.text).not.toMatch(/<script|<img|<iframe|javascript:| on\w+=/i);
    }
    expect((await browser.get('/account')).text).toContain('&lt;script&gt;alert(1)');
  });

  it('do not exist while sign-in is off', async () => {
    const { browser } = await serve({ signIn: 'off' });
    for (const path of ['/sign-in', '/account', '/sign-in/link?code=x'])
      expect((await browser.get(path)).status, path).toBe(401);
    expect((await browser.get('/', { accept: 'text/html' })).text).not.toContain('Sign in');
  });

  it.each([
    { httpHost: '0.0.0.0' },
    { publicUrl: 'http://library.example.org' },
    { publicUrl: 'https://example.org/library' },
    { signIn: 'proxy' },
    { signIn: 'proxy', trustedIdentityHeader: 'Remote-User' },
  ])('are refused with %j, which would be unsafe', async (settings) => {
    const testServer = await openTestServer({ embedder: 'none', httpPort: 0, signIn: 'password', ...settings });
    try {
      await expect(testServer.app.serve()).rejects.toMatchObject({ code: 'invalid_input' });
    } finally {
      await testServer.close();
    }
  });

  it('behind TLS set cookies that no other host and no unencrypted page can set or read', async () => {
    const { browser } = await serve({ publicUrl: 'https://library.example.org' });
    const { headers } = await browser.get('/sign-in');
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-commonplace-form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
      ),
    ]);
  });
});

describe('behind a sign-in proxy', () => {
  const settings = { signIn: 'proxy', trustedIdentityHeader: 'Remote-User', trustedProxies: ['127.0.0.1'] };
  const ann = { 'remote-user': 'ann@example.org' };

  it('a name opens the library that a link assigned to it', async () => {
    const { app, browser } = await serve(settings);
    expect((await browser.get('/account')).status).toBe(403);
    expect((await browser.get('/account', ann)).text).toContain('no library here belongs to this name');
    const code = (await app.signIn.createOwnerLink()) ?? '';
    expect((await browser.get(`/sign-in/link?code=${code}`)).status).toBe(403);
    await browser.get(`/sign-in/link?code=${code}`, ann);
    expect((await browser.post('/sign-in/link', { code }, ann)).location).toBe('/');
    expect((await browser.get('/account', { 'remote-user': 'ANN@example.org' })).text).toContain(
      'The library “Local”.',
    );
    expect((await browser.get('/account', { 'remote-user': 'bob' })).status).toBe(403);
    expect((await browser.get('/sign-in')).status).toBe(401);
  });
});
