import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import type { List } from '../../../web/data/records.ts';
import { makePdf } from '../../support/texts/pdf.ts';
import { runCommand, startServing, type ServingProcess } from '../../support/servers/serving.ts';
import { atEnd, type ExtensionBrowser, openExtension, startTestSite, temporaryFolder, testFlags } from './support.ts';

interface Served {
  data: string;
  site: string;
  server: ServingProcess;
  /** Titles of what the library has, oldest first. */
  titles(): Promise<(string | null)[]>;
  /** A key as the page of the server makes it. */
  makeKey(name: string): Promise<{ id: string; secret: string }>;
}

/** The built server, and a site of which every path is a page. */
async function serve(): Promise<Served> {
  const data = temporaryFolder();
  const server = await startServing(data, 0, testFlags.slice(2));
  atEnd(() => server.end('SIGKILL'));
  const site = await startTestSite((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const sentence = `<p>This is the page ${request.url}, which has some words to be read by a program.</p>`;
    response.end(`<!doctype html><title>Page ${request.url}</title><article>${sentence.repeat(9)}</article>`);
  });
  const listed = async (): Promise<ContentItem[]> => (await runCommand<List<ContentItem>>(data, 'list')).items;
  return {
    data,
    site,
    server,
    titles: async () => (await listed()).map(({ title }) => title).reverse(),
    makeKey: (name) => runCommand(data, 'token', 'create', name, '--permissions', 'content:write,capture:read'),
  };
}

/** As the options do it, without the question of the browser. */
async function useKey({ worker }: ExtensionBrowser, { url }: ServingProcess, token: string): Promise<void> {
  await worker.evaluate((settings) => chrome.storage.local.set(settings), { way: 'server', server: url, key: token });
}

async function openPage({ window }: ExtensionBrowser, address: string): Promise<Page> {
  const page = await window.newPage();
  await page.goto(address);
  return page;
}

async function savePage(browser: ExtensionBrowser, address: string, says: string | RegExp): Promise<void> {
  const panel = await browser.panel(await openPage(browser, address));
  await panel.getByRole('button', { name: /^Save/ }).click();
  await panel.getByText(says).waitFor();
  await panel.close();
}

