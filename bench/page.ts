import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import type { Clock } from '../src/domain/clock.ts';
import { localAccountId } from '../src/domain/records/account.ts';
import type { ExportedItem } from '../src/domain/records/transfers/exported.ts';
import { newId } from '../src/domain/records/ids.ts';
import type { Store } from '../src/store/store.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../tests/support/content.ts';

/*
 * How fast the page is in a browser: `npm run build && npx node bench/page.ts [--windows] [items, items, …]`, by default 10,000 and 20,000 items.
 * The first view, from pressing Enter to the text that is painted and to the list that answers keys, with an empty cache and with a full
 * one. Then scrolling from one end of the list to the other, beside the same rows all in the document at once, in turns; these take
 * minutes, and `--windows` leaves them out.
 */

const given = process.argv.slice(2);
const hasAllAtOnce = !given.includes('--windows');
const sizes = given.filter((one) => !one.startsWith('-')).map(Number);
const loads = 7;
const turns = 2;
const copiesAtOnce = 200;
const framesOfScroll = 240;
/** A quick flick: 7,200 pixels, 52 items, a second. */
const flickStep = 120;
const builtProgram = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: () => Promise.resolve(),
};

const words = 'garden bread sleep light letter winter harbour music ledger walk morning kitchen'.split(' ');
const sentence = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, index) => words[(seed * 7 + index * (1 + (seed % 5))) % words.length]).join(' ');

/** Copies of one item, each with a title, a summary and tags of its own: processing them one by one takes longer than all the rest. */
async function fill(store: Store, from: number, to: number): Promise<void> {
  const id = await addFinishedItem(store, {
    url: `https://example.com/${from}/model`,
    blocks: paragraphs(sentence(from, 40)),
    about: { title: 'The model', author: 'Ann Example', siteName: 'Example' },
    analysis: { ...emptyAnalysis, summary: sentence(1, 20) },
  });
  const model = await store.readToExport(id);
  if (model === null) throw new Error('the item that was just saved is not there');
  for (let begun = from + 1; begun < to; begun += copiesAtOnce) {
    const last = Math.min(begun + copiesAtOnce, to);
    await Promise.all(
      Array.from({ length: last - begun }, (_, offset) => store.restoreItem(copyOf(model, begun + offset), [])),
    );
  }
}

function copyOf(model: ExportedItem, i: number): ExportedItem {
  const url = `https://example.com/${i}`;
  const title = `${i}. ${sentence(i, 5 + (i % 6))}`;
  return {
    ...model,
    id: newId('c'),
    url,
    canonicalUrl: url,
    tags: i % 3 === 0 ? [words[i % words.length] ?? '', 'later'] : [],
    summary: `${sentence(i + 3, 28)}.`,
    documents: model.documents.map((document) => ({ ...document, title })),
    createdAt: model.createdAt + i,
    fingerprint: null,
    addresses: [],
    originals: [],
  };
}

