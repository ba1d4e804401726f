import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

const places = [
  process.env['CHROMIUM'] ?? '',
  // Without windows and all that belongs to them: it takes a fifth less processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const program = places.find((place) => place !== '' && existsSync(place));

/** With `PAGE_PICTURES=<folder>`, every page that is looked at is drawn there as PNG, wide and on a phone. */
const pictures = process.env['PAGE_PICTURES'];

/**
 * With `CHROMIUM_SLOWNESS=6`, the scripts of every page take six times as long, and each answer 300 ms more, as on a poor phone or a busy
 * machine. A test that then fails acted before what it acts on was there, or people lose a key or a press as well.
 */
const slowness = Number(process.env['CHROMIUM_SLOWNESS'] ?? 1);

/**
 * Whether tests that need a browser are left out, because there is none. Never in CI: `.ci/run` installs one.
 */
export const hasNoChromium = program === undefined && process.env['CI'] === undefined;
if (hasNoChromium)
  process.stderr.write(
    'NOT TRIED: the pages in a real browser, because no Chromium was found. Install one (Debian: apt-get install chromium-headless-shell), or name it with CHROMIUM=<path>.\n',
  );

export const desktop = { width: 1_000, height: 800 };
export const phone = { width: 360, height: 740 };

/**
 * Starts one Chromium for the tests of a file. Each `openWindow` is a separate browser: it shares no cookies with the
 * others, and is closed when the test ends. It has no service worker unless asked for: what a test holds back by `page.route`
 * would pass through one that has just begun.
 */
export function useChromium(): { openWindow: (options?: BrowserContextOptions) => Promise<BrowserContext> } {
  let browser: Awaited<ReturnType<typeof chromium.launch>> | undefined;
  let profile = '';
  beforeAll(async () => {
    if (hasNoChromium) return;
    if (program === undefined) throw new Error('no Chromium was found, and CI has to try the pages in one');
    profile = mkdtempSync(join(tmpdir(), 'commonplace-chromium-'));
    browser = await chromium.launch({
      executablePath: program,
      // Root, which CI is, may not use Chromium's sandbox. The pages are ours.
      chromiumSandbox: process.getuid?.() !== 0,
      args: ['--disable-gpu', '--disable-quic', '--disable-sync', `--crash-dumps-dir=${profile}`],
      env: { ...process.env, HOME: profile },
    });
  });
  afterEach(async () => {
    for (const window of browser?.contexts() ?? []) await window.close();
  });
  afterAll(async () => {
    await browser?.close();
    if (profile !== '') rmSync(profile, { recursive: true, force: true });
  });
  return {
    async openWindow(options) {
      if (browser === undefined) throw new Error('Chromium is not running');
      const window = await browser.newContext({ viewport: desktop, serviceWorkers: 'block', ...options });
      // Its own 30 s are too short for a busy machine. The runner's limit is longer, so that what is waited for is named.
      window.setDefaultTimeout(120_000);
      if (slowness > 1)
        window.on('page', (page) => {
          void window.newCDPSession(page).then((session) =>
            Promise.all([
              session.send('Emulation.setCPUThrottlingRate', { rate: slowness }),
              session.send('Network.enable'),
              session.send('Network.emulateNetworkConditions', {
                offline: false,
                latency: slowness * 50,
                downloadThroughput: -1,
                uploadThroughput: -1,
              }),
            ]),
          );
        });
      return window;
    },
  };
}

/** Standards that every page meets: WCAG 2.2 AA, and what axe calls good practice. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Looks at the page as people see it: wide and light, and dark on a phone. axe finds nothing to mend, nothing is wider
 * than the screen, and what is pressed is large enough for a finger.
 * @param name of the picture
 */
export async function expectGoodPage(page: Page, name: string): Promise<void> {
  // Not as a script of the page, which its policy would refuse.
  await page.evaluate(axe.source);
  const wide = { type: 'tag', values: standards };
  expect(await lookAt(page, wide), `${name}, wide`).toEqual({ mend: [], overflow: 0, small: [] });
  await showOnPhone(page);
  const dark = { type: 'rule', values: ['color-contrast', 'target-size'] };
  expect(await lookAt(page, dark), `${name}, dark on a phone`).toEqual({ mend: [], overflow: 0, small: [] });
  // As wide as a window of 1,280 pixels at 400 %.
  await page.setViewportSize({ ...phone, width: 320 });
  expect(await page.evaluate(overflow), `${name}, narrow`).toBe(0);
  await showOnDesktop(page);
  await drawPage(page, name);
}

async function showOnPhone(page: Page): Promise<void> {
  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: 'dark' });
}

async function showOnDesktop(page: Page): Promise<void> {
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Draws the page, if pictures are wanted: for pages that differ little from one that `expectGoodPage` looks at. */
export async function drawPage(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}-wide.png`), fullPage: true });
  await showOnPhone(page);
  await page.screenshot({ path: join(pictures, `${name}-phone.png`), fullPage: true });
  await showOnDesktop(page);
}

/** Pixels by which the page is wider than the screen. */
const overflow = 'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)';

interface Look {
  /** What axe found. */
  mend: string[];
  /** Pixels by which the page is wider than the screen. */
  overflow: number;
  /** What is pressed or filled in and is less than 24 pixels high. */
  small: string[];
}

async function lookAt(page: Page, runOnly: object): Promise<Look> {
  const { violations, ...look } = (await page.evaluate(`(async () => ({
    violations: (await axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })).violations,
    overflow: ${overflow},
    small: [...document.querySelectorAll('button, summary, label.choice, input:not([type=hidden], [type=checkbox], [type=radio]), select')]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24)
      .map((one) => one.outerHTML),
  }))()`)) as Omit<Look, 'mend'> & Pick<AxeResults, 'violations'>;
  return { ...look, mend: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`) };
}
