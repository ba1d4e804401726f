import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { complaintsOf, servePage } from '../../support/access/page.ts';

/* The commands behind Ctrl K, by keys alone and with a mouse. */

const { openWindow } = useChromium();
const palette = (page: Page) => page.getByRole('dialog', { name: 'Go somewhere, do something, find something' });
const path = (page: Page) => {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
};

describe.skipIf(hasNoChromium)('the commands', () => {
  it.each([390, 1_280, 1_920])('lead everywhere at %i pixels', async (width) => {
    const testServer = await servePage();
    const [id = ''] = await testServer.saveDemo('sleep.html', 'fees.html');
    await testServer.app.services.library.update(localAccountId, id, { tags: ['health'] });
    const goal = await testServer.app.services.goals.add(localAccountId, {
      title: 'See friends',
      category: 'Relationships',
    });
    const window = await openWindow({ viewport: { width, height: 800 } });
    const page = await testServer.enter(window);
    const complaints = complaintsOf(page);
    const { keyboard } = page;
    const run = async (words: string): Promise<void> => {
      await keyboard.press('Control+k');
      await palette(page).waitFor();
      await keyboard.type(words);
      const wanted = { name: new RegExp(`^(The |Save )?${words}`, 'i'), selected: true };
      await palette(page).getByRole('option', wanted).waitFor();
      await keyboard.press('Enter');
      await palette(page).waitFor({ state: 'hidden' });
    };

    for (const [words, to] of [
      ['this week', '/app/week'],
      ['connect an', '/app/settings#connect'],
      ['import from', '/app/settings#import'],
      ['health', '/?tag=health'],
      ['see friends', `/app/actions?goal=${goal.id}`],
      ['dull habits', `/app/read/${id}`],
      ['failed', '/?state=failed'],
      ['search for', '/?q=search+for'],
    ] as const) {
      await run(words);
      await expect.poll(() => path(page)).toBe(to);
    }
    await run('add something to do');
    await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('action-title');
    await run('colours: dark');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    // Whoever leaves before the answer sends the same save again, and is told that the first is under way.
    const answered = page.waitForResponse((response) => response.url().includes('save_content'));
    await run('https://example.com/new');
    await expect.poll(() => path(page)).toBe('/app/save');
    await page.getByText('https://example.com/new').first().waitFor();
    await answered;

    // The focus goes back to where it was, and what has it can be worked with.
    await page.goto(testServer.url);
    const row = page.getByRole('link', { name: 'The dull habits that cured my insomnia' });
    await row.focus();
    await keyboard.press('Control+k');
    await palette(page).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Escape');
    await palette(page).waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('The dull habits that cured my insomnia');
    await run('rename');
    await page.getByLabel('Title').fill('Sleeping');
    await keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sleeping' }).waitFor();

    await page.getByRole('button', { name: 'Commands (press Ctrl K)' }).click();
    await palette(page).getByRole('option', { name: 'Goals' }).click();
    await expect.poll(() => path(page)).toBe('/app/goals');
    await page.getByRole('button', { name: 'Commands (press Ctrl K)' }).click();
    await palette(page).waitFor();
    await page.mouse.click(3, 790);
    await palette(page).waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);

    await keyboard.press('Control+k');
    await keyboard.type('close the library');
    await keyboard.press('Enter');
    await palette(page)
      .getByRole('option', { name: /^Sure\? Close the library here/ })
      .waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(`${testServer.url}/`);
    await expect.poll(() => page.locator('main.library').count()).toBe(0);
    await window.close();
  });

  it('are accessible to screen readers and well visible', async () => {
    const testServer = await servePage();
    await testServer.saveDemo('sleep.html');
    const window = await openWindow();
    const page = await testServer.enter(window);
    await page.keyboard.press('Control+k');
    await expectGoodPage(page, 'commands');
    // An input method has these keys while it composes a word.
    for (const key of ['Enter', 'Escape'])
      await page.evaluate(`document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key: '${key}', isComposing: true, bubbles: true }))`);
    expect([await palette(page).isVisible(), path(page)]).toEqual([true, '/']);
    await page.keyboard.type('sleep');
    expect(await palette(page).getByRole('option').last().innerText()).toContain('Search for “sleep”');
    await expectGoodPage(page, 'commands-typed');
    await window.close();
  });
});
