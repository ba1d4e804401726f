import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium } from '../../support/access/chromium.ts';
import { complaintsOf, type PageServer, servePage, usePage } from '../../support/access/page.ts';

/* What can be done with an item where it is seen: in the list, in a search, while it is read. By mouse, by keys alone, by finger. */

const { open, openWindow } = usePage();
const sleep = 'The dull habits that cured my insomnia';
const fees = 'How a quiet fee eats a third of your savings';
const friends = 'Friendship after forty is a matter of calendars';

const titles = (page: Page) => page.locator('.row h2').allInnerTexts();
const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
const said = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor();
const summaryOf = async ({ app }: PageServer, id: string) => {
  const { items } = await app.services.library.list(localAccountId, { limit: 100, offset: 0 });
  return items.find((item) => item.id === id);
};

describe.skipIf(hasNoChromium)('an item', () => {
  it('is renamed, tagged, annotated, deleted and restored with the mouse', async () => {
    const testServer = await servePage();
    const [id = '', other = ''] = await testServer.saveDemo('sleep.html', 'fees.html');
    await testServer.app.services.library.update(localAccountId, other, { tags: ['health', 'money'] });
    const { page, complaints } = await open({ testServer, window: { viewport: { width: 1_280, height: 800 } } });
    const row = page.locator('.row', { hasText: sleep });
    await row.hover();
    await row.getByRole('button', { name: `Menu: ${sleep}` }).click();
    await page.getByRole('menu', { name: sleep }).waitFor();
    await expectGoodPage(page, 'item-menu');
    await page.getByRole('menuitem', { name: 'Tags' }).click();
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.fill('he');
    await page.getByRole('option', { name: 'health', exact: true }).click();
    await tags.pressSequentially('sleep,');
    await page.getByRole('button', { name: 'Remove the tag sleep' }).waitFor();
    await expectGoodPage(page, 'item-tags');
    await page.getByRole('button', { name: 'Done' }).click();
    await said(page, 'Tags changed.');
    expect((await summaryOf(testServer, id))?.tags).toEqual(['health', 'sleep']);

    // The right button does the same. What is typed is kept when one presses elsewhere.
    await row.click({ button: 'right', position: { x: 400, y: 60 } });
    await page.getByRole('menuitem', { name: 'Note' }).click();
    await page.getByLabel('Your notes').fill('Ask Ines.');
    await page.locator('.total').click();
    await said(page, 'Note kept.');
    expect((await summaryOf(testServer, id))?.notes).toBe('Ask Ines.');

    // What waits for the server stands there again. The words to do are kept as well, unless one gives them up.
    await page.route('**/app/api/edit_item', (route) => route.abort());
    await row.getByRole('link', { name: sleep }).focus();
    await page.keyboard.press('n');
    await page.getByLabel('Your notes').fill('Ask Ida.');
    await page.keyboard.press('Escape');
    await page
      .getByText(/^The server does not answer/)
      .first()
      .waitFor();
    await page.keyboard.press('n');
    expect(await page.getByLabel('Your notes').inputValue()).toBe('Ask Ida.');
    await page.keyboard.press('Escape');
    await page.unroute('**/app/api/edit_item');
    await expect.poll(async () => (await summaryOf(testServer, id))?.notes).toBe('Ask Ida.');
    expect(new Set(complaints.splice(0))).toEqual(new Set(['Failed to load resource: net::ERR_FAILED']));
    for (const [words, leave] of [
      ['Air the room', () => page.locator('.total').click()],
      ['Buy a clock', () => page.getByRole('button', { name: 'Cancel' }).click()],
    ] as const) {
      await row.getByRole('link', { name: sleep }).focus();
      await page.keyboard.press('a');
      await page.getByRole('textbox', { name: 'What is to be done' }).fill(words);
      await leave();
      await page.locator('.floating').waitFor({ state: 'detached' });
    }
    await said(page, 'Added.');

    await row.getByRole('link', { name: sleep }).click();
    await page.getByText('Ask Ida.').waitFor();
    const todo = page.locator('.item-actions .action', { hasText: 'Air the room' });
    await todo.waitFor();
    expect(await page.getByText('Buy a clock').count()).toBe(0);
    await todo.locator('.tick').focus();
    await page.keyboard.press('Delete');
    await said(page, 'Dismissed.');
    await page.getByRole('button', { name: `Menu: ${sleep}` }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Title').fill('Sleep');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect.poll(() => page.locator('h1').innerText()).toBe('Sleep');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('h1').innerText()).toBe(sleep);

    await page.getByRole('button', { name: `Menu: ${sleep}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(() => titles(page)).toEqual([fees]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => titles(page)).toEqual([fees, sleep]);
    expect(complaints).toEqual([]);
  });

  it('can be handled with the keyboard, alone and in groups, and the focus returns', async () => {
    const testServer = await servePage();
    const ids = await testServer.saveDemo('sleep.html', 'fees.html', 'friends.html', 'gone.html');
    const window = await openWindow({ viewport: { width: 1_920, height: 1_000 } });
    await window.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await testServer.enter(window);
    const complaints = complaintsOf(page);
    const { keyboard } = page;
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await page.getByText('4 items').waitFor();
    await keyboard.press('j');
    await keyboard.press('r');
    await said(page, 'Queued again.');
    await testServer.app.worker.runUntilEmpty();
    await keyboard.press('j');
    await expect.poll(() => focused(page)).toBe(friends);
    await keyboard.press('E');
    await keyboard.press('Control+a');
    await keyboard.type('Friends');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Friends');
    await keyboard.press('z');
    await expect.poll(() => focused(page)).toBe(friends);
    await keyboard.press('m');
    await page.getByRole('menu').waitFor();
    await keyboard.press('ArrowUp');
    expect(await focused(page)).toMatch(/^Delete/);
    await keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe(friends);
    await keyboard.press('c');
    await said(page, 'Copied.');
    expect(await copied()).toMatch(/\/friends\.html$/);
    await keyboard.press('Shift+C');
    await expect
      .poll(copied)
      .toMatch(
        /^> When we are nineteen.+\n\n— Ruth Adeyemi, \[Friendship after .+\]\(http:.+\/friends\.html\), The Long/s,
      );

    // Several: the tags that all have, and one undo for all.
    await keyboard.press('x');
    await keyboard.press('Shift+J');
    await said(page, '2 items chosen');
    expect(await page.locator('.row.chosen h2').allInnerTexts()).toEqual([friends, fees]);
    await expectGoodPage(page, 'items-chosen');
    await keyboard.press('t');
    await keyboard.type('spring');
    await keyboard.press('Escape');
    await said(page, 'Tags changed.');
    for (const id of [ids[1], ids[2]]) expect((await summaryOf(testServer, id ?? ''))?.tags).toEqual(['spring']);
    await keyboard.press('Delete');
    await said(page, '2 deleted. They can be restored for 30 days.');
    await expect.poll(() => titles(page)).toHaveLength(2);
    await keyboard.press('z');
    await expect.poll(() => titles(page)).toHaveLength(4);
    expect(await page.locator('.row.chosen').count()).toBe(0);

    await keyboard.press('/');
    await keyboard.type('coffee');
    await page.locator('.result').waitFor();
    await keyboard.press('Escape');
    await keyboard.press('j');
    await keyboard.press('n');
    await page.getByLabel('Your notes').waitFor();
    await keyboard.type('From the search.');
    await keyboard.press('Control+Enter');
    await said(page, 'Note kept.');
    expect((await summaryOf(testServer, ids[0] ?? ''))?.notes).toBe('From the search.');
    await expect.poll(() => focused(page)).toBe(sleep);
    await keyboard.press('Enter');
    await page.getByText('From the search.').waitFor();
    await keyboard.press('s');
    await page.getByRole('dialog', { name: `Related items: ${sleep}` }).waitFor();
    await keyboard.press('Escape');
    await keyboard.press('y');
    await expect.poll(() => page.locator('.thing h2').allInnerTexts()).toEqual(['Changed']);
    expect(await page.locator('.thing ins').innerText()).toBe('From the search.');
    await page.goBack();
    await page.locator('.head[data-item]').waitFor();
    await keyboard.press('Delete');
    // Back to the search that it was found by.
    await expect.poll(() => new URL(page.url()).search).toBe('?q=coffee');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect.poll(() => titles(page)).toHaveLength(3);
    expect(complaints).toEqual([]);
  });

  it('has its menu on a phone by a long press, which does not open the item', async () => {
    const { window, page } = await open({
      demo: ['sleep.html', 'fees.html'],
      window: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    const touch = await window.newCDPSession(page);
    const box = await page.getByRole('link', { name: sleep }).boundingBox();
    const point = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 8 };
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
    await page.getByRole('menu', { name: sleep }).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    const sheet = await page.locator('.floating').boundingBox();
    expect([sheet?.x, sheet?.width]).toEqual([0, 390]);
    // Several: the first by the menu, others by a tap anywhere on them.
    expect(await page.locator('.choose').first().isVisible()).toBe(false);
    await page.getByRole('menuitem', { name: 'Select' }).tap();
    await said(page, '1 item chosen');
    await expectGoodPage(page, 'items-chosen-phone');
    await page.setViewportSize({ width: 390, height: 844 });
    const wayOut = await page.getByRole('button', { name: 'Choose none of them' }).boundingBox();
    expect((wayOut?.x ?? 0) + (wayOut?.width ?? 0)).toBeLessThan(390);
    await page.locator('.row', { hasText: fees }).getByRole('link', { name: fees }).tap();
    await said(page, '2 items chosen');
    await page.locator('.row', { hasText: fees }).getByRole('checkbox').tap();
    await said(page, '1 item chosen');
    await page.getByRole('region', { name: 'With all that is chosen' }).getByRole('button', { name: 'Delete' }).tap();
    await expect.poll(() => titles(page)).toEqual([fees]);
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(() => focused(page)).toBe(sleep);
  });

  it('is selected once by the menu, and opened by Enter after a finger selected it', async () => {
    const { page } = await open({
      demo: ['sleep.html', 'fees.html'],
      window: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    const row = page.locator('.row', { hasText: sleep });
    for (let i = 0; i < 2; i += 1) {
      await row.getByRole('button', { name: `Menu: ${sleep}` }).tap();
      await page.getByRole('menuitem', { name: 'Select' }).tap();
      await page.locator('.floating').waitFor({ state: 'detached' });
      await said(page, '1 item chosen');
    }
    await row.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: 'With all that is chosen' }).waitFor({ state: 'detached' });
    // The box that has the focus stays until the focus goes on.
    expect(await page.evaluate('document.activeElement.className')).toBe('choose');
    await page.keyboard.press('Space');
    await said(page, '1 item chosen');
    await page.getByRole('link', { name: fees }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: fees, level: 1 }).waitFor();
  });

  it('is restored by an undo without taking the focus from reading or later work', async () => {
    const { page } = await open({
      demo: ['sleep.html', 'fees.html'],
      window: { viewport: { width: 1_280, height: 800 } },
    });
    const { keyboard } = page;
    const inList = () => page.evaluate("document.activeElement.closest('.row') !== null");
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo' }).focus();
      await keyboard.press('Enter');
    };
    await page.getByRole('link', { name: sleep }).click();
    await page.getByRole('heading', { name: sleep, level: 1 }).waitFor();
    await keyboard.press('R');
    await said(page, 'Marked as read.');
    await undo();
    await said(page, 'Undone.');
    expect(await inList()).toBe(false);

    await keyboard.press('u');
    await page.getByRole('heading', { name: sleep, level: 1 }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: sleep }).focus();
    await keyboard.press('Delete');
    await expect.poll(() => titles(page)).toEqual([fees]);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/app/api/undo', async (route) => {
      await held;
      await route.continue();
    });
    await undo();
    await keyboard.press('Shift');
    answer();
    await expect.poll(() => titles(page)).toEqual([fees, sleep]);
    expect(await inList()).toBe(false);
  });

  it('is selected with all between, drawn or not, by Shift and a click', async () => {
    const testServer = await servePage();
    const { library } = testServer.app.services;
    const { signal } = new AbortController();
    for (let i = 0; i < 130; i += 1) await library.saveNote(localAccountId, { text: `Note ${i}.` }, { signal });
    await testServer.app.worker.runUntilEmpty();
    const { page } = await open({ testServer });
    await page.getByRole('checkbox', { name: 'Choose: Note 129.' }).check();
    await page.mouse.wheel(0, 1_000_000);
    // Its title is there before the item is.
    await page.getByRole('checkbox', { name: 'Choose: Note 0.' }).waitFor();
    await page.getByRole('link', { name: 'Note 0.' }).click({ modifiers: ['Shift'] });
    await said(page, '130 items chosen');
    await page.getByRole('region', { name: 'With all that is chosen' }).getByRole('button', { name: 'Delete' }).click();
    await said(page, '130 deleted. They can be restored for 30 days.');
    await page.getByText('Save your first page').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('130 items').waitFor();
    await expect.poll(() => focused(page)).toMatch(/^Note \d+\.$/);
    expect((await library.list(localAccountId, { limit: 1, offset: 0 })).total).toBe(130);
  });
});

describe.skipIf(hasNoChromium)('trash and history', () => {
  it('list deleted and changed items and restore them', async () => {
    const {
      testServer,
      page,
      complaints,
      ids: [id = ''],
    } = await open({ path: '/app/trash', demo: ['sleep.html'] });
    await page.getByText('Nothing was deleted in the last 30 days.').waitFor();
    await page.goto(testServer.url);
    await page.keyboard.press('j');
    await page.keyboard.press('Delete');
    await page.getByText('Save your first page').waitFor();
    await page.goto(`${testServer.url}/app/trash`);
    await expectGoodPage(page, 'trash');
    await page.getByRole('button', { name: `Restore: ${sleep}` }).press('Enter');
    await page.getByText('Nothing was deleted').waitFor();
    expect((await summaryOf(testServer, id))?.title).toBe(sleep);

    await page.goto(`${testServer.url}/app/history`);
    await expect.poll(() => page.locator('.thing h2').allInnerTexts()).toEqual(['Restored', 'Deleted']);
    await expectGoodPage(page, 'history');
    await page.getByRole('button', { name: /^Undo: Restored/ }).click();
    await said(page, 'Undone.');
    await expect.poll(() => page.locator('.thing h2').allInnerTexts()).toEqual(['Undone', 'Restored', 'Deleted']);
    expect(await summaryOf(testServer, id)).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  it('are emptied at once when the person says so', async () => {
    const testServer = await servePage();
    const { library } = testServer.app.services;
    for (let i = 0; i < 3; i += 1) {
      const note = await library.saveNote(
        localAccountId,
        { title: `Note ${i}`, text: `Words ${i}.` },
        { signal: new AbortController().signal },
      );
      await library.delete(localAccountId, note.id);
    }
    const page = await testServer.enter(await openWindow(), '/app/trash');
    await page.getByRole('button', { name: 'Delete for good: Note 1' }).click();
    await page.getByRole('button', { name: /^Sure/ }).click();
    await said(page, '1 item deleted for good.');
    await page.getByRole('button', { name: 'Empty the trash' }).dblclick();
    await page.getByRole('button', { name: /^Sure\? 2 items will be gone for good/ }).click();
    await page.getByText('Nothing was deleted').waitFor();
    expect((await library.list(localAccountId, { limit: 9, offset: 0, deleted: true })).total).toBe(0);
  });
});
