import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { drawPage, expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../../support/content.ts';
import { complaintsOf, type PageServer, servePage } from '../../support/access/page.ts';
import { serve, startSite } from '../../support/servers/site.ts';

/* The library as cards, and the icons of sites. */

const { openWindow } = useChromium();

const total = 90;

/** Items of a site that has an icon, and a picture for each odd one. */
async function fill({ app }: PageServer): Promise<() => Promise<void>> {
  const site = await startSite();
  const drawn = (colour: string): Buffer => {
    // A GIF of one pixel.
    const bytes = Buffer.from('R0lGODlhAQABAPAAAAAAAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
    bytes.write(colour, 13, 'hex');
    return bytes;
  };
  site.routes.set('/favicon.ico', serve(drawn('c03030'), 'image/gif'));
  const store = await app.stores.open(localAccountId);
  for (let i = 1; i <= total; i += 1) {
    const path = `/picture-${i}.gif`;
    if (i % 2 === 1) site.routes.set(path, serve(drawn(i % 4 === 1 ? '2f7d6d' : 'd9a441'), 'image/gif'));
    const url = `${site.url}/${i}`;
    const html = Buffer.from(`<meta property="og:image" content="${path}"><p>Text ${i}.</p>`);
    await addFinishedItem(store, {
      url,
      blocks: paragraphs(`Text ${i} of hives.`),
      about: { title: `Item ${i} about how hives are kept through a long winter`, siteName: 'Hives' },
      analysis: { ...emptyAnalysis, summary: `Summary ${i}.` },
      original: { url, finalUrl: url, bytes: html, declaredType: 'text/html', fetchedAt: '2026-01-01T00:00:00.000Z' },
    });
  }
  return () => site.close();
}

const widthOf = (selector: string) => `document.querySelector('${selector}')?.naturalWidth`;

describe.skipIf(hasNoChromium)('the library as cards', () => {
  it.each([
    { width: 390, columns: 1 },
    { width: 1_280, columns: 4 },
  ])('has $columns columns at $width pixels and reaches the last item', async ({ width, columns }) => {
    const testServer = await servePage();
    const close = await fill(testServer);
    const window = await openWindow({ viewport: { width, height: 800 } });
    const page = await testServer.enter(window);
    const complaints = complaintsOf(page);
    await page.getByText(`${total} items`).waitFor();
    expect(await page.locator('.card-picture').count()).toBe(0);
    await page.getByLabel('Rows').selectOption('Cards with pictures');
    await page.locator('.row .card-picture').first().waitFor();
    const tops = (await page.evaluate(
      "[...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect().top)",
    )) as number[];
    expect(tops.filter((top) => top === tops[0]).length).toBe(columns);
    // The picture of item 89 is of one pixel; the letter of item 90 is not.
    await expect.poll(() => page.evaluate(widthOf('[aria-posinset="2"] .card-picture')), { timeout: 20_000 }).toBe(1);
    await expect.poll(() => page.evaluate(widthOf('[aria-posinset="1"] .card-picture')), { timeout: 20_000 }).toBe(57);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByText('Item 1 about').waitFor();
    const last = page.locator(`[aria-posinset="${total}"]`);
    await expect.poll(async () => (await last.boundingBox())?.y ?? 9_999).toBeLessThan(800);
    await page.evaluate('scrollTo(0, 0)');
    await page.getByText(`Item ${total} about`).waitFor();
    // After a reload, the server draws cards.
    await page.reload();
    await page.locator('.row .card-picture').first().waitFor();
    if (width > 1_000) await expectGoodPage(page, 'cards');
    expect(complaints).toEqual([]);
    await close();
    await window.close();
  });

  it("has the site's icon before its name, if wanted", async () => {
    const testServer = await servePage();
    const close = await fill(testServer);
    const window = await openWindow({ viewport: { width: 1_280, height: 800 } });
    const page = await testServer.enter(window, '/app/settings');
    const complaints = complaintsOf(page);
    await page.getByLabel('Icons of sites').check();
    await page.getByLabel('Icons of sites').and(page.locator(':checked')).waitFor();
    await page.goto(testServer.url);
    await page.locator('.row .facts .site-icon').first().waitFor();
    await expect.poll(() => page.evaluate(widthOf('.row .site-icon')), { timeout: 20_000 }).toBe(1);
    // One address for the whole site.
    const icons = "new Set([...document.querySelectorAll('.row .site-icon')].map(({ src }) => src)).size";
    expect(await page.evaluate(icons)).toBe(1);
    await drawPage(page, 'icons');
    await page.getByRole('link', { name: 'Item 90' }).click();
    await page.locator('.head .site-icon').waitFor();
    await page.goto(`${testServer.url}/?q=hives`);
    await page.locator('.result .site-icon').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
    await window.close();
  });
});
