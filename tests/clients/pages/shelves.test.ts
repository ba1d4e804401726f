import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium } from '../../support/access/chromium.ts';
import { servePage, usePage } from '../../support/access/page.ts';
import { openRaw } from '../../support/store/raw-database.ts';

/* Where items are kept, lists of them, and tags that are proposed. */

const { open } = usePage();
const sleep = 'The dull habits that cured my insomnia';
const fees = 'How a quiet fee eats a third of your savings';
const friends = 'Friendship after forty is a matter of calendars';

const titles = (page: Page) => page.locator('.row h2').allInnerTexts();
const said = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor();
/** What the navigation says of a shelf or a list. */
const beside = (page: Page, name: string) => page.locator('.side .shelves a', { hasText: name }).innerText();

describe.skipIf(hasNoChromium)('the library', () => {
  it('opens with the inbox, and items move to other shelves and back by keys, several at once', async () => {
    const { page, complaints } = await open({
      demo: ['sleep.html', 'fees.html', 'friends.html'],
      window: { viewport: { width: 1_280, height: 800 } },
    });
    const { keyboard } = page;
    await expect.poll(() => titles(page)).toEqual([friends, fees, sleep]);
    expect(await beside(page, 'Inbox')).toMatch(/^Inbox\s+3$/);
    await expectGoodPage(page, 'inbox');
    await keyboard.press('j');
    await keyboard.press('e');
    await said(page, 'Archived.');
    await expect.poll(() => titles(page)).toEqual([fees, sleep]);
    await expect.poll(() => beside(page, 'Archive')).toMatch(/^Archive\s+1$/);
    // The focus is on what came in its place.
    await keyboard.press('Shift+J');
    await keyboard.press('l');
    await said(page, 'Kept for later.');
    await page.getByText('Your inbox is empty. What you save comes here.').waitFor();
    expect(await page.locator('.bulk').count()).toBe(0);
    await expectGoodPage(page, 'inbox-empty');
    await keyboard.press('z');
    await expect.poll(() => titles(page)).toEqual([fees, sleep]);
    await page
      .getByRole('link', { name: /^Archive/ })
      .first()
      .click();
    await expect.poll(() => titles(page)).toEqual([friends]);
    await page.getByRole('link', { name: friends }).click();
    await page.getByRole('button', { name: 'Move to the inbox' }).click();
    await said(page, 'Moved to the inbox.');
    await keyboard.press('R');
    await said(page, 'Marked as read.');
    await keyboard.press('g');
    await keyboard.press('l');
    await expect.poll(() => titles(page)).toEqual([friends, fees, sleep]);
    expect(await page.locator('.row .unread').count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('shows its shelves on a phone', async () => {
    const testServer = await servePage();
    const [id = ''] = await testServer.saveDemo('sleep.html', 'fees.html');
    await testServer.app.services.library.update(localAccountId, id, { shelf: 'later' });
    const { page } = await open({ testServer, window: { viewport: { width: 390, height: 844 }, hasTouch: true } });
    await expect.poll(() => titles(page)).toEqual([fees]);
    await page
      .locator('.on-phone')
      .getByRole('link', { name: /^Later/ })
      .tap();
    await expect.poll(() => titles(page)).toEqual([sleep]);
    await expectGoodPage(page, 'later-phone');
  });

  it('shows proposed tags in grey, which a click or key accepts or rejects', async () => {
    const testServer = await servePage();
    const [id = ''] = await testServer.saveDemo('sleep.html');
    const store = await testServer.app.stores.open(localAccountId);
    const db = openRaw(join(testServer.app.config.data, 'accounts', 'local.db'));
    for (const tag of ['nights', 'work', 'health'])
      db.prepare(
        `INSERT INTO tag_proposals (item, folded, tag, reason, score) SELECT seq, ?, ?, 'like three items', .9 FROM items`,
      ).run(tag, tag);
    db.close();
    const { page, complaints } = await open({
      testServer,
      path: `/app/read/${id}`,
      window: { viewport: { width: 1_280, height: 800 } },
    });
    await page.getByRole('button', { name: 'nights: take this tag, like three items' }).click();
    await said(page, 'Tags changed.');
    await page.getByRole('button', { name: 'Do not propose work' }).click();
    await expect.poll(() => page.locator('.proposed').count()).toBe(1);
    await expectGoodPage(page, 'proposed-tags');
    await page.keyboard.press('+');
    await expect.poll(() => page.locator('.proposed').count()).toBe(0);
    expect((await store.getContent(id))?.tags).toEqual(['nights', 'health']);
    expect(complaints).toEqual([]);
  });

  it('can create, fill, open, change and delete lists, and save a search as one', async () => {
    const testServer = await servePage();
    const ids = await testServer.saveDemo('sleep.html', 'fees.html', 'friends.html');
    const { page, complaints } = await open({ testServer, window: { viewport: { width: 1_280, height: 800 } } });
    await page.getByRole('link', { name: sleep }).focus();
    await page.keyboard.press('p');
    await page.getByLabel('Make a list').fill('Nights');
    await page.keyboard.press('Enter');
    const box = page.getByRole('checkbox', { name: 'Nights' });
    await expect.poll(() => box.isChecked()).toBe(true);
    await expectGoodPage(page, 'item-lists');
    await page.keyboard.press('Escape');
    await expect.poll(() => beside(page, 'Nights')).toMatch(/^Nights\s+1$/);
    await page
      .locator('.side')
      .getByRole('link', { name: /^Nights/ })
      .click();
    await expect.poll(() => titles(page)).toEqual([sleep]);
    const store = await testServer.app.stores.open(localAccountId);
    await store.addToList('Nights', [ids[2] ?? '']);
    await page.reload();
    await expect.poll(() => titles(page)).toEqual([sleep, friends]);
    await page.getByLabel('Order').selectOption('Newest first');
    await expect.poll(() => titles(page)).toEqual([friends, sleep]);
    await page.getByLabel('Order').selectOption('In the order of the list');
    await expect.poll(() => titles(page)).toEqual([sleep, friends]);
    await page.getByRole('link', { name: friends }).focus();
    await page.keyboard.press('PageUp');
    await said(page, 'Moved in the list.');
    await expect.poll(() => titles(page)).toEqual([friends, sleep]);
    await store.removeFromList('Nights', [ids[2] ?? '']);

    await page.getByRole('searchbox').fill('savings');
    await page.locator('.result', { hasText: fees }).waitFor();
    await page.getByRole('button', { name: 'Keep this search as a list' }).click();
    await page.getByLabel('Name').fill('Money');
    await page.getByRole('button', { name: 'Make a list' }).click();
    await said(page, 'List made.');
    await page
      .locator('.side')
      .getByRole('link', { name: /^Money/ })
      .click();
    await expect.poll(() => titles(page)).toContain(fees);

    await page.locator('.side').getByRole('link', { name: 'Lists' }).click();
    await expectGoodPage(page, 'lists');
    await page.getByRole('button', { name: 'Move up: Money' }).click();
    await expect.poll(() => page.locator('.listed h2').allInnerTexts()).toEqual(['Money', 'Nights']);
    await page.getByRole('button', { name: 'Edit: Nights' }).click();
    await page.getByRole('form', { name: 'Edit: Nights' }).getByLabel('Sign').fill('🌙');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await said(page, 'Changed.');
    await page.getByRole('button', { name: 'Delete: Money' }).click();
    await page.getByRole('button', { name: /^Sure\?/ }).click();
    await said(page, 'List deleted. Its items stay.');
    await expect.poll(() => page.locator('.listed h2').allInnerTexts()).toEqual(['🌙 Nights']);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('nights');
    await page.keyboard.press('Enter');
    await expect.poll(() => titles(page)).toEqual([sleep]);
    expect(complaints).toEqual([]);
  });
});
