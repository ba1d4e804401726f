import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { complaintsOf, type PageServer, servePage } from '../../support/access/page.ts';
import { password, serveSignIn } from '../../support/access/sign-in.ts';

/* Saving from other pages and from a phone, and reading while the server is away. */

const chromium = useChromium();
const openWindow = (options: BrowserContextOptions = {}) =>
  chromium.openWindow({ serviceWorkers: 'allow', ...options });
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const sentence = 'The sourdough needs a night in the cold, and the oven needs an hour to be hot enough for it.';

/** A site whose page builds itself by script, a part of it in a shadow root, under a strict policy. */
async function startSite(headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/build.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(`
        document.body.innerHTML = '<article><h1>Members only</h1><p id="first">' + ${JSON.stringify(sentence)} + '</p><div id="host"></div></article>';
        const root = document.getElementById('host').attachShadow({ mode: 'open' });
        root.innerHTML = '<p>In the shadow stands the temperature of the oven, which is two hundred and fifty degrees at first.</p>';
      `);
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'");
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end(
      '<!doctype html><html lang="en"><head><title>Members</title><script src="/build.js" defer></script></head><body>Sign in first.</body></html>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const itemsOf = async ({ app }: PageServer) =>
  (await app.services.library.list(localAccountId, { limit: 9, offset: 0 })).items;

/** The code behind the bookmark, run on a page as a press of the bookmark runs it. */
async function press(page: Page, library: Page): Promise<Page> {
  await library.getByText('From other pages').click();
  const href = (await library.getByRole('link', { name: 'Save to Commonplace' }).getAttribute('href')) ?? '';
  const code = decodeURIComponent(href.replace(/^javascript:/, ''));
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(code)]);
  return popup;
}

describe.skipIf(hasNoChromium)('the bookmarklet', () => {
  it('sends the page as shown, with the selection, and saves after a click', async () => {
    const [testServer, site] = [await servePage(), await startSite()];
    const window = await openWindow();
    const library = await testServer.enter(window, '/app/save');
    const page = await window.newPage();
    await page.goto(site);
    await page.locator('#first').waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.getElementById('first'))");
    const popup = await press(page, library);
    const complaints = complaintsOf(popup);
    await popup.getByText(`Members (${new URL(site).host})`).waitFor();
    expect(await itemsOf(testServer)).toEqual([]);
    await expectGoodPage(popup, 'capture');
    await popup.getByLabel('Tags, with commas between them').fill('bread, cold');
    await popup.getByLabel('Your own words about it').fill('For Ida');
    await popup.getByRole('button', { name: 'Save' }).click();
    await popup.getByText('Saved.').waitFor();
    await testServer.app.worker.runUntilEmpty();
    const [item] = await itemsOf(testServer);
    expect(item).toMatchObject({ url: `${site}/`, status: 'completed', tags: ['bread', 'cold'], notes: 'For Ida' });
    const { transcript } = await testServer.app.services.library.get(localAccountId, item?.id ?? '');
    expect(transcript).toContain(sentence);
    expect(transcript).toContain('In the shadow stands the temperature');
    const marked = await testServer.app.services.highlights.list(localAccountId, { limit: 9, offset: 0 });
    expect(marked.items).toMatchObject([{ quote: sentence, place: 'found' }]);
    await popup.getByRole('button', { name: 'Undo' }).click();
    await popup.getByText('Undone.').waitFor();
    expect(await itemsOf(testServer)).toEqual([]);
    expect(complaints).toEqual([]);
    await window.close();
  });

  it('saves nothing by a key that was held down before the window opened', async () => {
    const [testServer, site] = [await servePage(), await startSite()];
    const window = await openWindow();
    const library = await testServer.enter(window, '/app/save');
    const page = await window.newPage();
    await page.goto(site);
    await page.locator('#first').waitFor();
    const popup = await press(page, library);
    await popup.locator('form button:enabled').waitFor();
    // The second of two is a repetition.
    for (let at = 0; at < 2; at += 1) await popup.keyboard.down('Enter');
    await popup.keyboard.up('Enter');
    expect(await popup.locator('#done').textContent()).toBe('');
    expect(await itemsOf(testServer)).toEqual([]);
    await popup.keyboard.press('Enter');
    await popup.getByText('Saved.').waitFor();
    await window.close();
  });

  it('offers the address where the page hides its text from other windows', async () => {
    const [testServer, site] = [await servePage(), await startSite({ 'cross-origin-opener-policy': 'same-origin' })];
    const window = await openWindow();
    const library = await testServer.enter(window, '/app/save');
    const page = await window.newPage();
    await page.goto(site);
    // The page learns nothing of a window that is cut off from it, so the test looks for it among all.
    const opened = window.waitForEvent('page');
    await library.getByText('From other pages').click();
    const href = (await library.getByRole('link', { name: 'Save to Commonplace' }).getAttribute('href')) ?? '';
    await page.evaluate(decodeURIComponent(href.replace(/^javascript:/, '')));
    const popup = await opened;
    await popup.getByText(`Its address will be fetched: ${site}/`).waitFor();
    await popup.getByRole('button', { name: 'Save' }).click();
    await popup.getByText('Saved.').waitFor();
    expect(await itemsOf(testServer)).toMatchObject([{ url: `${site}/`, status: 'pending' }]);
    await window.close();
  });

  it('accepts only the page that opened the window', async () => {
    const [testServer, site] = [await servePage(), await startSite()];
    const window = await openWindow();
    await testServer.enter(window);
    const page = await window.newPage();
    await page.goto(site);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`(() => {
        const opened = open(${JSON.stringify(`${testServer.url}/app/capture`)}, '_blank', 'popup');
        addEventListener('message', () => {
          for (const url of ['https://bank.example/', 'javascript:alert(1)', 7])
            opened.postMessage({ url, title: 'Forged', html: '<p>Forged', selection: '' }, '*');
        });
      })()`),
    ]);
    await popup.getByText('No page was handed over.').waitFor();
    expect(await popup.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await window.close();
  });
});

