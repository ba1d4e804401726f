import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type ExtensionBrowser, openExtension, startTestSite } from './support.ts';

interface Asked {
  path: string;
  body: string;
  key: string | undefined;
  answer(status: number, body?: object): void;
}

interface Opened extends ExtensionBrowser {
  /** Opens a page. @returns its tab */
  open(path: string): Promise<number>;
  /** Presses the keys that save. */
  press(tabId: number): Promise<void>;
  /** What the extension asked of the server. */
  asked: Asked[];
}

/** The extension with a server that answers as a test wants. */
async function openWith(serve: (asked: Asked) => void): Promise<Opened> {
  const asked: Asked[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const key = request.headers['idempotency-key'] as string | undefined;
    const answer = (status: number, said: object = { id: 'c_1' }): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    };
    const one = { path: request.url ?? '', body, key, answer };
    asked.push(one);
    serve(one);
  };
  const server = await startTestSite((request, response) => void receive(request, response));
  const site = await startTestSite((request, response) => {
    response.setHeader('content-type', 'text/html').end(`<title>Page ${request.url}</title><p>Words of a page.</p>`);
  });
  const browser = await openExtension();
  await browser.worker.evaluate((settings) => chrome.storage.local.set(settings), {
    way: 'server',
    server,
    key: 'cpl_test',
  });
  return {
    ...browser,
    asked,
    async open(path) {
      const page = await browser.window.newPage();
      await page.goto(site + path);
      return browser.tabId(page);
    },
    press: (tabId) =>
      browser.worker.evaluate(async (id) => {
        const { onCommand } = chrome.commands as unknown as {
          onCommand: { dispatch(command: string, tab: chrome.tabs.Tab): void };
        };
        onCommand.dispatch('save-page', await chrome.tabs.get(id));
      }, tabId),
  };
}

const notSaved = { item: null, highlights: [], tags: [] };

function alarmsOf({ worker }: ExtensionBrowser): Promise<string[]> {
  return worker.evaluate(async () => (await chrome.alarms.getAll()).map(({ name }) => name));
}

describe('the outbox of the extension', () => {
  it('continues after a save that is refused, damaged, or gone on a retry', async () => {
    const browser = await openWith(({ path, body, answer }) => {
      if (path !== '/capture') answer(200, notSaved);
      else if (body.includes('Page /bad')) answer(400, { detail: 'This page is not taken.' });
      else answer(201);
    });
    await browser.press(await browser.open('/bad'));
    await expect.poll(browser.badge).toBe('1');
    await browser.worker.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('outbox');
          opening.addEventListener('success', () => {
            const transaction = opening.result.transaction(['saves', 'contents'], 'readwrite');
            const save = { key: 'k', url: 'https://example.org/', title: 'Damaged', tags: [], notes: '' };
            const whole = { ...save, highlights: [], isHighlight: false, at: 0, refused: null };
            const adding = transaction.objectStore('saves').add(whole);
            adding.addEventListener('success', () =>
              transaction.objectStore('contents').add({ kind: 'pdf', base64: '%' }, adding.result),
            );
            transaction.addEventListener('complete', () => resolve());
          });
        }),
    );
    await browser.call('retry', { id: 1_000 });
    const tabId = await browser.open('/good');
    const { id } = await browser.call<{ id: number }>('keep', { tabId, tags: [], notes: '', highlight: false });
    expect(await browser.call('send', { id })).toEqual({ state: 'saved', item: 'c_1' });
    expect(await browser.call('list', {})).toMatchObject([
      { title: 'Page /bad', refused: 'This page is not taken.' },
      { title: 'Damaged', refused: expect.any(String) as string },
    ]);
    // What was refused before says nothing about this save.
    await browser.press(tabId);
    await expect.poll(browser.badge).toBe('✓');
  });

  it('keeps an alarm while a page is being sent, in case the browser stops the extension', async () => {
    const browser = await openWith(({ path, answer }) => path !== '/capture' && answer(200, notSaved));
    const tabId = await browser.open('/slow');
    expect(await alarmsOf(browser)).toEqual([]);
    await browser.press(tabId);
    await expect.poll(() => browser.asked.map(({ path }) => path)).toContain('/capture');
    expect(await alarmsOf(browser)).toEqual(['send']);
    browser.asked.find(({ path }) => path === '/capture')?.answer(201);
    await expect.poll(() => alarmsOf(browser)).toEqual([]);
  });

  it('resends a page without its key when the previous request was cut off', async () => {
    const browser = await openWith(({ path, key, answer }) => {
      if (path !== '/capture') answer(200, notSaved);
      else if (key === undefined) answer(200);
      else answer(409, { detail: 'The first request with this idempotency key was cut off.' });
    });
    const tabId = await browser.open('/again');
    const { id } = await browser.call<{ id: number }>('keep', { tabId, tags: [], notes: '', highlight: false });
    expect(await browser.call('send', { id })).toEqual({ state: 'saved', item: 'c_1' });
    const [first, second] = browser.asked.filter(({ path }) => path === '/capture');
    expect(second?.body).toContain('Words of a page.');
    expect([typeof first?.key, second?.key]).toEqual(['string', undefined]);
  });

  it('draws new words at once, and requests others only if they are to be drawn', async () => {
    const browser = await openWith(() => undefined);
    const tabId = await browser.open('/marked');
    const page = browser.window.pages().at(-1);
    const keep = async (draws: boolean): Promise<void> => {
      await browser.worker.evaluate((settings) => chrome.storage.local.set(settings), { draws });
      await page?.evaluate(() => {
        CSS.highlights.clear();
        getSelection()?.selectAllChildren(document.querySelector('p') as Node);
      });
      await browser.call('keep', { tabId, tags: [], notes: '', highlight: true });
      const drawn = () => page?.evaluate(() => [...(CSS.highlights.get('commonplace') ?? [])].map(String));
      await expect.poll(drawn).toEqual(['Words of a page.']);
    };
    await keep(false);
    expect(browser.asked).toEqual([]);
    await keep(true);
    await expect.poll(() => browser.asked.map(({ path }) => path)).toEqual(['/capture/look-up']);
  });
});
