import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { openBrowser, type TestBrowser } from '../../support/access/browser.ts';
import { becomeOwner, invite, serveSignIn, type SignInServer } from '../../support/access/sign-in.ts';
import { serve, type Site, startSite } from '../../support/servers/site.ts';

/* Icons of sites and pictures of pages: fetched by the server when somebody looks, and kept. */

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ico = Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]);

const sites: Site[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function siteWith(head: string): Promise<Site> {
  const site = await startSite();
  sites.push(site);
  for (const name of ['one', 'two']) {
    const text =
      `<p>The hives of page ${name} are fed in winter with sugar that the keeper weighs each week.</p>`.repeat(4);
    const html = `<!doctype html><html lang="en"><head><title>Page ${name}</title>${head}</head><body><main><article><h1>Page ${name}</h1>${text}</article></main></body></html>`;
    site.routes.set(`/${name}`, serve(html));
  }
  return site;
}

async function save({ app }: SignInServer, url: string): Promise<string> {
  const { signal } = new AbortController();
  const { id } = await app.services.library.save(localAccountId, { url }, { signal });
  await app.worker.runUntilEmpty();
  return id;
}

async function look({ url }: SignInServer, { cookies }: TestBrowser, id: string, kind: 'icon' | 'picture') {
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
  const answer = await fetch(`${url}/app/picture/${id}?kind=${kind}`, { headers: { cookie } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, type: answer.headers.get('content-type'), headers: answer.headers, bytes };
}

const countOf = ({ requests }: Site, path: string): number => requests.filter((one) => one === path).length;

describe('the pictures of items', () => {
  it('are fetched once, stored with the item, and sent in a sandbox', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    const site = await siteWith('<meta property="og:image" content="/hive.png">');
    site.routes.set('/hive.png', serve(png, 'text/html'));
    const id = await save(testServer, `${site.url}/one`);
    expect(countOf(site, '/hive.png')).toBe(0);
    const first = await look(testServer, testServer.browser, id, 'picture');
    expect([first.status, first.type, first.bytes.equals(png)]).toEqual([200, 'image/png', true]);
    expect(first.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await look(testServer, testServer.browser, id, 'picture')).bytes.equals(png)).toBe(true);
    expect(countOf(site, '/hive.png')).toBe(1);
    const store = await testServer.app.stores.open(localAccountId);
    expect((await store.readOriginal(id, 'picture'))?.bytes.length).toBe(png.length);
  });

  it('share one icon for all pages of a site', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    const site = await siteWith('<link rel="icon" href="/broken.png">');
    site.routes.set('/favicon.ico', serve(ico, 'application/octet-stream'));
    const ids = [await save(testServer, `${site.url}/one`), await save(testServer, `${site.url}/two`)];
    const looks = [...ids, ...ids].map(async (id) => look(testServer, testServer.browser, id, 'icon'));
    // Between two requests to a host.
    await testServer.clock.untilAsleep(250);
    testServer.clock.advance(250);
    const seen = await Promise.all(looks);
    expect(seen.map(({ type }) => type)).toEqual(Array(4).fill('image/x-icon'));
    expect([countOf(site, '/broken.png'), countOf(site, '/favicon.ico')]).toEqual([1, 1]);
  });

  it.each([
    ['is not a picture', serve('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/png')],
    ['is too large', serve(Buffer.concat([png, Buffer.alloc(3_000_000)]), 'image/png')],
    ['is not there', serve('gone', 'text/plain')],
  ])(
    'are replaced by a letter where the address %s, and the site is asked again after a week',
    async (_name, route) => {
      const testServer = await serveSignIn();
      await becomeOwner(testServer);
      const site = await siteWith('<meta property="og:image" content="/hive.png">');
      site.routes.set('/hive.png', route);
      const id = await save(testServer, `${site.url}/one`);
      for (let looks = 0; looks < 3; looks += 1) {
        const { status, type, bytes } = await look(testServer, testServer.browser, id, 'picture');
        expect([status, type]).toEqual([200, 'image/svg+xml']);
        expect(bytes.toString()).toContain('>1</text>');
      }
      expect(countOf(site, '/hive.png')).toBe(1);
      testServer.clock.advance(8 * 86_400_000);
      site.routes.set('/hive.png', serve(png));
      expect((await look(testServer, testServer.browser, id, 'picture')).type).toBe('image/png');
    },
  );

  it('do not wait for a slow site', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    const site = await siteWith('<meta property="og:image" content="/hive.png">');
    let answer = (): void => undefined;
    site.routes.set('/hive.png', (_request, response) => {
      answer = () => void response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    });
    const id = await save(testServer, `${site.url}/one`);
    const early = await look(testServer, testServer.browser, id, 'picture');
    expect([early.type, early.headers.get('cache-control')]).toEqual(['image/svg+xml', 'private, no-store']);
    answer();
    let type: string | null = null;
    for (let tries = 0; type !== 'image/png' && tries < 50; tries += 1) {
      ({ type } = await look(testServer, testServer.browser, id, 'picture'));
      await pause(50);
    }
    expect([type, countOf(site, '/hive.png')]).toEqual(['image/png', 1]);
  });

  it('are visible only in their own library', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    const site = await siteWith('<meta property="og:image" content="/hive.png">');
    site.routes.set('/hive.png', serve(png));
    const id = await save(testServer, `${site.url}/one`);
    await look(testServer, testServer.browser, id, 'picture');
    const other = openBrowser(testServer.url);
    await invite(testServer, other, 'Bob');
    expect((await look(testServer, other, id, 'picture')).status).toBe(404);
    expect((await look(testServer, openBrowser(testServer.url), id, 'picture')).status).toBe(401);
  });
});