async function serve(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const flags = ['serve', '--data', folder, '--http-port', '0', '--embedder', 'none', '--rate-limit-per-minute', '0'];
  const child = spawn(process.execPath, [builtProgram, ...flags, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      const found = /"url":\s*"([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, child };
}

/** Comes in as its owner does. */
async function enter(browser: Browser, folder: string, url: string): Promise<BrowserContext> {
  const { port } = new URL(url);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [builtProgram, 'open', '--data', folder, '--port', port, '--json'],
    { env: { PATH: process.env['PATH'] ?? '' } },
  );
  const { url: link } = JSON.parse(stdout) as { url: string };
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.waitForURL(`${url}/`);
  await page.close();
  return context;
}

interface Load {
  /** The whole document has arrived. */
  document: number;
  /** The first text is painted. */
  painted: number;
  /** The script has taken over: the list has its length, and answers. */
  ready: number;
  /** Bytes as they came over the network, with their headers. */
  bytes: number;
  requests: number;
  /** Milliseconds by which tasks took longer than 50 until then: in that time no key is answered. */
  blocked: number;
}

/** Milliseconds since the navigation began. */
async function load(page: Page, url: string): Promise<Load> {
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const list = document.querySelector('.reel');
      const [painted] = performance.getEntriesByName('first-contentful-paint');
      if (!list?.style.height || painted === undefined) return requestAnimationFrame(look);
      const [navigation] = performance.getEntriesByType('navigation');
      const ready = performance.now();
      const files = [navigation, ...performance.getEntriesByType('resource')];
      const figures = {
        document: navigation.responseEnd,
        painted: painted.startTime,
        ready,
        bytes: files.reduce((sum, file) => sum + file.transferSize, 0),
        requests: files.length,
      };
      let blocked = 0;
      const observer = new PerformanceObserver((list) => {
        for (const task of list.getEntries()) if (task.startTime < ready) blocked += task.duration - 50;
      });
      observer.observe({ type: 'longtask', buffered: true });
      setTimeout(() => resolve({ ...figures, blocked }), 100);
    };
    look();
  })`);
}

interface Scrolled {
  dropped: number;
  longest: number;
  longTasks: number;
  /** Frames in which an empty place was on the screen, near its top, in its middle, or near its bottom. */
  empty: number;
  /** Frames with rows of which only the title, the kind and the day were shown. */
  titlesAlone: number;
  /** Frames that showed rows of another place: the drawing came after the scrolling. */
  behind: number;
}

/** Scrolls in equal steps, one a frame. @param step pixels; null: as many as lead to the end of the list */
function scroll(page: Page, step: number | null): Promise<Scrolled> {
  return page.evaluate(`new Promise((resolve) => {
    scrollTo(0, 0);
    let longTasks = 0;
    const observer = new PerformanceObserver((list) => { longTasks += list.getEntries().length; });
    observer.observe({ type: 'longtask' });
    const step = ${step} ?? (document.documentElement.scrollHeight - innerHeight) / ${framesOfScroll};
    const times = [];
    let [frame, empty, titlesAlone, behind] = [0, 0, 0, 0];
    const list = document.querySelector('.reel') ?? document.querySelector('.rows');
    const height = document.querySelector('.row').getBoundingClientRect().height;
    // Before this frame is drawn: what the frame before showed.
    const look = () => {
      // At the top of the page the list begins further down.
      const places = [0.15, 0.5, 0.85].map((share) => share * innerHeight).filter((y) => y > list.getBoundingClientRect().top);
      const seen = places.map((y) => [y, document.elementFromPoint(600, y)?.closest('.row')]);
      if (seen.some(([, row]) => !row?.textContent)) empty += 1;
      else if (seen.some(([, row]) => row.querySelector('.summary') === null)) titlesAlone += 1;
      const isBehind = ([y, row]) => Math.floor((y - list.getBoundingClientRect().top) / height) + 1 !== Number(row?.getAttribute('aria-posinset'));
      if (seen.some(isBehind)) behind += 1;
    };
    const next = (now) => {
      times.push(now);
      look();
      frame += 1;
      if (frame <= ${framesOfScroll}) { scrollTo(0, frame * step); return requestAnimationFrame(next); }
      observer.disconnect();
      const gaps = times.slice(1).map((time, index) => time - times[index]);
      const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / (1000 / 60)) - 1), 0);
      resolve({ dropped, longest: Math.max(...gaps), longTasks, empty, titlesAlone, behind });
    };
    requestAnimationFrame(next);
  })`);
}

/** The same rows, all in the document. @returns the milliseconds until they are laid out */
function drawAll(page: Page): Promise<number> {
  return page.evaluate(`(async () => {
    const { formToken } = JSON.parse(document.getElementById('start').textContent);
    const ask = async (offset) => (await (await fetch('/app/api/list_library', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-commonplace-form': formToken },
      body: JSON.stringify({ limit: 100, offset }),
    })).json());
    const { total } = await ask(0);
    const items = [];
    for (let offset = 0; offset < total; offset += 100) items.push(...(await ask(offset)).items);
    const model = document.querySelector('.row');
    const begun = performance.now();
    const list = document.createElement('ol');
    list.className = 'rows';
    for (const [index, { title, summary }] of items.entries()) {
      const row = model.cloneNode(true);
      row.setAttribute('aria-posinset', String(index + 1));
      row.querySelector('a').textContent = title;
      row.querySelector('.summary').textContent = summary;
      list.append(row);
    }
    document.querySelector('main').replaceChildren(list);
    list.getBoundingClientRect();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return performance.now() - begun;
  })()`);
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const show = (of: readonly Load[]): string =>
  (['document', 'painted', 'ready', 'blocked', 'requests', 'bytes'] as const)
    .map((name) => `${name} ${Math.round(middle(of.map((one) => one[name])))}`)
    .join(', ');
const showScroll = ({ dropped, longest, longTasks, empty, titlesAlone, behind }: Scrolled): string =>
  `dropped frames ${dropped}, longest frame ${Math.round(longest)} ms, long tasks ${longTasks}, of ${framesOfScroll} frames with an empty place ${empty}, with titles alone ${titlesAlone}, behind the scrolling ${behind}`;

async function measure(browser: Browser, folder: string, count: number): Promise<void> {
  const { url, child } = await serve(folder);
  try {
    const context = await enter(browser, folder, url);
    const [cold, warm]: [Load[], Load[]] = [[], []];
    for (let turn = 0; turn < loads; turn += 1) {
      const fresh = await browser.newContext({
        storageState: await context.storageState(),
        viewport: { width: 1_280, height: 800 },
      });
      const page = await fresh.newPage();
      cold.push(await load(page, url));
      warm.push(await load(page, url));
      await fresh.close();
    }
    console.log(
      `${count} items, first view, ms (median of ${loads}): empty cache: ${show(cold)}; full cache: ${show(warm)}`,
    );
    for (let turn = 1; turn <= turns; turn += 1) {
      const page = await context.newPage();
      await load(page, url);
      const print = async (rows: string): Promise<void> => {
        for (const [name, step] of [
          ['a flick', flickStep],
          ['all of it in 4 s', null],
        ] as const)
          console.log(`${count} items, turn ${turn}, ${rows}, ${name}: ${showScroll(await scroll(page, step))}`);
      };
      await print('by windows');
      if (hasAllAtOnce) await print(`all rows at once (drawn in ${Math.round(await drawAll(page))} ms)`);
      await page.close();
    }
    await context.close();
  } finally {
    child.kill();
  }
}

if (!existsSync(program)) throw new Error('No Chromium was found. Install one, or name it with CHROMIUM=<path>.');
const folder = await mkdtemp(join(tmpdir(), 'commonplace-bench-page-'));
const browser = await chromium.launch({
  executablePath: program,
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', `--crash-dumps-dir=${folder}`],
});
try {
  let filled = 0;
  for (const count of sizes.length === 0 ? [10_000, 20_000] : sizes) {
    const stores = await openDataFolder({ folder: join(folder, 'data'), clock });
    await fill(await stores.open(localAccountId), filled, count);
    await stores.close();
    filled = count;
    await measure(browser, join(folder, 'data'), count);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
