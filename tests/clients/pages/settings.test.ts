import { describe, expect, it } from 'vitest';
import { localAccountId, localCaller } from '../../../src/domain/records/account.ts';
import { recordKey } from '../../../src/domain/access/oauth.ts';
import { drawPage, expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { complaintsOf, servePage } from '../../support/access/page.ts';
import { password, serveSignIn, sessionCookie } from '../../support/access/sign-in.ts';

/* What a person decides about the page and the access to their library, in a real browser. */

const { openWindow } = useChromium();

describe.skipIf(hasNoChromium)('the settings', () => {
  it('create a token, show it once, and revoke it after a second click', async () => {
    const testServer = await servePage();
    const window = await openWindow();
    const page = await testServer.enter(window, '/app/settings');
    const complaints = complaintsOf(page);
    await page.reload();
    await expectGoodPage(page, 'settings');
    await page.getByText('Make a token').click();
    await page.getByRole('textbox', { name: 'What it is for' }).fill('the laptop');
    await page.getByLabel('save, change and delete items').uncheck();
    await expectGoodPage(page, 'settings-token-form');
    await page.getByRole('button', { name: 'Make it' }).click();
    const made = await page.getByLabel('the secret', { exact: true }).innerText();
    expect(made).toMatch(/^cpl_/);
    const asked = async () =>
      (await fetch(`${testServer.url}/content`, { headers: { authorization: `Bearer ${made}` } })).status;
    expect(await asked()).toBe(200);
    const [{ scopes = [], expiresAt = null } = {}] = await testServer.app.access.listTokens(localAccountId);
    expect([scopes.includes('content:write'), scopes.length, expiresAt !== null]).toEqual([false, 6, true]);
    await drawPage(page, 'settings-token-made');
    await page.reload();
    expect(await page.locator('main').innerText()).not.toContain(made);

    const end = page.getByRole('button', { name: 'End: the laptop' });
    await end.click();
    // The first press only asks, and looking elsewhere is a no.
    await page.getByText('Make a token').focus();
    expect(await asked()).toBe(200);
    await end.click();
    await end.click();
    await page.getByText('The token is ended.').waitFor();
    expect(await asked()).toBe(401);
    expect(complaints).toEqual([]);
    await window.close();
  });

  it('create a key with single permissions, rotate it and revoke it', async () => {
    const testServer = await servePage();
    const window = await openWindow();
    const page = await testServer.enter(window, '/app/settings');
    const complaints = complaintsOf(page);
    await page.reload();
    await page.getByText('Make a key').click();
    const form = page.locator('form').filter({ has: page.locator('table') });
    await form.getByLabel('What it is for').fill('reading list');
    await form.getByLabel('saved items: write').check();
    await form.getByLabel('search: read').uncheck();
    await form.getByLabel('Requests a minute').fill('60');
    await expectGoodPage(page, 'settings-key-form');
    await form.getByRole('button', { name: 'Make it' }).click();
    const shown = page.getByLabel('the secret', { exact: true });
    const first = await shown.innerText();
    const { items } = await testServer.app.services.keys.list(localAccountId, { limit: 9, offset: 0 });
    expect(items).toMatchObject([
      { name: 'reading list', permissions: ['content:read', 'content:write'], requestsPerMinute: 60, madeBy: null },
    ]);
    const statusOf = async (secret: string, path = '/content') =>
      (await fetch(testServer.url + path, { headers: { authorization: `Bearer ${secret}` } })).status;
    expect([await statusOf(first), await statusOf(first, '/goals')]).toEqual([200, 403]);
    await page.getByText('may saved items (read, write)').waitFor();

    const rotate = page.getByRole('button', { name: 'New secret: reading list' });
    await rotate.click();
    await rotate.click();
    await page.getByText('the secret before works until').waitFor();
    const second = await shown.innerText();
    expect([second !== first, await statusOf(second), await statusOf(first)]).toEqual([true, 200, 200]);
    await page.reload();
    for (const secret of [first, second]) expect(await page.content()).not.toContain(secret);
    const end = page.getByRole('button', { name: 'End: reading list' });
    await end.click();
    await end.click();
    await page.getByText('The key is ended.').waitFor();
    await expect.poll(() => end.count()).toBe(0);
    expect([await statusOf(second), await statusOf(first)]).toEqual([401, 401]);
    expect(complaints).toEqual([]);
    await window.close();
  });

  it('have a choice of colours, which is kept and applied before any script runs', async () => {
    const testServer = await servePage();
    const window = await openWindow();
    const page = await testServer.enter(window, '/app/settings');
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await paper()).toBe('rgb(251, 248, 241)');
    await page.getByRole('radio', { name: 'Dark' }).check();
    expect(await paper()).toBe('rgb(20, 24, 26)');
    const sent = await (await window.request.get(testServer.url, { headers: { accept: 'text/html' } })).text();
    expect(sent).toContain('data-theme="dark"');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('radio', { name: 'Light' }).check();
    expect(await paper()).toBe('rgb(251, 248, 241)');
    await page.getByRole('radio', { name: 'As the system' }).check();
    expect(await paper()).toBe('rgb(20, 24, 26)');
    await window.close();
  });

  it('allow pictures and players of other sites only on request, and so does the policy', async () => {
    const testServer = await servePage();
    const store = await testServer.app.stores.open(localAccountId);
    const id = await addFinishedItem(store, {
      url: 'https://www.youtube.com/watch?v=abcdefghijk',
      blocks: [
        ...paragraphs('Seen: ![a cat](https://pictures.example/cat.png)'),
        { kind: 'caption', text: 'Said after ten seconds.', locator: { kind: 'time', seconds: 10 } },
      ],
      about: { title: 'A talk', contentType: 'youtube' } as never,
    });
    const window = await openWindow();
    const asked: string[] = [];
    await window.route(/example|youtube/, async (route) => {
      asked.push(route.request().url());
      await route.fulfill({
        body: '',
        contentType: route.request().resourceType() === 'image' ? 'image/png' : 'text/html',
      });
    });
    const page = await testServer.enter(window, `/app/read/${id}`);
    await page.getByText('Picture: a cat').waitFor();
    expect(asked).toEqual([]);
    const policy = async () =>
      (await window.request.get(testServer.url, { headers: { accept: 'text/html' } })).headers()[
        'content-security-policy'
      ];
    expect(await policy()).not.toContain('https:');
    await page.goto(`${testServer.url}/app/settings`);
    for (const name of ['Pictures of saved pages', 'Players of YouTube videos']) {
      await Promise.all([page.waitForEvent('load'), page.getByLabel(name).click()]);
      expect(await page.getByLabel(name).isChecked()).toBe(true);
    }
    expect(await policy()).toContain("img-src 'self' data: https:");
    expect(await policy()).toContain('https://www.youtube-nocookie.com');
    await page.goto(`${testServer.url}/app/read/${id}`);
    await expect
      .poll(() => asked)
      .toEqual(
        expect.arrayContaining([
          'https://pictures.example/cat.png',
          'https://www.youtube-nocookie.com/embed/abcdefghijk',
        ]),
      );
    await page.locator('a.time').click();
    await expect.poll(() => asked).toContain('https://www.youtube-nocookie.com/embed/abcdefghijk?start=10&autoplay=1');
    await window.close();
  });

  it('show all names as text: of tokens, keys, assistants, browsers, people and libraries', async () => {
    const testServer = await serveSignIn();
    const { app, url } = testServer;
    const attack = (what: string) => `${what}<img src=x onerror="attacked()"><script>attacked()</script>'">\u202e`;
    const clean = (what: string) => attack(what).replace('\u202e', '').trim();
    const account = await app.access.addAccount(attack('library'), 'pro');
    const { secret } = await app.signIn.useLink(
      await app.signIn.createLink(account.id, 'invitation'),
      { name: attack('person').slice(0, 100), password },
      { browser: attack('browser'), address: '127.0.0.1' },
    );
    await app.access.createToken({ account: account.id, name: attack('token'), scopes: ['content:read'] });
    const permissions: ['content:read'] = ['content:read'];
    const maker = { ...localCaller(), accountId: account.id };
    await app.services.keys.create(maker, { name: attack('key'), permissions });
    const [grantId, expiresAt] = ['g'.repeat(43), testServer.clock.now() + 86_400_000];
    await app.assistants.records.addGrant({
      id: grantId,
      accountId: account.id,
      clientKey: recordKey('Client', 'theirs'),
      name: attack('assistant'),
      host: attack('host'),
      scopes: permissions,
      expiresAt,
    });
    const kept = { payload: '{}', uid: null, grantId, expiresAt };
    await app.assistants.records.put('RefreshToken', recordKey('RefreshToken', 'theirs'), kept);
    const window = await openWindow();
    await window.addCookies([{ name: sessionCookie, value: secret, url }]);
    const ran: string[] = [];
    await window.exposeFunction('attacked', () => ran.push('a script ran'));
    const page = await window.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${url}/app/settings`);
    for (const what of ['token', 'key', 'assistant', 'host', 'library', 'person'])
      await page.getByText(clean(what).slice(0, 60)).first().waitFor();
    // Words that a name goes into are no markup either, when the button asks.
    for (const button of await page.getByRole('button', { name: /End|Cut off|new secret/ }).all()) await button.click();
    await expectGoodPage(page, 'settings-hostile');
    expect(await page.locator('main script, main img, #page script').count()).toBe(0);
    expect([ran, complaints]).toEqual([[], []]);
    await window.close();
  });

  it('close the library in this browser, by keyboard alone', async () => {
    const testServer = await servePage();
    const window = await openWindow();
    const page = await testServer.enter(window, '/app/settings');
    await page.getByText('(this one)').waitFor();
    const leave = page.getByRole('button', { name: 'Close the library here' });
    await leave.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${testServer.url}/`);
    expect(await page.locator('#start').count()).toBe(0);
    await window.close();
  });
});
