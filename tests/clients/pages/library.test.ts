import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { complaintsOf, servePage } from '../../support/access/page.ts';

/* The list of what was saved, and the search in it, in a real browser. */

const { openWindow } = useChromium();
const demo = ['sleep.html', 'fees.html', 'friends.html', 'focus-note.md', 'talk.html', 'balcony.pdf'];

const titles = (page: Page) => page.locator('.row h2').allInnerTexts();

/** Drags the list from its first item to its last. @returns frames that showed an empty place in the middle of the screen */
function emptyFramesOfDrag(page: Page, frames: number): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let [frame, empty] = [0, 0];
    const next = () => {
      if (!document.elementFromPoint(500, innerHeight / 2)?.closest('.row')?.textContent) empty += 1;
      frame += 1;
      if (frame > ${frames}) return resolve(empty);
      scrollTo(0, (frame / ${frames}) * document.documentElement.scrollHeight);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
}

describe.skipIf(hasNoChromium)('the library', () => {
  it('shows the saved items, filters them, and searches during typing', async () => {
    const testServer = await servePage();
    const ids = await testServer.saveDemo(...demo);
    await testServer.app.services.library.update(localAccountId, ids[0] ?? '', { tags: ['health', 'sleep'] });
    const window = await openWindow();
    const page = await testServer.enter(window);
    const complaints = complaintsOf(page);
    await page.reload();
    // The first view is in the document: no script has to run for it.
    const first = await (await window.request.get(testServer.url, { headers: { accept: 'text/html' } })).text();
    expect(first).toContain('Vegetables on a balcony</a>');
    await expect.poll(() => titles(page)).toHaveLength(6);
    await expectGoodPage(page, 'library');

    await page.getByLabel('Kind').selectOption('pdf');
    await expect.poll(() => titles(page)).toEqual(['Vegetables on a balcony']);
    await page.goBack();
    await expect.poll(() => titles(page)).toHaveLength(6);
    await page.getByLabel('Tag', { exact: true }).selectOption('sleep');
    await expect.poll(() => titles(page)).toEqual(['The dull habits that cured my insomnia']);
    expect(new URL(page.url()).search).toBe('?tag=sleep&shelf=inbox');
    await page.getByRole('button', { name: 'Remove the tag sleep' }).click();
    await page.getByLabel('State').selectOption('failed');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByRole('link', { name: 'Show everything' }).click();

    await page.getByRole('searchbox').pressSequentially('coffee');
    await expect.poll(() => page.locator('.passage mark').first().innerText()).toMatch(/coffee/i);
    expect(await page.locator('main').getByRole('status').innerText()).toBe('1 result');
    const place = page.getByRole('link', { name: 'Open the source at this place' }).first();
    expect(await place.getAttribute('href')).toContain('sleep.html#:~:text=');
    await expectGoodPage(page, 'search');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect.poll(() => titles(page)).toHaveLength(6);
    expect(complaints).toEqual([]);
    await window.close();
  });

  it('draws a long list in windows and is walked by keys', async () => {
    const testServer = await servePage();
    const store = await testServer.app.stores.open(localAccountId);
    const count = 400;
    for (let i = 1; i <= count; i += 1) {
      const about = { title: `Item ${i}` };
      await addFinishedItem(store, { url: `https://example.com/${i}`, blocks: paragraphs(`Text ${i}.`), about });
    }
    const window = await openWindow();
    const asked: string[] = [];
    window.on('request', (request) => {
      const [, name] = /\/app\/api\/(\w+)$/.exec(request.url()) ?? [];
      if (name !== undefined) asked.push(name);
    });
    const page = await testServer.enter(window);
    await page.getByText('400 items').waitFor();
    const drawn = () => page.locator('.row').count();
    await expect.poll(drawn).toBeLessThan(200);
    await page.mouse.wheel(0, 1_000_000);
    await page.getByRole('link', { name: 'Item 1', exact: true }).waitFor();
    expect(await drawn()).toBeLessThan(200);
    expect(await page.locator('.row').last().getAttribute('aria-posinset')).toBe('400');
    // Nothing moved: the last row stands at the end of the list.
    const [list, last] = await Promise.all(
      [page.locator('.rows'), page.locator('.row').last()].map((one) => one.boundingBox()),
    );
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeCloseTo((list?.y ?? 0) + (list?.height ?? 0), 0);

    // Dragged through in 30 frames: titles are there, which were loaded ahead. Rows are asked for where the bar rests, and on a slow
    // machine it rests in some frames.
    await expect.poll(() => asked.filter((name) => name === 'list_titles').length).toBe(1);
    await page.waitForLoadState('networkidle');
    asked.length = 0;
    expect(await emptyFramesOfDrag(page, 30)).toBe(0);
    expect(asked.length).toBeLessThan(15);

    await page.mouse.wheel(0, -1_000_000);
    await page.getByRole('link', { name: 'Item 400' }).focus();
    // Pressed faster than the page draws frames: no key is lost.
    await Promise.all(Array.from({ length: 60 }, () => page.keyboard.press('ArrowDown')));
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Item 340');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('h1').innerText()).toBe('Item 340');
    await page.goBack();
    await expect.poll(() => page.getByRole('link', { name: 'Item 340' }).isVisible()).toBe(true);
    await window.close();
  });

  it('says that the server does not answer, and continues when it does', async () => {
    const testServer = await servePage();
    await testServer.saveDemo('sleep.html');
    const window = await openWindow();
    const page = await testServer.enter(window);
    await page.getByText('1 item').waitFor();
    await testServer.stop();
    await page.getByRole('searchbox').fill('coffee');
    await page.getByText('The server does not answer').first().waitFor();
    await testServer.start();
    await page.locator('.passage').first().waitFor();
    await expect.poll(() => page.locator('.connection').innerText()).toBe('');
    await window.close();
  });
});
