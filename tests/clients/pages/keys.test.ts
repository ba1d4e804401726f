import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { complaintsOf, servePage } from '../../support/access/page.ts';

/* The list by keys alone, in the orders that one can choose, and the saved copy of a page. */

const { openWindow } = useChromium();
const fetchedAt = '2026-11-02T08:00:00.000Z';
const titles = (page: Page) => page.locator('.row h2').allInnerTexts();
const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

describe.skipIf(hasNoChromium)('the list', () => {
  it('can be walked, searched and left by keys, and names them', async () => {
    const testServer = await servePage();
    await testServer.saveDemo('sleep.html', 'fees.html', 'friends.html');
    const window = await openWindow();
    const page = await testServer.enter(window);
    const complaints = complaintsOf(page);
    await page.reload();
    await page.getByText('3 items').waitFor();
    const [first = '', second = ''] = await titles(page);
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toBe(first);
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toBe(second);
    await page.keyboard.press('k');
    await expect.poll(() => focused(page)).toBe(first);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('h1').innerText()).toBe(first);
    await page.keyboard.press('u');
    await page.getByText('3 items').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('jug of coffee');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('jug of coffee');
    await page.locator('.result').first().waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jug of coffee');
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toBe('The dull habits that cured my insomnia');

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expectGoodPage(page, 'keys');
    // The sheet has the keys: those of the page wait.
    await page.keyboard.press('u');
    expect(new URL(page.url()).search).toBe('?q=jug+of+coffee');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/actions');
    expect(complaints).toEqual([]);
    await window.close();
  });

  it('accepts keys as soon as the script has run', async () => {
    const testServer = await servePage();
    await testServer.saveDemo('sleep.html');
    const window = await openWindow();
    await window.addInitScript(`addEventListener('DOMContentLoaded', () =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true })))`);
    const page = await testServer.enter(window);
    expect(await focused(page)).toBe('The dull habits that cured my insomnia');
    await window.close();
  });

  it("has the person's sort order, which is part of the address", async () => {
    const testServer = await servePage();
    await testServer.saveDemo('sleep.html', 'fees.html', 'friends.html');
    const window = await openWindow();
    const page = await testServer.enter(window);
    const byTitle = [
      'Friendship after forty is a matter of calendars',
      'How a quiet fee eats a third of your savings',
      'The dull habits that cured my insomnia',
    ];
    const saved = [byTitle[2], byTitle[1], byTitle[0]];
    await expect.poll(() => titles(page)).toEqual(saved.toReversed());
    await page.getByLabel('Order').selectOption('Oldest first');
    await expect.poll(() => titles(page)).toEqual(saved);
    await page.getByLabel('Order').selectOption('By title');
    await expect.poll(() => titles(page)).toEqual(byTitle);
    await page.getByLabel('Kind').selectOption('article');
    expect(new URL(page.url()).search).toBe('?kind=article&order=title&shelf=inbox');
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(byTitle);
    await window.close();
  });
});

describe.skipIf(hasNoChromium)('the saved copy', () => {
  it('is shown as it was, and nothing in it runs or loads', async () => {
    const testServer = await servePage();
    const hostile = `<!doctype html><title>Copy</title><meta http-equiv="refresh" content="0;url=${testServer.url}/app/settings">
<h1 id="h">The copy</h1><p style="color:rgb(1, 2, 3)" id="styled">${'Some words of it. '.repeat(40)}</p>
<script>document.getElementById('h').textContent = 'it ran'; fetch('/app/api/library_state', { method: 'POST' })</script>
<img src="https://tracker.example/pixel.png" onerror="document.title = 'it ran'">
<form action="${testServer.url}/sign-out" method="post"><button>Send</button></form><iframe src="${testServer.url}/"></iframe>`;
    const url = 'https://example.com/copy';
    const bytes = new TextEncoder().encode(hostile);
    const original = { url, finalUrl: url, bytes, declaredType: 'text/html; charset=utf-8', fetchedAt };
    const store = await testServer.app.stores.open(localAccountId);
    const saved = await addFinishedItem(store, { url, blocks: paragraphs('The copy.'), original });
    const window = await openWindow();
    const page = await testServer.enter(window, `/app/read/${saved}`);
    const link = page.getByRole('link', { name: 'Saved copy' });
    expect(await link.getAttribute('href')).toBe(`/app/original/${saved}`);
    const copy = await window.newPage();
    const asked: string[] = [];
    // Called for what leaves the browser: what the policy refuses does not.
    await copy.route('**', async (route) => {
      asked.push(route.request().url());
      await route.continue();
    });
    await copy.goto(`${testServer.url}/app/original/${saved}`);
    await copy.waitForLoadState('networkidle');
    expect(await copy.locator('#h').innerText()).toBe('The copy');
    expect(await copy.locator('#styled').getAttribute('style')).toContain('rgb(1, 2, 3)');
    await copy.getByRole('button', { name: 'Send' }).click();
    await copy.waitForLoadState('networkidle');
    expect([copy.url(), asked]).toEqual([
      `${testServer.url}/app/original/${saved}`,
      [`${testServer.url}/app/original/${saved}`],
    ]);
    await window.close();
  });
});
