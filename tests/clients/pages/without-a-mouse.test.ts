import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { hasNoChromium, phone } from '../../support/access/chromium.ts';
import { usePage } from '../../support/access/page.ts';

/* Everything one does with the page, by keys alone, and what a screen reader says of it. */

const { open } = usePage();

/** Goes on with Tab to what has this name, as somebody does who sees nothing. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const names: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(`(() => {
      const one = document.activeElement;
      return one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText ?? '';
    })()`);
    names.push(String(at));
    if (typeof name === 'string' ? at === name : name.test(String(at))) return;
  }
  throw new Error(`Tab does not lead to ${String(name)}, but to: ${names.join(' | ')}`);
}

/** The lines of the tree that a screen reader is given, without addresses. */
async function heard(page: Page, part = 'body'): Promise<string[]> {
  const tree = await page.locator(part).ariaSnapshot();
  return tree
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('- /url'));
}

const said = (page: Page) => page.locator('main').getByRole('status').first().innerText();

describe.skipIf(hasNoChromium)('without a mouse', () => {
  it.each([1_000, 1_920])('everything from a search to signing out works at %i pixels', async (width) => {
    const viewport = { width, height: 800 };
    const { testServer, page, complaints } = await open({ demo: ['sleep.html', 'fees.html'], window: { viewport } });
    const { keyboard } = page;
    await keyboard.press('/');
    await keyboard.type('coffee');
    await expect.poll(() => said(page)).toBe('1 result');
    await keyboard.press('Escape');
    await keyboard.press('j');
    await keyboard.press('Enter');
    await page.locator('.text .block').first().waitFor();
    expect(await heard(page, 'main')).toEqual(
      expect.arrayContaining([
        '- heading "The dull habits that cured my insomnia" [level=1]',
        '- heading "To do" [level=2]',
        `- 'button "Mark done: Drink your last coffee before noon for two weeks and compare how you feel"'`,
        '- heading "Coffee stays longer than you think" [level=2]',
      ]),
    );

    // The first paragraph, with a note; the focus comes back to it.
    await keyboard.press('j');
    await keyboard.press('h');
    await page.getByText('Highlighted.').waitFor();
    await page.locator('mark.highlight').first().waitFor();
    await keyboard.press('h');
    await page.getByRole('textbox', { name: 'Your note' }).waitFor();
    await keyboard.type('Ask Ines.');
    await keyboard.press('Control+Enter');
    await page.getByRole('note').getByText('Your note: Ask Ines.').waitFor();
    expect(await page.evaluate("document.activeElement.matches('.block')")).toBe(true);
    await keyboard.press('Delete');
    await page.getByRole('status').getByText('Highlight removed.').waitFor();
    await keyboard.press('z');
    await page.getByRole('status').getByText('Undone.').waitFor();
    await testServer.app.worker.runUntilEmpty();
    await page.getByRole('note').getByText('Your note: Ask Ines.').waitFor();

    await keyboard.press('g');
    await keyboard.press('t');
    await tabTo(page, /^Mark done: Drink your last coffee/);
    await keyboard.press('Space');
    await page.getByRole('status').getByText('Done.', { exact: true }).waitFor();
    await keyboard.press('z');
    await page.getByRole('status').getByText('Undone.').waitFor();

    await keyboard.press('g');
    await keyboard.press('s');
    await page.getByLabel('An address or a note').waitFor();
    await keyboard.type('The boiler was serviced in May.');
    await keyboard.press('Control+Enter');
    await page.getByText('Waiting for its turn').waitFor();
    await testServer.app.worker.runUntilEmpty();
    await page.getByRole('status').getByText('1 of 1 ready to read').waitFor();

    await page.goto(`${testServer.url}/app/settings`);
    await tabTo(page, 'Make a key');
    await keyboard.press('Enter');
    await tabTo(page, 'What it is for');
    await keyboard.type('reading list');
    await tabTo(page, 'goals: read');
    await keyboard.press('Space');
    await tabTo(page, 'Make it');
    await keyboard.press('Enter');
    await page.getByRole('status').getByText('Your new secret. Keep it now').waitFor();
    const { items } = await testServer.app.services.keys.list(localAccountId, { limit: 9, offset: 0 });
    expect(items).toMatchObject([{ permissions: ['content:read', 'search:read', 'goals:read'] }]);
    await tabTo(page, /^Drop files here, or choose them/);
    await page.keyboard.press('Shift+Tab');
    await page.reload();
    expect(complaints).toEqual([]);
    await tabTo(page, 'Close the library here');
    await keyboard.press('Enter');
    await keyboard.press('Enter');
    await page.waitForURL(`${testServer.url}/`);
  });

  it('each view names itself and where one can go, also on a phone', async () => {
    const { testServer, page } = await open({ demo: ['sleep.html', 'gone.html'] });
    const views = {
      '/': 'Library',
      '/app/actions': 'To do',
      '/app/goals': 'Goals',
      '/app/week': 'This week',
      '/app/save': 'Save',
      '/app/problems': 'Problems',
      '/app/settings': 'Settings',
    };
    for (const [path, name] of Object.entries(views)) {
      await page.goto(testServer.url + path);
      const lines = await heard(page);
      expect(lines).toEqual(
        expect.arrayContaining([
          '- banner:',
          '- navigation "Main":',
          '- main:',
          `- heading "${name}" [level=1]`,
          '- button "Keys (press ?)": "?"',
        ]),
      );
      // Nothing that is pressed or filled in is without a name.
      expect(lines.filter((line) => /^- (button|link|textbox|combobox|checkbox|searchbox)(:|$)/.test(line))).toEqual(
        [],
      );
    }
    await page.setViewportSize(phone);
    await page.goto(testServer.url);
    expect(await page.getByRole('link', { name: 'Goals' }).count()).toBe(0);
    for (const [name, path] of [
      ['Goals', '/app/goals'],
      ['Problems 1', '/app/problems'],
      ['Settings', '/app/settings'],
    ] as const) {
      await page.getByRole('button', { name: 'More' }).press('Enter');
      await page.getByRole('link', { name }).press('Enter');
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
      expect(await page.getByRole('link', { name }).count()).toBe(0);
    }
  });
});
