import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium } from '../../support/access/chromium.ts';
import { addFinishedItem, claimOf, emptyAnalysis, paragraphs } from '../../support/content.ts';
import { type PageServer, servePage, usePage } from '../../support/access/page.ts';

/* What a wide screen shows side by side, and how much of it. */

const { open } = usePage();
const left = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())?.x ?? -1;

/** Items 1 to 30, with a published day that runs against the order of saving, and one whose title runs from right to left. */
async function fill({ app }: PageServer): Promise<string> {
  const store = await app.stores.open(localAccountId);
  for (let i = 1; i <= 30; i += 1)
    await addFinishedItem(store, {
      url: `https://example.com/${i}`,
      blocks: paragraphs(`Text ${i}.`),
      about: { title: `Item ${i}`, publishedAt: `20${60 - i}-01-02` },
      analysis: { ...emptyAnalysis, summary: `Summary ${i}.` },
    });
  const { id } = await app.services.library.saveNote(
    localAccountId,
    { title: 'שינה', text: '# שינה\n\nכדאי ללכת לישון בשעה קבועה.\n\n## אור\n\nאור בבוקר.\n\n## קפה\n\nקפה בבוקר.' },
    { signal: new AbortController().signal },
  );
  await app.worker.runUntilEmpty();
  return id;
}

describe.skipIf(hasNoChromium)('a wide screen', () => {
  it.each([1_280, 1_920])(
    'has the list beside the text at %i pixels, by mouse and by keys, and each keeps its position',
    async (width) => {
      const testServer = await servePage();
      await fill(testServer);
      const { page, complaints } = await open({ testServer, window: { viewport: { width, height: 700 } } });
      await page.getByText('31 items').waitFor();
      const second = await page.locator('.row').nth(1).boundingBox();
      expect(second?.height).toBe(88);
      expect((second?.x ?? 0) + (second?.width ?? 0)).toBeGreaterThan(width - 60);
      await page.getByRole('link', { name: 'Item 12', exact: true }).click();
      await page.getByRole('heading', { name: 'Item 12', level: 1 }).waitFor();
      const row = page.getByRole('link', { name: 'Item 12', exact: true });
      expect(await row.getAttribute('aria-current')).toBe('true');
      await expect.poll(() => page.evaluate("document.querySelector('.list').scrollTop")).toBeGreaterThan(500);
      expect(await left(page, 'h1')).toBeGreaterThan((await left(page, '.rows')) + 300);
      await page.keyboard.press('u');
      await page.getByRole('heading', { name: 'Item 12', level: 1 }).waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Item 12');
      expect(await page.evaluate('scrollY')).toBeGreaterThan(500);
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Item 11', level: 1 }).waitFor();
      // A filter of the list stays while one reads.
      await page.goto(`${testServer.url}/?order=oldest`);
      await page.getByRole('link', { name: 'Item 2', exact: true }).click();
      await page.getByRole('heading', { name: 'Item 2', level: 1 }).waitFor();
      expect(await page.locator('.row h2').first().innerText()).toBe('Item 1');
      await page.reload();
      await expect.poll(() => page.locator('.row h2').first().innerText()).toBe('Item 1');
      await page.keyboard.press('u');
      await expect.poll(() => new URL(page.url()).search).toBe('?order=oldest');
      await page.getByText('31 items').waitFor();
      await expectGoodPage(page, `list-${width}`);
      expect(complaints).toEqual([]);
    },
  );

  it('has the outline and the notes beside the text from 1,600 pixels on, each with its title', async () => {
    const testServer = await servePage();
    const id = await fill(testServer);
    await testServer.app.services.library.update(localAccountId, id, { notes: 'Ask Ines.' });
    const { page } = await open({
      testServer,
      path: `/app/read/${id}`,
      window: { viewport: { width: 1_920, height: 1_000 } },
    });
    await page.locator('.row').first().waitFor();
    const [text, notes, outline] = [
      await left(page, '.text p'),
      await left(page, '.own'),
      await left(page, '.outline'),
    ];
    expect(notes).toBeGreaterThan(text + 500);
    expect(outline).toBeGreaterThan(notes + 150);
    await page.locator('.outline').getByRole('link', { name: 'קפה' }).waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).direction")).toBe('rtl');
    expect(await page.locator('.row h2').first().getAttribute('dir')).toBe('auto');
  });

  it("shows when each item was saved, in the browser's time zone, and one line of each by choice", async () => {
    const testServer = await servePage();
    await fill(testServer);
    const store = await testServer.app.stores.open(localAccountId);
    const url = 'https://example.com/failed';
    const known = { title: 'A page that failed, under a title that is far too long for the one line of a telephone' };
    const { id } = await store.saveContent({ url, canonicalUrl: url, tags: [], notes: undefined, known });
    const failure = {
      code: 'http_error',
      message: 'The site is away.',
      retryable: false,
      nextAttemptAt: null,
    } as const;
    await store.failJob(await claimOf(store, id), failure);
    const { items } = await testServer.app.services.library.list(localAccountId, { limit: 1, offset: 0 });
    const createdAt = new Date(items[0]?.createdAt ?? '');
    const { page } = await open({
      testServer,
      window: { viewport: { width: 390, height: 844 }, timezoneId: 'Pacific/Kiritimati' },
    });
    const day = new Date(createdAt.getTime() + 14 * 3_600_000).getUTCDate();
    await expect.poll(() => page.locator('.row .facts').first().innerText()).toContain(`saved ${day} `);
    expect(await page.locator('.row .facts').allInnerTexts()).not.toContainEqual(expect.stringContaining('2 Jan'));
    expect((await page.locator('.row').nth(1).boundingBox())?.height).toBe(88);
    const failed = page.locator('.row', { hasText: 'A page that failed' });
    const [row, why] = await Promise.all([failed, failed.locator('.state')].map((one) => one.boundingBox()));
    expect(why?.height).toBeGreaterThan(15);
    expect((why?.y ?? 1e6) + (why?.height ?? 0)).toBeLessThan((row?.y ?? 0) + (row?.height ?? 0) - 8);
    await page.getByLabel('Rows').selectOption('compact');
    await expect.poll(async () => (await page.locator('.row').nth(1).boundingBox())?.height).toBe(40);
    await page.reload();
    await page.getByText('32 items').waitFor();
    expect((await page.locator('.row').nth(1).boundingBox())?.height).toBe(40);
    await page.evaluate('scrollTo(0, 1e6)');
    await page.getByRole('link', { name: 'Item 1', exact: true }).waitFor();
  });
});
