import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page, type Worker } from 'playwright-core';
import { afterEach } from 'vitest';
import { runBuiltIn } from '../../support/command.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const program = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== '' && existsSync(path),
);

/** Pages of tests are on this machine. Setup gives these to the program that the browser starts. */
export const testFlags = ['--allow-private-addresses', 'true', '--embedder', 'none'];

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
export const atEnd = (close: () => Promise<unknown> | unknown): void => void closers.push(close);

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-extension-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface ExtensionBrowser {
  window: BrowserContext;
  worker: Worker;
  /** The panel, opened as a separate page on a tab. */
  panel(page: Page): Promise<Page>;
  options(): Promise<Page>;
  /** The id that the extension knows a tab by. */
  tabId(page: Page): Promise<number>;
  /** Calls the background script as a page of the extension does. */
  call<Answer>(call: string, input: object): Promise<Answer>;
  /** What stands at the button. */
  badge(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Debian's full Chromium with the built extension. No test can press the browser's own button or answer its questions, so this copy
 * of the extension has the permissions that people give it by doing so.
 * @param profile of the browser, for a test that starts it twice
 */
export async function openExtension(profile = temporaryFolder()): Promise<ExtensionBrowser> {
  if (program === undefined) throw new Error('These tests need a full Chromium (Debian: apt-get install chromium).');
  const extension = temporaryFolder();
  cpSync(join(root, 'dist', 'extension', 'chromium'), extension, { recursive: true });
  const manifestFile = join(extension, 'manifest.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { permissions: string[] };
  const granted = { permissions: [...manifest.permissions, 'tabs'], host_permissions: ['<all_urls>'] };
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, ...granted }));
  const window = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`, '--disable-gpu'],
    env: { ...process.env, HOME: profile },
  });
  window.setDefaultTimeout(60_000);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await window.close();
    isOpen = false;
  };
  atEnd(close);
  const worker = window.serviceWorkers()[0] ?? (await window.waitForEvent('serviceworker'));
  const base = worker.url().replace(/background\.js$/, '');
  const options = async (): Promise<Page> => {
    const page = await window.newPage();
    await page.goto(`${base}options.html`);
    return page;
  };
  const tabId = async (page: Page): Promise<number> => {
    const found = await worker.evaluate<number | undefined, string>(
      async (url) => (await chrome.tabs.query({})).findLast((tab) => tab.url === url)?.id,
      page.url(),
    );
    if (found === undefined) throw new Error(`no tab shows ${page.url()}`);
    return found;
  };
  return {
    window,
    worker,
    options,
    tabId,
    close,
    async panel(page) {
      const id = await tabId(page);
      const panel = await window.newPage();
      await panel.setViewportSize({ width: 352, height: 560 });
      // As if it hung at the button, over that tab.
      await panel.addInitScript((tab) => {
        chrome.tabs.query = (() => Promise.resolve([{ id: tab }])) as typeof chrome.tabs.query;
      }, id);
      await panel.goto(`${base}panel.html`);
      // Its width makes that of the window at the button; a page has its own.
      await panel.evaluate(() => document.body.style.setProperty('width', 'auto'));
      return panel;
    },
    async call<Answer>(call: string, input: object) {
      const page = await options();
      const said = await page.evaluate(
        (message) => chrome.runtime.sendMessage(message) as Promise<{ answer: unknown; error?: string }>,
        { call, input },
      );
      await page.close();
      if (said.error !== undefined) throw new Error(said.error);
      return said.answer as Answer;
    },
    badge: () => worker.evaluate(() => chrome.action.getBadgeText({})),
  };
}

/** A home in which a browser has been started once, and whose library the extension reaches by the built program. */
export async function homeWithProgram(
  browser: 'chromium' | 'firefox' = 'chromium',
): Promise<{ home: string; data: string; profile: string }> {
  const home = temporaryFolder();
  const profile = join(home, browser === 'chromium' ? '.config/chromium' : '.mozilla');
  mkdirSync(profile, { recursive: true });
  const data = join(home, 'data');
  const words = ['setup', '--host', browser, '--yes', '--data', data, ...testFlags];
  const { code, stderr } = await runBuiltIn({ HOME: home, XDG_CONFIG_HOME: undefined }, ...words);
  if (code !== 0) throw new Error(stderr);
  return { home, data, profile };
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A site of this machine, until the test ends. */
export async function startTestSite(answer: Answer): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