/** Waits until the service worker answers for this page, and has what it needs to do so without the server. */
async function untilKept(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await expect
    .poll(() => page.evaluate("caches.match('/app/shell', { ignoreVary: true }).then((found) => found !== undefined)"))
    .toBe(true);
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
}

/** A form of this page, as the browser sends what is shared. */
const share = (page: Page, fields: Record<string, string>, server = '') =>
  page.evaluate(`(() => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: ${JSON.stringify(server)} + '/app/share', enctype: 'multipart/form-data' });
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      const field = document.createElement('input');
      Object.assign(field, { name, value });
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  })()`);

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const cached = (page: Page) =>
  page.evaluate(
    'caches.keys().then((names) => Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length)))',
  ) as Promise<number[]>;

describe.skipIf(hasNoChromium)('without the server', () => {
  const open = async (testServer: PageServer, window: BrowserContext) => {
    const page = await testServer.enter(window);
    await untilKept(page);
    return page;
  };

  it('opened items can be read, and changes wait and are sent', async () => {
    const testServer = await servePage();
    const [sleep = '', other = ''] = await testServer.saveDemo('sleep.html', 'friends.html');
    const window = await openWindow(phone);
    const page = await open(testServer, window);
    await page.goto(`${testServer.url}/app/read/${sleep}`);
    await page.locator('.text p').first().waitFor();
    const words = (await page.locator('.text p').first().textContent()) ?? '';
    await page.goto(`${testServer.url}/app/actions`);
    await page.locator('.tick').first().waitFor();
    await testServer.stop();

    // Opened again: the shell, the text, the list.
    await page.goto(`${testServer.url}/app/read/${sleep}`);
    await page.getByText(words.slice(0, 60)).first().waitFor();
    await page.getByText('The server does not answer.').waitFor();
    await page.goto(`${testServer.url}/app/read/${other}`);
    await page.getByText('The server does not answer.').first().waitFor();
    expect(await page.locator('.text p').count()).toBe(0);
    await page.goto(`${testServer.url}/app/actions`);
    await page.locator('.tick').first().click();
    await page.goto(`${testServer.url}/app/save`);
    await page.getByLabel('An address or a note').fill('Written in a tunnel');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.locator('.connection').getByText('2 changes wait to be sent.').waitFor();
    await page.reload();
    await page.locator('.connection').getByText('2 changes wait to be sent.').waitFor();

    await testServer.start();
    await expect.poll(async () => (await itemsOf(testServer)).length).toBe(3);
    await expect
      .poll(
        async () => (await testServer.app.services.actions.list(localAccountId, { offset: 0, completed: true })).total,
      )
      .toBe(1);
    await window.close();
  });

  it('content shared from a phone is kept and saved with a click later; with the server, it is saved at once, with undo', async () => {
    const testServer = await servePage();
    const window = await openWindow(phone);
    const page = await open(testServer, window);
    await share(page, { title: 'A talk', text: 'https://talks.example/1', url: '' });
    await page.waitForURL(`${testServer.url}/app/save`);
    expect(await itemsOf(testServer)).toMatchObject([{ url: 'https://talks.example/1' }]);
    await page.locator('.toast').getByText('Saved.').waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(() => itemsOf(testServer)).toEqual([]);

    await testServer.stop();
    await share(page, { title: '', text: 'Heard in a tunnel', url: '' });
    await page.locator('.toast').getByText('This is kept here, and not saved yet').waitFor();
    await page.waitForURL(`${testServer.url}/app/save`);
    await share(page, { title: '', text: 'Not for the library', url: '' });
    await page.getByText('Not for the library').waitFor();
    // One that the server will refuse, and one of somebody else.
    await page.evaluate(`(async () => {
      const cache = await caches.open('commonplace-shared');
      const keep = (account, name, value) => {
        const form = new FormData();
        form.set(name, value);
        return cache.put('/app/share/' + account + '/9', new Response(form));
      };
      await keep('local', 'nonsense', 'Sent by an old version');
      await keep('somebody-else', 'text', 'Not yours');
    })()`);
    await page.reload();
    await page.getByRole('button', { name: 'Save all of it' }).tap();
    await page.locator('.toast').getByText('This is kept here, and not saved yet').waitFor();
    await page.getByRole('button', { name: 'Discard: Not for the library' }).tap();
    await testServer.start();
    await page.goto(testServer.url);
    await page.locator('.toast').getByText('2 shared things wait on the save page.').waitFor();
    await page.goto(`${testServer.url}/app/save`);
    await expectGoodPage(page, 'shares');
    expect(await itemsOf(testServer)).toEqual([]);
    // Two windows at once.
    const other = await window.newPage();
    await other.goto(`${testServer.url}/app/save`);
    await Promise.all([page, other].map((one) => one.getByRole('button', { name: 'Save all of it' }).tap()));
    await page.getByText('nonsense: does not exist here').waitFor();
    await expect.poll(async () => (await itemsOf(testServer)).length).toBe(1);
    await other.getByText('nonsense: does not exist here').waitFor();
    expect(await itemsOf(testServer)).toHaveLength(1);
    expect(await cached(page)).toContain(2);
    await window.close();
  });

  it('a form of another site is refused, or kept until a click', async () => {
    const [testServer, site] = [await servePage(), await startSite()];
    const window = await openWindow();
    const page = await open(testServer, window);
    // Another port: the browser sends the session's cookie along.
    const sendFromSite = async () => {
      await page.goto(site);
      await share(page, { text: 'Forged' }, testServer.url);
    };
    await sendFromSite();
    await page.getByText('This was sent by another site. Nothing was saved.').waitFor();
    expect(new URL(page.url()).searchParams.has('direct')).toBe(true);
    await testServer.stop();
    await sendFromSite();
    await page.getByText('Shared, not saved yet').waitFor();
    await testServer.start();
    await page.goto(`${testServer.url}/app/save`);
    await page.getByRole('button', { name: 'Discard: Forged' }).waitFor();
    expect(await itemsOf(testServer)).toEqual([]);
    await window.close();
  });

  it('a share after the session ended is kept for its account, and a sign-out link removes nothing', async () => {
    const testServer = await servePage();
    const window = await openWindow();
    const page = await open(testServer, window);
    const before = await cached(page);
    for (const path of ['/sign-in', '/sign-out', '/app/enter']) await page.goto(testServer.url + path);
    const [answers = 0, shares] = await cached(page);
    expect(answers).toBeGreaterThanOrEqual(before[0] ?? 0);
    expect(shares).toBe(before[1]);
    await page.goto(testServer.url);
    await window.clearCookies();
    await share(page, { title: '', text: 'Shared too late', url: '' });
    await expect.poll(() => cached(page)).toContain(1);
    const again = await testServer.enter(window, '/app/save');
    await again.getByRole('button', { name: 'Save all of it' }).click();
    await again.locator('.toast').getByText('Saved.').waitFor();
    await again.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => itemsOf(testServer)).toEqual([]);
    await window.close();
  });

  it('signing in again shows the shared content, and signing out removes it', async () => {
    const testServer = await serveSignIn();
    const window = await openWindow();
    const page = await window.newPage();
    await page.goto(`${testServer.url}/sign-in/link?code=${await testServer.app.signIn.createOwnerLink()}`);
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.waitForURL(`${testServer.url}/`);
    await untilKept(page);
    await window.clearCookies();
    await share(page, { title: '', text: 'Shared too late', url: '' });
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('.toast').getByText('This is kept here, and not saved yet').waitFor();
    await page.getByRole('button', { name: 'Discard: Shared too late' }).waitFor();
    await page.goto(`${testServer.url}/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${testServer.url}/sign-in`);
    await expect.poll(() => cached(page)).toEqual([]);
    await window.close();
  });

  it('the last hundred texts are kept, and the other answers beside them', async () => {
    const testServer = await servePage();
    const [sleep = ''] = await testServer.saveDemo('sleep.html');
    const window = await openWindow();
    const page = await open(testServer, window);
    // As if so many had been opened before.
    await page.evaluate(`(async () => {
      const cache = await caches.open('commonplace-kept');
      for (let at = 0; at < 105; at += 1)
        await cache.put('/app/kept/local/read_item?' + encodeURIComponent(JSON.stringify({ id: 'c_' + at })), new Response('{}'));
      await cache.put('/app/kept/somebody-else/read_item?x', new Response('{}'));
    })()`);
    await page.goto(`${testServer.url}/app/read/${sleep}`);
    await page.locator('.text p').first().waitFor();
    const texts = () =>
      page.evaluate(`caches.open('commonplace-kept').then((cache) => cache.keys())
        .then((all) => all.map(({ url }) => decodeURIComponent(url)).filter((url) => url.includes('/read_item?')))`) as Promise<
        string[]
      >;
    await expect.poll(async () => (await texts()).length).toBe(100);
    const [oldest = '', ...others] = await texts();
    expect(oldest).toContain('{"id":"c_6"}');
    expect(others.at(-1)).toContain(sleep);
    expect(await page.evaluate("caches.match('/app/shell', { ignoreVary: true }).then(Boolean)")).toBe(true);
    await window.close();
  });

  it('closing the library removes everything about the person', async () => {
    const testServer = await servePage();
    const [sleep = ''] = await testServer.saveDemo('sleep.html');
    const window = await openWindow();
    const page = await open(testServer, window);
    await page.goto(`${testServer.url}/app/read/${sleep}`);
    await page.locator('.text p').first().waitFor();
    await expect.poll(async () => (await cached(page)).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5);
    await page.goto(`${testServer.url}/app/settings`);
    await page.getByRole('button', { name: 'Close the library here' }).click();
    await page.getByRole('button', { name: /^Sure/ }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'detached' });
    await expect.poll(() => cached(page)).toEqual([]);
    await testServer.stop();
    await expect(page.goto(`${testServer.url}/app/read/${sleep}`)).rejects.toThrow('net::ERR_');
    await window.close();
  });
});
