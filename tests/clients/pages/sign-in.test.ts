import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { drawPage, expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { authorizeUrl, register, statusWith, token } from '../../support/access/raw-assistant.ts';
import { password, serveSignIn, type SignInServer } from '../../support/access/sign-in.ts';

/* The pages as people meet them: in a real browser, with its own idea of cookies, forms, policies and redirects. */

const { openWindow } = useChromium();

/** Fills the form of the page, and presses a button. Resolves when the next page is shown. */
async function submit(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await press(page, button);
}

async function press(page: Page, button: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
  const answered = page.waitForEvent('domcontentloaded');
  await page.getByRole(role, { name: button, exact: true }).click();
  await answered;
}

/** Presses a button that leads to no page. Resolves to the address at which the browser stopped. */
async function lastRequest(page: Page, button: string): Promise<string> {
  const failed = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: button, exact: true }).click();
  return (await failed).url();
}

const heading = (page: Page): Promise<string> => page.locator('h1').innerText();

/** Makes Ann the owner by her link, and answers the page of her account. */
async function ownerPage(testServer: SignInServer, window: BrowserContext): Promise<Page> {
  const page = await window.newPage();
  await page.goto(`${testServer.url}/sign-in/link?code=${await testServer.app.signIn.createOwnerLink()}`);
  await submit(page, { Name: 'Ann', Password: password }, 'Save and sign in');
  await page.goto(`${testServer.url}/account`);
  return page;
}

