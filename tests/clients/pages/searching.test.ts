import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium } from '../../support/access/chromium.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { complaintsOf, type PageServer, servePage, usePage } from '../../support/access/page.ts';

/* The search, and what stands where nothing is, by mouse and by keys, on a phone, a usual and a large screen. */

const { open, openWindow } = usePage();
const screens = [
  { width: 390, height: 844 },
  { width: 1_280, height: 800 },
  { width: 1_920, height: 1_080 },
];
const count = 46;

async function saveBeans({ app }: PageServer): Promise<void> {
  const store = await app.stores.open(localAccountId);
  for (let i = 1; i <= count; i += 1)
    await addFinishedItem(store, {
      url: `https://example.com/beans/${i}`,
      blocks: paragraphs(`Roasted beans number ${i} came by ship.`, `The beans of sack ${i} smell of ${i} spices.`),
      about: { title: `Sack ${i} of beans`, author: 'Noor Haddad', publishedAt: '2025-03-01T00:00:00.000Z' },
    });
}

const said = (page: Page) => page.locator('main').getByRole('status').first().innerText();
const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
const scrolled = (page: Page) => page.evaluate('scrollY');
const field = (page: Page) => page.getByRole('searchbox');

describe.skipIf(hasNoChromium)('searching', () => {
  it.each(screens)(
    'loads all results, page after page, and returns to the same row at $width pixels',
    async (viewport) => {
      const testServer = await servePage();
      await saveBeans(testServer);
      const window = await openWindow({ viewport });
      const page = await testServer.enter(window);
      const complaints = complaintsOf(page);
      const { keyboard } = page;
      const results = page.locator('.result');
      const titleAt = (index: number) => results.nth(index).getByRole('heading').innerText();

      // By keys alone.
      await keyboard.press('/');
      await keyboard.type('beans');
      await expect.poll(() => said(page)).toBe(`${count} results`);
      await keyboard.press('ArrowDown');
      await expect.poll(() => focused(page)).toBe(await titleAt(0));
      await keyboard.press('ArrowUp');
      expect(await page.evaluate('document.activeElement.value')).toBe('beans');
      for (let row = 0; row < count; row += 1) {
        await results.nth(row).waitFor();
        await keyboard.press('ArrowDown');
      }
      await expect.poll(() => focused(page)).toBe(await titleAt(count - 1));
      expect(await results.count()).toBe(count);
      for (const back of ['u', 'Alt+ArrowLeft']) {
        const [title, place] = [await focused(page), await scrolled(page)];
        await keyboard.press('Enter');
        await expect.poll(() => page.locator('.view h1').innerText()).toBe(title);
        if (back === 'u') await keyboard.press('u');
        else await page.goBack();
        await page.locator('.view').waitFor({ state: 'detached' });
        await expect.poll(() => focused(page)).toBe(title);
        await expect.poll(() => scrolled(page)).toBe(place);
      }

      // With a mouse.
      await page.goto(`${testServer.url}/?q=beans`);
      await expect
        .poll(async () => {
          await page.mouse.move(viewport.width / 2, viewport.height / 2);
          await page.mouse.wheel(0, 2_000);
          return results.count();
        })
        .toBe(count);
      const further = results.nth(30).getByText('1 more passage');
      await further.scrollIntoViewIfNeeded();
      const shown = results.nth(30).locator('.passage').filter({ visible: true });
      expect(await shown.count()).toBe(1);
      await further.click();
      await expect.poll(() => shown.count()).toBe(2);
      const facts = await results.nth(30).locator('.facts').innerText();
      expect(facts).toContain('Noor Haddad');
      expect(facts).toContain('published 1 Mar 2025');
      const title = await titleAt(30);
      const link = results.nth(30).getByRole('link', { name: title });
      // A turn of the wheel may still have been on its way.
      await link.hover();
      const place = await scrolled(page);
      await link.click();
      await expect.poll(() => page.title()).toBe(`${title} – Commonplace`);
      await page.goBack();
      await page.locator('.view').waitFor({ state: 'detached' });
      await expect.poll(() => scrolled(page)).toBe(place);
      expect(complaints).toEqual([]);
    },
  );

  it('reports a failed further page, retries it on demand, and loads no other before it', async () => {
    const testServer = await servePage();
    await saveBeans(testServer);
    const { page } = await open({ testServer });
    const asked: number[] = [];
    let isAway = true;
    await page.route('**/app/api/search_library', async (route) => {
      const { offset = 0 } = route.request().postDataJSON() as { offset?: number };
      asked.push(offset);
      if (offset === 0 || !isAway) return route.continue();
      return route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"detail":"Not now."}' });
    });
    await field(page).fill('beans');
    await page.locator('.result').nth(19).scrollIntoViewIfNeeded();
    await page.locator('.results').getByText('Not now.').scrollIntoViewIfNeeded();
    // The last page is asked for once, to count the results.
    expect(asked.filter((offset) => offset === 40)).toHaveLength(1);
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.result').nth(39).scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator('.result').count()).toBe(count);
  });

  it('loads the next page beside the open text without moving the focus', async () => {
    const testServer = await servePage();
    await saveBeans(testServer);
    const { page } = await open({ testServer, path: '/?q=beans', window: { viewport: { width: 1_280, height: 800 } } });
    const results = page.locator('.result');
    await results.nth(3).getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.locator('.view h1').waitFor();
    const before = await results.count();
    await page.evaluate("document.querySelector('.list').scrollTo(0, 1e6)");
    await expect.poll(() => results.count()).toBeGreaterThan(before);
    expect(await page.evaluate("document.activeElement.closest('.list')")).toBeNull();
  });

  it('gives an upper limit until the results are counted', async () => {
    const testServer = await servePage();
    await saveBeans(testServer);
    const { page } = await open({ testServer });
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/app/api/search_library', async (route) => {
      const { offset = 0 } = route.request().postDataJSON() as { offset?: number };
      if (offset > 0) await held;
      await route.continue();
    });
    await field(page).fill('beans');
    await expect.poll(() => said(page)).toBe(`Up to ${count} results`);
    answer();
    await expect.poll(() => said(page)).toBe(`${count} results`);
  });

  it('moves the focus to the result that follows those deleted with the bar', async () => {
    const testServer = await servePage();
    await saveBeans(testServer);
    const { page } = await open({ testServer, path: '/?q=beans' });
    const link = (at: number) => page.locator('.result').nth(at).getByRole('heading').getByRole('link');
    const next = await link(3).innerText();
    await link(2).focus();
    await page.keyboard.press('x');
    await page
      .locator('.bulk')
      .getByRole('button', { name: /^Delete/ })
      .press('Enter');
    await expect.poll(() => link(2).innerText()).toBe(next);
    await expect.poll(() => focused(page)).toBe(next);
  });

  it('shows titles and suggestions before the passages arrive', async () => {
    const testServer = await servePage();
    await saveBeans(testServer);
    const [id] = await testServer.saveDemo('sleep.html');
    await testServer.app.services.library.update(localAccountId, id ?? '', { tags: ['beans and sleep'] });
    const { page } = await open({ testServer });
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/app/api/search_library', async (route) => {
      await held;
      await route.continue();
    });
    await field(page).pressSequentially('bean');
    await page.locator('.result').getByRole('link', { name: 'Sack 46 of beans' }).waitFor();
    expect(await page.locator('.passage').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('Sack 46 of beans');
    answer();
    await page.locator('.passage').first().waitFor();

    await field(page).fill('bean');
    await expectGoodPage(page, 'search-suggestions');
    await page.getByRole('button', { name: 'Only items with the tag beans and sleep' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?tag=beans+and+sleep');
    await page.getByRole('link', { name: 'The dull habits that cured my insomnia' }).waitFor();
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
  });

  it('says why an item has no text, and what to do when nothing is found', async () => {
    const testServer = await servePage();
    await testServer.saveDemo('sleep.html', 'gone.html');
    const { signal } = new AbortController();
    await testServer.app.services.library.save(localAccountId, { url: 'https://example.com/gone-fishing' }, { signal });
    const { page } = await open({ testServer, path: '/?q=gone' });
    await page.locator('.result').getByText('The site says that there is no page at this address').waitFor();
    await page.locator('.result').getByText('Waiting for its turn').waitFor();
    await expectGoodPage(page, 'search-without-text');

    await page.goto(`${testServer.url}/?q=xyzzyq&kind=article`);
    await page.getByText('Nothing that you saved has to do with “xyzzyq”.').waitFor();
    await expectGoodPage(page, 'search-nothing');
    await page.getByRole('link', { name: 'Search without the filters' }).press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('?q=xyzzyq');
    await field(page).fill('https://zzqx.test/kwyjibo');
    await page.getByRole('button', { name: 'Save this address' }).click();
    const saved = () => testServer.app.services.library.list(localAccountId, { limit: 9, offset: 0 });
    await expect.poll(async () => (await saved()).items[0]?.url).toBe('https://zzqx.test/kwyjibo');

    await page.goto(`${testServer.url}/?tag=nowhere`);
    await page.getByText('No item has the tag nowhere.').waitFor();
    await expectGoodPage(page, 'tag-nothing');
    await page.getByRole('link', { name: 'Show everything' }).click();
    await page.getByRole('link', { name: 'The dull habits that cured my insomnia' }).waitFor();
  });

  it.each(screens)('starts an empty library with one click at $width pixels', async (viewport) => {
    const { testServer, page } = await open({ window: { viewport } });
    await page.getByRole('heading', { name: 'Save your first page' }).waitFor();
    if (viewport.width === 1_280) await expectGoodPage(page, 'library-empty');
    await page.setViewportSize(viewport);
    await page.getByRole('button', { name: 'Save: Commonplace book' }).click();
    await page
      .getByRole('listitem')
      .getByRole('link', { name: /wikipedia\.org\/wiki\/Commonplace_book/ })
      .waitFor();
    // The others can still be saved, by keys as well.
    await page.getByRole('button', { name: 'Save: Self-Reliance, by Ralph Waldo Emerson' }).press('Enter');
    await page.getByText('2 items').waitFor();
    const field = page.getByLabel('An address or a note');
    await field.fill('The boiler was serviced in May.');
    await field.press('Enter');
    await page.getByText('3 items').waitFor();
    await page.getByRole('link', { name: 'Connect an assistant' }).press('Enter');
    await page.waitForURL(`${testServer.url}/app/settings#connect`);
    const top = () => page.evaluate("document.getElementById('connect').getBoundingClientRect().top");
    await expect.poll(top).toBeLessThan(viewport.height / 2);
    await page.goto(`${testServer.url}/app/actions`);
    await page.getByRole('link', { name: 'Name a goal that it should serve' }).click();
    await page.waitForURL(`${testServer.url}/app/goals`);
  });
});
