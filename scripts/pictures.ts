import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { makeBooklet } from '../demo/booklet.ts';
import { localAccountId } from '../src/domain/records/account.ts';
import { listen } from '../src/http/listen.ts';
import { mounts } from '../src/http/listen.ts';
import { createHttpServer } from '../src/http/server.ts';
import { openTestServer } from '../tests/support/test-server.ts';
import { httpParts } from '../tests/support/http.ts';

/*
 * Draws the pictures of the page in docs/images, from a library of the demonstration's own texts:
 *   npm run build && node scripts/pictures.ts
 * It needs Chromium (Debian: apt-get install chromium), or CHROMIUM=<path>.
 */

const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const target = fileURLToPath(new URL('../docs/images/', import.meta.url));
const site = new URL('../demo/site/', import.meta.url);
const html = 'text/html; charset=utf-8';

const page = (title: string, author: string, ...paragraphs: string[]): string =>
  `<!doctype html><html lang="en"><title>${title}</title><meta name="author" content="${author}"><article><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article>`;

/** Addresses under .example belong to nobody. The last one stands at the top. */
const saved: { url: string; tags: string[]; type?: string; body: string | Promise<Uint8Array> }[] = [
  {
    url: 'https://workshop.example/bicycle',
    tags: ['repair'],
    body: page(
      'A bicycle lasts as long as its chain is clean',
      'Tomas Berg',
      'A chain that is wiped every second week lasts three times as long as one that is not. Dirt and oil make a paste that grinds the teeth of the wheels, and those cost ten times what a chain costs.',
      'Wipe the chain with an old towel before each long ride. Oil it at the inside, one drop a link, and wipe off what is left. Measure it twice a year: a chain that is half a percent too long takes everything else with it.',
    ),
  },
  {
    url: 'https://letters.example/by-hand',
    tags: ['friends'],
    body: page(
      'Why I write four letters a year by hand',
      'Noor Haddad',
      'A letter takes an hour, and that hour belongs to one person. Nobody has ever answered mine with a thumb. Four friends have kept every one of them, and two have begun to write back on paper.',
      'Put the dates in your calendar at the beginning of the year. Write about one thing that you saw and one that you wonder about, and ask one question. Do not apologise for the handwriting.',
    ),
  },
  { url: 'https://plainledger.example/quiet-fees', tags: ['money'], body: readFile(new URL('fees.html', site)) },
  {
    url: 'https://roofandrailing.example/balcony.pdf',
    tags: ['garden'],
    type: 'application/pdf',
    body: makeBooklet(),
  },
  {
    url: 'https://kitchen.example/rye',
    tags: ['bread'],
    body: page(
      'Rye bread for people with a job',
      'Mara Lind',
      'Rye asks for time and not for work. The dough stands for eighteen hours, of which you are needed for twelve minutes. Mix it in the evening, shape it in the morning, and bake it when you come home.',
      'Feed the starter on Thursday, and there is bread on Saturday. Let the loaf rest for a day before you cut it: its crumb is still setting, and what tastes damp on the first day is right on the second.',
    ),
  },
  { url: 'https://longtable.example/friendship', tags: ['friends'], body: readFile(new URL('friends.html', site)) },
  {
    url: 'https://slowmornings.example/insomnia',
    tags: ['health', 'sleep'],
    body: readFile(new URL('sleep.html', site)),
  },
];

const testServer = await openTestServer({ embedder: 'none', httpPort: 0, rateLimitPerMinute: 0 });
const { app } = testServer;
const store = await app.stores.open(localAccountId);
for (const { url, tags, type = html, body } of saved) {
  const content = await body;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const original = { url, finalUrl: url, bytes, declaredType: type, fetchedAt: new Date().toISOString() };
  await store.saveContent({ url, canonicalUrl: url, tags, notes: undefined, original });
}
await app.services.goals.add(localAccountId, { title: 'Sleep through the night', category: 'Health' });
await app.services.goals.add(localAccountId, { title: 'See old friends again', category: 'Relationships' });
await app.services.goals.add(localAccountId, { title: 'Save for five years', category: 'Wealth' });
await app.worker.runUntilEmpty();
const { items } = await app.services.library.list(localAccountId, { limit: 100, offset: 0 });
const reading = items.find(({ url }) => url?.includes('slowmornings') === true)?.id ?? '';
await app.services.highlights.add(localAccountId, {
  contentId: reading,
  quote: 'Half of the caffeine',
  note: 'Tea as well? Ask Ines.',
});

const server = await listen(await createHttpServer({ mounts, ...httpParts(app) }), app.config, app.log);
const browser = await chromium.launch({ executablePath: program, chromiumSandbox: process.getuid?.() !== 0 });

async function open(options: Parameters<typeof browser.newContext>[0]): Promise<Page> {
  const window: BrowserContext = await browser.newContext(options);
  const entered = await window.newPage();
  await entered.goto(`${server.url}/app/enter?code=${await app.signIn.createLink(localAccountId, 'open')}`);
  await entered.getByRole('button', { name: 'Open it' }).click();
  await entered.waitForURL(`${server.url}/`);
  return entered;
}

/** @param place what stands in the middle of the picture; its top when absent */
async function draw(shown: Page, path: string, name: string, place?: string): Promise<void> {
  await shown.goto(server.url + path);
  await shown.waitForLoadState('networkidle');
  await shown.evaluate('document.fonts.ready');
  if (place !== undefined)
    await shown.evaluate(`document.querySelector(${JSON.stringify(place)}).scrollIntoView({ block: 'center' })`);
  await shown.screenshot({ path: `${target}${name}.png` });
}

try {
  await mkdir(target, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const desk = await open({ viewport: { width: 1_180, height: 740 }, colorScheme });
    await draw(desk, '/', `page-library-${colorScheme}`);
  }
  // Wide enough for notes beside the text.
  const wide = await open({ viewport: { width: 1_600, height: 800 }, colorScheme: 'light' });
  await draw(wide, `/app/read/${reading}`, 'page-reading', '.block:has(mark.highlight)');
  const phone = { viewport: { width: 360, height: 720 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true };
  await draw(await open({ ...phone, colorScheme: 'light' }), '/?q=how+long+does+coffee+last', 'page-phone-search');
  await draw(await open({ ...phone, colorScheme: 'dark' }), `/app/read/${reading}`, 'page-phone-reading');
} finally {
  await browser.close();
  await server.close(AbortSignal.abort());
  await testServer.close();
}