describe('the extension with a server', () => {
  it('gets a key with one click, which saves, looks up, marks and does nothing else', async () => {
    const { data, site, server, titles } = await serve();
    const browser = await openExtension();
    const { url } = await runCommand<{ url: string }>(data, 'open', '--port', new URL(server.url).port);
    const library = await openPage(browser, url);
    await library.getByRole('button', { name: 'Open it' }).click();
    await library.waitForURL(`${server.url}/`);

    const options = await browser.options();
    await options.getByLabel('On a server').check();
    await options.getByLabel('Its address').fill(server.url);
    const [asking] = await Promise.all([
      browser.window.waitForEvent('page'),
      options.getByRole('button', { name: 'Connect' }).click(),
    ]);
    await asking.getByRole('button', { name: 'Let it save' }).click();
    await options.getByText(`Connected to ${server.url}.`).waitFor();
    expect(await asking.content()).not.toContain('cpl_');

    await savePage(browser, `${site}/one`, 'Saved.');
    await expect.poll(titles).toEqual(['Page /one']);
    const panel = await browser.panel(await openPage(browser, `${site}/one`));
    await panel.getByText(/^Already saved on /).waitFor();

    const { key } = await browser.worker.evaluate(() => chrome.storage.local.get<{ key: string }>('key'));
    const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
      (await fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${key}` } })).status;
    expect(await statusOf('/content')).toBe(403);
    expect(await statusOf('/actions')).toBe(403);
  });

  it('keeps saves while the server is away, in order and across a restart of the browser', async () => {
    const { data, site, server, titles, makeKey } = await serve();
    const profile = temporaryFolder();
    const first = await openExtension(profile);
    await useKey(first, server, (await makeKey('browser')).secret);
    await server.end();
    for (const path of ['/one', '/two', '/three']) await savePage(first, site + path, /Kept in this browser/);
    expect(await first.badge()).toBe('3');
    await first.close();

    const again = await openExtension(profile);
    const back = await startServing(data, Number(new URL(server.url).port), testFlags.slice(2));
    atEnd(() => back.end('SIGKILL'));
    await savePage(again, `${site}/four`, 'Saved.');
    await expect.poll(titles).toEqual(['Page /one', 'Page /two', 'Page /three', 'Page /four']);
    expect(await again.badge()).toBe('');
  });

  it('saves from two windows at once, each page once', async () => {
    const { site, server, titles, makeKey } = await serve();
    const browser = await openExtension();
    await useKey(browser, server, (await makeKey('browser')).secret);
    const pages = [await openPage(browser, `${site}/left`), await openPage(browser, `${site}/right`)];
    const ids = await Promise.all(pages.map((page) => browser.tabId(page)));
    await browser.worker.evaluate((tabId) => chrome.windows.create({ tabId }), ids[1]);
    const panels = [];
    for (const page of pages) panels.push(await browser.panel(page));
    await Promise.all(panels.map((panel) => panel.getByRole('button', { name: /^Save/ }).click()));
    for (const panel of panels) await panel.getByText('Saved.', { exact: true }).waitFor();
    await expect.poll(async () => (await titles()).toSorted()).toEqual(['Page /left', 'Page /right']);
  });

  it('says that its key was revoked, and sends waiting pages with the next one', async () => {
    const { data, site, server, titles, makeKey } = await serve();
    const browser = await openExtension();
    const { id, secret } = await makeKey('browser');
    await useKey(browser, server, secret);
    await savePage(browser, `${site}/before`, 'Saved.');
    await runCommand(data, 'token', 'revoke', id);
    await savePage(browser, `${site}/after`, /Kept in this browser/);
    expect(await browser.badge()).toBe('!');
    expect(await titles()).toEqual(['Page /before']);
    const options = await browser.options();
    await options.getByText('Page /after').waitFor();
    await useKey(browser, server, (await makeKey('another')).secret);
    await options.getByRole('button', { name: 'Try now' }).click();
    await options.getByText('Not sent yet').waitFor({ state: 'detached' });
    await expect.poll(titles).toEqual(['Page /before', 'Page /after']);
    expect(await browser.badge()).toBe('');
  });

  it('sends the bytes of a PDF', async () => {
    const { data, server, titles, makeKey } = await serve();
    const pdf = await makePdf([[{ text: 'The bridge is closed until the spring.', x: 72, y: 90 }]], {
      title: 'Bridges',
    });
    const site = await startTestSite((_request, response) => {
      response.setHeader('content-type', 'application/pdf');
      response.end(pdf);
    });
    const browser = await openExtension();
    await useKey(browser, server, (await makeKey('browser')).secret);
    await savePage(browser, `${site}/bridges.pdf`, 'Saved.');
    await expect.poll(titles).toEqual(['Bridges']);
    // Its title came with it, before it is read.
    await expect
      .poll(async () => (await runCommand<List<ContentItem>>(data, 'list')).items)
      .toMatchObject([{ url: `${site}/bridges.pdf`, contentType: 'pdf', pageCount: 1 }]);
  });

  it('saves by its keys and its menu: a page, a link, words, and all tabs of a window', async () => {
    const { data, site, server, titles, makeKey } = await serve();
    const browser = await openExtension();
    await useKey(browser, server, (await makeKey('browser')).secret);
    const page = await openPage(browser, `${site}/keys`);
    const tab = await browser.tabId(page);
    const press = (command: string | null, info: object = {}): Promise<void> =>
      browser.worker.evaluate(
        async ([id, name, clicked]) => {
          const events = chrome as unknown as Record<string, Record<string, { dispatch(...given: unknown[]): void }>>;
          const pressed = await chrome.tabs.get(id);
          // Nobody can answer the question of a browser that a test drives.
          chrome.permissions.request = (() => Promise.resolve(true)) as typeof chrome.permissions.request;
          if (name !== null) events['commands']?.['onCommand']?.dispatch(name, pressed);
          else events['contextMenus']?.['onClicked']?.dispatch(clicked, pressed);
        },
        [tab, command, info] as const,
      );
    await press('save-page');
    await expect.poll(titles).toEqual(['Page /keys']);
    await press(null, { menuItemId: 'link', linkUrl: `${site}/linked` });
    await expect.poll(titles).toEqual(['Page /keys', 'Page /linked']);
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('p:nth-of-type(2)') as Node));
    await press(null, { menuItemId: 'selection', selectionText: 'This is the page' });
    const marks = async () => (await runCommand<List<{ quote: string }>>(data, 'highlights')).items;
    const quote = 'This is the page /keys, which has some words to be read by a program.';
    await expect.poll(marks).toMatchObject([{ quote, place: 'found', contentTitle: 'Page /keys' }]);
    await openPage(browser, `${site}/other`);
    await press(null, { menuItemId: 'tabs' });
    await expect.poll(async () => (await titles()).toSorted()).toEqual(['Page /keys', 'Page /linked', 'Page /other']);
    await expect.poll(browser.badge).toBe('');
  });

  it('says that only the address is saved of a page that it cannot read', async () => {
    const { server, makeKey } = await serve();
    const site = await startTestSite((_request, response) => {
      response.setHeader('content-type', 'text/plain').end('Words of a file.');
    });
    const browser = await openExtension();
    await useKey(browser, server, (await makeKey('browser')).secret);
    const panel = await browser.panel(await openPage(browser, `${site}/words.txt`));
    await panel.getByText('The extension cannot read this page: only its address is saved.').waitFor();
    // The browser's own pages are no part of the web.
    const closed = await browser.panel(await openPage(browser, 'chrome://version'));
    await closed.getByText('The browser lets no extension read this page.').waitFor();
    expect(await closed.getByRole('button').count()).toBe(0);
  });

  it('accepts calls from its own pages only', async () => {
    const { site } = await serve();
    const browser = await openExtension();
    const page = await openPage(browser, `${site}/hostile`);
    const tab = await browser.tabId(page);
    // A script of the extension in a page, which a hostile page would have to take over.
    const answer = browser.worker.evaluate(async (tabId) => {
      const [found] = await chrome.scripting.executeScript({
        target: { tabId },
        func: () =>
          Promise.race([
            chrome.runtime.sendMessage({ call: 'keep', input: { tabId: 1, tags: [], notes: '' } }),
            new Promise((resolve) => setTimeout(resolve, 1_000, 'no answer')),
          ]).catch((error: unknown) => String(error)),
      });
      return found?.result ?? 'no answer';
    }, tab);
    expect(await answer).not.toMatchObject({ answer: expect.anything() });
    expect(await browser.call('list', {})).toEqual([]);
    expect(await page.evaluate('typeof window.commonplace + typeof window.chrome?.runtime?.sendMessage')).toBe(
      'undefinedundefined',
    );
  });
});
