import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { startSite } from '../../../demo/site-server.ts';
import type { App } from '../../../src/app/app.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { listen, mounts } from '../../../src/http/listen.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { useChromium } from './chromium.ts';
import { openTestServer } from '../test-server.ts';
import { httpParts } from '../http.ts';

/** A local server without sign-in: its owner opens the page with `commonplace open`. */
export interface PageServer {
  app: App;
  url: string;
  /** Saves pages of the demo and waits until they are processed. @returns their ids */
  saveDemo(...names: string[]): Promise<string[]>;
  /** A page in this window that shows the library, or the given path, and is ready for keys and clicks. */
  enter(window: BrowserContext, path?: string): Promise<Page>;
  /** Ends the server abruptly, like a crash; `start` restarts it at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The server is closed when the test ends. */
export async function servePage(settings: Record<string, unknown> = {}): Promise<PageServer> {
  const { testServer, close } = await openPageServer(settings);
  closers.push(close);
  return testServer;
}

export async function openPageServer(
  settings: Record<string, unknown> = {},
): Promise<{ testServer: PageServer; close: () => Promise<void> }> {
  const opened = await openTestServer({ embedder: 'none', httpPort: 0, rateLimitPerMinute: 0, ...settings });
  const { app } = opened;
  const site = await startSite();
  const serve = async (httpPort: number) =>
    listen(await createHttpServer({ mounts, ...httpParts(app) }), { ...app.config, httpPort }, app.log);
  let server = await serve(0);
  const { url } = server;
  const testServer: PageServer = {
    app,
    url,
    async saveDemo(...names) {
      const ids: string[] = [];
      for (const name of names) {
        const { signal } = new AbortController();
        const { id } = await app.services.library.save(localAccountId, { url: `${site.url}/${name}` }, { signal });
        ids.push(id);
      }
      await app.worker.runUntilEmpty();
      return ids;
    },
    async enter(window, path = '/') {
      const page = await window.newPage();
      const code = await app.signIn.createLink(localAccountId, 'open');
      await page.goto(`${url}/app/enter?code=${code}`);
      await page.getByRole('button', { name: 'Open it' }).click();
      await page.waitForURL(`${url}/`);
      if (path !== '/') await page.goto(url + path);
      return page;
    },
    stop: () => server.close(AbortSignal.abort()),
    async start() {
      server = await serve(Number(new URL(url).port));
    },
  };
  return {
    testServer,
    async close() {
      await server.close(AbortSignal.abort());
      site.close();
      await opened.close();
    },
  };
}

interface Opened {
  /** Absent: a new server. */
  testServer?: PageServer;
  /** Demo pages to save first. */
  demo?: readonly string[];
  path?: string;
  window?: BrowserContextOptions;
}

/** Starts one Chromium for the tests of a file. `open` shows a path of a server in a new window. */
export function usePage() {
  const { openWindow } = useChromium();
  return {
    openWindow,
    async open({ testServer: served, demo = [], path = '/', window: options }: Opened = {}) {
      const testServer = served ?? (await servePage());
      const ids = demo.length === 0 ? [] : await testServer.saveDemo(...demo);
      const window = await openWindow(options);
      const page = await testServer.enter(window, path);
      return { testServer, ids, window, page, complaints: complaintsOf(page) };
    },
  };
}

/** Collects what the browser complains about: scripts and styles that the policy refuses, errors of the page. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