/** A program on this machine that waits for its answer, as Claude Code does. */
async function startProgram(): Promise<{ address: string; close: () => Promise<void> }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Back</title><h1>Back in the program</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/callback`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

describe.skipIf(hasNoChromium)('in a browser', () => {
  it('the first visitor becomes the owner with the link, and signs out and in again', async () => {
    const testServer = await serveSignIn();
    const window = await openWindow();
    const page = await window.newPage();
    await page.goto(testServer.url);
    expect(await heading(page)).toBe('Sign in');
    await expectGoodPage(page, 'sign-in');

    const link = `${testServer.url}/sign-in/link?code=${await testServer.app.signIn.createOwnerLink()}`;
    await page.goto(link);
    await drawPage(page, 'owner');
    await submit(page, { Name: 'Ann Example', Password: 'ann example' }, 'Save and sign in');
    expect(await page.getByRole('alert').innerText()).toContain('not your name');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ann Example');
    await expectGoodPage(page, 'owner-refused');
    await submit(page, { Name: 'Ann', Password: password }, 'Save and sign in');
    expect([new URL(page.url()).pathname, await heading(page)]).toEqual(['/', 'Library']);
    await page.goto(`${testServer.url}/app/settings`);
    await press(page, 'Password and account', 'link');
    expect([new URL(page.url()).pathname, await heading(page)]).toEqual(['/account', 'Your account']);
    await drawPage(page, 'account-new');
    const cookies = await window.cookies();
    expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([
      [true, 'Lax'],
      [true, 'Lax'],
    ]);

    await press(page, 'Sign out');
    expect(await heading(page)).toBe('Sign in');
    await page.goto(link);
    expect(await page.getByRole('alert').innerText()).toContain('This link has been used');
    await drawPage(page, 'link-used');
    await page.goto(`${testServer.url}/sign-in`);
    await submit(page, { Name: 'Ann', Password: 'a wrong password' }, 'Sign in');
    expect(await page.getByRole('alert').innerText()).toBe('The name or the password is not right.');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await drawPage(page, 'sign-in-wrong');
    await submit(page, { Name: 'ann', Password: password }, 'Sign in');
    expect(await heading(page)).toBe('Library');
    await window.close();
  });

  it('an invited person gets error messages, and a new password by a link', async () => {
    const testServer = await serveSignIn();
    const { app, url } = testServer;
    const [window, other] = [await openWindow(), await openWindow()];
    const account = await app.access.addAccount('Bob’s library', 'free');
    const page = await window.newPage();
    await page.goto(`${url}/sign-in/link?code=${await app.signIn.createLink(account.id, 'invitation')}`);
    expect(await heading(page)).toBe('You are invited');
    await drawPage(page, 'invitation');
    await submit(page, { Name: 'Bob', Password: password }, 'Save and sign in');
    expect(await page.locator('.problem').innerText()).toContain('access is for Pro accounts');
    await drawPage(page, 'account-free');

    const reset = await other.newPage();
    await reset.goto(`${url}/sign-in/link?code=${await app.signIn.createLink(account.id, 'reset')}`);
    expect(await heading(reset)).toBe('Choose a new password');
    await expectGoodPage(reset, 'reset');
    expect(await reset.getByLabel('Name').inputValue()).toBe('Bob');
    await submit(reset, { Password: 'another password' }, 'Save and sign in');
    expect(await reset.locator('main').innerText()).toContain('Bob’s library');
    await page.reload();
    expect(await heading(page)).toBe('Sign in');
    await Promise.all([window.close(), other.close()]);
  });

  it('`commonplace open` signs in with one click', async () => {
    const { app, url } = await serveSignIn();
    const window = await openWindow();
    const page = await window.newPage();
    await page.goto(`${url}/sign-in/link?code=${await app.signIn.createLink(localAccountId, 'open')}`);
    await expectGoodPage(page, 'open');
    await press(page, 'Sign in');
    expect(await heading(page)).toBe('Library');
    await window.close();
  });

  it('a local assistant gets less than it requested, is listed, and is disconnected', async () => {
    const testServer = await serveSignIn();
    const { url } = testServer;
    const window = await openWindow();
    const account = await ownerPage(testServer, window);
    const program = await startProgram();
    try {
      const asks = { client_name: 'Claude Code', redirect_uris: [program.address] };
      const clientId = (await register(url, asks)).body['client_id'] ?? '';
      const request = authorizeUrl(url, clientId, { redirect_uri: program.address });
      const page = await window.newPage();
      await page.goto(request.address);
      expect(await heading(page)).toBe('Let an assistant use your library?');
      expect(await page.locator('.asker').innerText()).toMatch(
        /Claude Code\s+The answer goes to\s+a program on your own machine/,
      );
      await expectGoodPage(page, 'consent');
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
      await press(page, 'Allow');
      expect(await page.getByRole('alert').innerText()).toContain('Tick at least one');
      await drawPage(page, 'consent-nothing');
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
      await page.getByLabel('see your goals').check();
      await press(page, 'Allow');
      expect(await heading(page)).toBe('Back in the program');
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const { body } = await token(url, {
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: program.address,
        code_verifier: request.verifier,
        code,
      });
      const access = body['access_token'] ?? '';
      expect([await statusWith(url, access, '/goals'), await statusWith(url, access, '/content')]).toEqual([200, 403]);

      await account.reload();
      expect(await account.locator('.list').first().innerText()).toContain('may see your goals.');
      await expectGoodPage(account, 'account-assistant');
      await press(account, 'Cut off Claude Code');
      expect(await account.locator('main').innerText()).toContain('None yet.');
      expect(await statusWith(url, access, '/goals')).toBe(401);
    } finally {
      await program.close();
    }
    await window.close();
  });

  it('an assistant is refused after the person signed in on the way', async () => {
    const testServer = await serveSignIn();
    const { url } = testServer;
    const [owner, window] = [await openWindow(), await openWindow()];
    await ownerPage(testServer, owner);
    const program = await startProgram();
    try {
      const clientId = (await register(url, { redirect_uris: [program.address] })).body['client_id'] ?? '';
      const page = await window.newPage();
      await page.goto(authorizeUrl(url, clientId, { redirect_uri: program.address }).address);
      expect(await page.locator('main').innerText()).toContain('An assistant asks to use your library');
      await drawPage(page, 'consent-sign-in');
      await submit(page, { Name: 'Ann', Password: password }, 'Sign in');
      expect(await heading(page)).toContain('use your library?');
      await press(page, 'Do not allow');
      expect(await heading(page)).toBe('Back in the program');
      const answer = new URL(page.url()).searchParams;
      expect([answer.get('error'), answer.has('code')]).toEqual(['access_denied', false]);
    } finally {
      await program.close();
    }
    await Promise.all([owner.close(), window.close()]);
  });

  it('the answer reaches an app by its own scheme, which the policy of the page has to allow', async () => {
    const testServer = await serveSignIn();
    const { url } = testServer;
    const window = await openWindow();
    const page = await ownerPage(testServer, window);
    const redirect = 'com.example.app:/callback';
    const clientId = (await register(url, { redirect_uris: [redirect] })).body['client_id'] ?? '';
    const { address } = authorizeUrl(url, clientId, { redirect_uri: redirect });
    await page.goto(address);
    expect(await page.locator('main').innerText()).toContain('the app that opens com.example.app: links');
    // There is no such app here: Chromium asks for its address, and gives up.
    expect((await lastRequest(page, 'Allow')).startsWith(`${redirect}?code=`)).toBe(true);

    // Without its scheme in the policy, Chromium stops before it, which shows that the policy counts.
    const strict = await window.newPage();
    await strict.goto(address);
    await strict.route('**/oauth/consent/*', async (route) => {
      const response = await route.fetch();
      const policy = response.headers()['content-security-policy'] ?? '';
      const narrowed = policy.replace(/form-action [^;]*/, "form-action 'self'");
      await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': narrowed } });
    });
    await strict.reload();
    await strict.unrouteAll();
    expect(await lastRequest(strict, 'Allow')).toContain(`${url}/oauth/authorize/`);
    await window.close();
  });

  it('a token is created, is shown once, works, and is revoked', async () => {
    const testServer = await serveSignIn();
    const { url } = testServer;
    const window = await openWindow();
    const page = await ownerPage(testServer, window);
    await page.getByText('Make a token').click();
    await drawPage(page, 'account-token-form');
    await page.getByLabel('save, change and delete items').uncheck();
    await submit(page, { 'What it is for': 'the laptop' }, 'Make it');
    const made = await page.getByRole('status').locator('code').innerText();
    expect(made).toMatch(/^cpl_/);
    await page.getByText('Make a token').click();
    await page.getByText('Change it').first().click();
    await expectGoodPage(page, 'account-token-made');
    const save = await fetch(`${url}/content`, { method: 'POST', headers: { authorization: `Bearer ${made}` } });
    expect([await statusWith(url, made), save.status]).toEqual([200, 403]);
    await page.goto(`${url}/account`);
    expect(await page.locator('main').innerText()).not.toContain(made);
    await press(page, 'End the token the laptop');
    expect(await statusWith(url, made)).toBe(401);
    await window.close();
  });

  it('another browser’s session is ended, and the password changed', async () => {
    const testServer = await serveSignIn();
    const [window, other] = [await openWindow(), await openWindow()];
    const page = await ownerPage(testServer, window);
    const elsewhere = await other.newPage();
    await elsewhere.goto(`${testServer.url}/sign-in`);
    await submit(elsewhere, { Name: 'Ann', Password: password }, 'Sign in');
    await page.reload();
    await expectGoodPage(page, 'account-sessions');
    await press(page, /^End the session/);
    await elsewhere.reload();
    // It says nothing of any library.
    expect(await heading(elsewhere)).toBe('Sign in');
    await elsewhere.getByLabel('Password').waitFor();
    await page.getByText('Change it').first().click();
    await submit(page, { 'Present password': password, 'New password': 'another password' }, 'Change it');
    await submit(elsewhere, { Name: 'Ann', Password: 'another password' }, 'Sign in');
    expect(await heading(elsewhere)).toBe('Library');
    await Promise.all([window.close(), other.close()]);
  });

  it('a person unknown to the proxy or to this server gets an explanation', async () => {
    const { url } = await serveSignIn({
      signIn: 'proxy',
      trustedIdentityHeader: 'Remote-User',
      trustedProxies: ['127.0.0.1'],
    });
    const window = await openWindow();
    const page = await window.newPage();
    await page.goto(`${url}/account`);
    await drawPage(page, 'proxy-nobody');
    await page.setExtraHTTPHeaders({ 'Remote-User': 'ann@example.org' });
    await page.reload();
    expect(await heading(page)).toBe('No library yet');
    await expectGoodPage(page, 'proxy-stranger');
    await window.close();
  });
});
