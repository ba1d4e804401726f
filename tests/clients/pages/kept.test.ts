import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium } from '../../support/access/chromium.ts';
import { type PageServer, servePage, usePage } from '../../support/access/page.ts';

/* Nothing that is typed or done on the page is lost: not by a press, Back, a reload, or a server that is away. */

const { open, openWindow } = usePage();
const sleep = 'The dull habits that cured my insomnia';
/** Drafts and writes that the browser keeps; where one was in a text is no such thing. */
const unsent = (page: Page) => page.evaluate('Object.keys(localStorage).length');
const field = (page: Page) => page.getByLabel('An address or a note');
const notesOf = async ({ app }: PageServer, id: string) =>
  (await app.services.library.list(localAccountId, { limit: 9, offset: 0 })).items.find((item) => item.id === id)
    ?.notes;
const actionsOf = async ({ app }: PageServer, title: string) =>
  (await app.services.actions.list(localAccountId, { offset: 0 })).items.filter((action) => action.title === title);

describe.skipIf(hasNoChromium)('typed text', () => {
  it('is still there after a click elsewhere, Back and a reload, and is gone when the library is closed', async () => {
    const {
      testServer,
      page,
      ids: [id = ''],
    } = await open({ path: '/app/save', demo: ['sleep.html'], window: { viewport: { width: 1_280, height: 800 } } });
    await field(page).fill('A note that is not finished');
    await page.getByRole('link', { name: 'To do' }).click();
    await page.getByLabel('What is to be done').fill('Buy a lamp');
    await page.goBack();
    await expect.poll(() => field(page).inputValue()).toBe('A note that is not finished');
    await page.reload();
    await expect.poll(() => field(page).inputValue()).toBe('A note that is not finished');

    // Words of a highlight's note that was not kept stand there again, with the words that it is about.
    await page.goto(`${testServer.url}/app/read/${id}`);
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.text p'))");
    await page.getByRole('button', { name: 'Highlight with a note' }).click();
    await page.getByLabel('Your words about it').fill('Ask Ines');
    await page.reload();
    await expect.poll(() => page.getByLabel('Your words about it').inputValue()).toBe('Ask Ines');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.locator('.margin').getByText('Ask Ines').waitFor();

    // A panel is kept however it ends: here by a reload.
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByRole('textbox', { name: 'Your notes' }).fill('For Ida.');
    await page.reload();
    await expect.poll(() => notesOf(testServer, id)).toBe('For Ida.');

    await page.goto(`${testServer.url}/app/settings`);
    expect(await unsent(page)).toBe(2);
    await page.getByRole('button', { name: 'Close the library here' }).click();
    await page.getByRole('button', { name: /^Sure/ }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'detached' });
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('is added once, even if its panel is reopened before the server answers', async () => {
    const { testServer, page } = await open({
      demo: ['sleep.html'],
      window: { viewport: { width: 1_280, height: 800 } },
    });
    await page.route('**/app/api/add_action', (route) => route.abort());
    const words = page.getByRole('textbox', { name: 'What is to be done' });
    for (const typed of ['Air the room', '']) {
      await page.getByRole('link', { name: sleep }).focus();
      await page.keyboard.press('a');
      expect(await words.inputValue()).toBe('');
      await words.fill(typed);
      await page.locator('.total').click();
      await page.locator('.floating').waitFor({ state: 'detached' });
    }
    await page.unroute('**/app/api/add_action');
    await expect.poll(async () => (await actionsOf(testServer, 'Air the room')).length).toBe(1);
    await expect.poll(() => unsent(page)).toBe(0);
    expect(await actionsOf(testServer, 'Air the room')).toHaveLength(1);
  });

  it('is gone from all windows once the library is closed in one', async () => {
    const { testServer, window, page } = await open({
      path: '/app/settings',
      window: { viewport: { width: 1_280, height: 800 } },
    });
    const other = await window.newPage();
    await other.goto(`${testServer.url}/app/save`);
    await field(other).fill('A note that is not finished');
    await page.getByRole('button', { name: 'Close the library here' }).click();
    await page.getByRole('button', { name: /^Sure/ }).click();
    await field(other).waitFor({ state: 'detached' });
    expect(await other.evaluate('localStorage.length')).toBe(0);
  });

  it('triggers a question before leaving the page where the browser cannot store it', async () => {
    const testServer = await servePage();
    const window = await openWindow({ viewport: { width: 1_920, height: 1_000 } });
    await window.addInitScript("Storage.prototype.setItem = () => { throw new Error('full'); }");
    const page = await testServer.enter(window, '/app/save');
    await field(page).pressSequentially('A note');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloaded;
  });
});

it.skipIf(hasNoChromium)('loads a view again once the server is back', async () => {
  const testServer = await servePage();
  const window = await openWindow({ viewport: { width: 1_280, height: 800 } });
  const away = /\/later-|\/library_state/;
  await window.route(away, (route) => route.abort());
  const page = await testServer.enter(window);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.locator('main .problem').getByText('Trying again').waitFor();
  await window.unroute(away);
  await page.getByRole('heading', { name: 'Looks' }).waitFor();
  // It is kept for the time without the server, although the document of a first view does not name it.
  await page.goto(testServer.url);
  const kept = `caches.open('commonplace-kept').then((one) => one.keys()).then((all) => all.map(({ url }) => url).join())`;
  for (const script of [/\/app-[^,/]*\.js/, /\/later-[^,/]*\.js/])
    await expect.poll(() => page.evaluate(kept)).toMatch(script);
});

describe.skipIf(hasNoChromium)('a change', () => {
  it('waits while the server is away, on a phone even after a reload, and is then sent in order', async () => {
    const {
      testServer,
      window,
      page,
      ids: [id = ''],
    } = await open({
      path: '/app/actions',
      demo: ['sleep.html'],
      window: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    await testServer.stop();
    await page.getByLabel('What is to be done').fill('Buy a lamp');
    await page.keyboard.press('Enter');
    await page.getByText('This is kept here, and sent when it is back.').waitFor();
    await page.getByRole('link', { name: 'Save', exact: true }).tap();
    await field(page).fill('The boiler was serviced in May.');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.locator('.saved .thing').getByText('Waits to be sent').waitFor();
    await page.locator('.connection').getByText('2 changes wait to be sent.').waitFor();
    // The page is closed while the server is away, and opened when it is back.
    await page.close();
    await testServer.start();
    const later = await window.newPage();
    await later.goto(`${testServer.url}/app/save`);
    await expect.poll(() => actionsOf(testServer, 'Buy a lamp')).toHaveLength(1);
    await later.locator('.saved .thing').getByText('The boiler was serviced in May.').waitFor();
    await later.goto(`${testServer.url}/app/read/${id}`);
    await expect.poll(() => unsent(later)).toBe(0);
  });

  it('is seen at once while the server is away, marked as waiting, and a refusal brings the old words back', async () => {
    const {
      testServer,
      page,
      ids: [id = ''],
    } = await open({ demo: ['sleep.html'], window: { viewport: { width: 1_280, height: 800 } } });
    await page.goto(`${testServer.url}/app/read/${id}`);
    await page.locator('.text p').first().waitFor();
    await testServer.stop();
    const say = async (key: string, field: string, words: string) => {
      await page.keyboard.press(key);
      await page.getByRole('textbox', { name: field }).fill(words);
      await page.keyboard.press('Escape');
      await page.locator('.floating').waitFor({ state: 'detached' });
    };
    await say('E', 'Title', 'Sleep well');
    await page.getByRole('heading', { level: 1, name: 'Sleep well' }).waitFor();
    await page.locator('.head').getByText('Waits to be sent').waitFor();
    await expect.poll(() => page.locator('.row h2').first().innerText()).toBe('Sleep well');
    await say('n', 'Your notes', 'For Ida.');
    await page.locator('.own').getByText('For Ida.').waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.text p'))");
    await page.getByRole('toolbar', { name: 'Highlight' }).waitFor();
    await page.keyboard.press('h');
    await page.locator('mark.highlight.waits').first().click();
    await page.getByRole('textbox', { name: 'Your note' }).fill('Ask Ines.');
    await page.keyboard.press('Escape');
    await page.locator('.margin').getByText('Ask Ines.').waitFor();

    await testServer.start();
    await expect.poll(() => unsent(page)).toBe(0);
    await page.locator('mark.highlight:not(.waits)').first().waitFor();
    await page.locator('.head').getByText('Waits to be sent').waitFor({ state: 'detached' });
    expect(await notesOf(testServer, id)).toBe('For Ida.');
    await page.locator('.margin').getByText('Ask Ines.').waitFor();

    await page.route('**/app/api/edit_item', (route) =>
      route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{"detail":"Not this one."}' }),
    );
    await say('n', 'Your notes', 'For Noor.');
    await page.getByRole('status').getByText('Not this one.').waitFor();
    await page.locator('.own').getByText('For Ida.').waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => page.getByRole('textbox', { name: 'Your notes' }).inputValue()).toBe('For Noor.');
  });

  it('is made once although its answer was lost, and a refusal keeps the words as a draft', async () => {
    const { testServer, page } = await open({
      path: '/app/actions',
      window: { viewport: { width: 1_280, height: 800 } },
    });
    let lost = 0;
    await page.route('**/app/api/add_action', async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await page.getByLabel('What is to be done').fill('Buy a lamp');
    await page.keyboard.press('Enter');
    await page.locator('.action', { hasText: 'Buy a lamp' }).waitFor();
    await expect.poll(() => unsent(page)).toBe(0);
    expect([lost, (await actionsOf(testServer, 'Buy a lamp')).length]).toEqual([1, 1]);

    await page.unroute('**/app/api/add_action');
    await page.route('**/app/api/add_action', (route) =>
      route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{"detail":"Not this one."}' }),
    );
    await page.getByLabel('What is to be done').fill('Sell a lamp');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Not this one.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('What is to be done').inputValue()).toBe('Sell a lamp');
  });

  it('overwrites nothing that somebody else changed meanwhile: the person chooses', async () => {
    const testServer = await servePage();
    const [id = ''] = await testServer.saveDemo('sleep.html');
    const { library } = testServer.app.services;
    const { page } = await open({
      testServer,
      path: `/app/read/${id}`,
      window: { viewport: { width: 390, height: 844 } },
    });
    const change = async (words: string, theirs: string) => {
      await page.route('**/app/api/edit_item', (route) => route.abort());
      await page.keyboard.press('n');
      await page.getByRole('textbox', { name: 'Your notes' }).fill(words);
      await page.keyboard.press('Escape');
      await page.getByText('This is kept here, and sent when it is back.').waitFor();
      await library.update(localAccountId, id, { notes: theirs });
      await page.unroute('**/app/api/edit_item');
      await page.getByRole('dialog', { name: /was changed elsewhere/ }).waitFor();
    };
    await change('Ask Ida.', 'Ask Ines.');
    await page.getByRole('definition').getByText('Ask Ines.').waitFor();
    await page.getByRole('definition').getByText('Ask Ida.').waitFor();
    await expectGoodPage(page, 'conflict');
    // The keys of the page wait behind the question.
    await page.keyboard.press('u');
    expect(new URL(page.url()).pathname).toBe(`/app/read/${id}`);
    expect(await notesOf(testServer, id)).toBe('Ask Ines.');
    await page.getByRole('button', { name: 'Keep the other version' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([await notesOf(testServer, id), await unsent(page)]).toEqual(['Ask Ines.', 0]);
    await change('Ask Ida.', 'Ask nobody.');
    await page.getByRole('button', { name: 'Use mine' }).click();
    await expect.poll(() => notesOf(testServer, id)).toBe('Ask Ida.');

    // The question is put off, and then about nothing.
    await change('Ask Ines.', 'Ask Noor.');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await unsent(page)).toBe(1);
    await library.delete(localAccountId, id);
    await page.goto(testServer.url);
    await page.getByRole('status').getByText('was deleted elsewhere').waitFor();
    expect(await unsent(page)).toBe(0);
  });

  it('appears in another window without a reload', async () => {
    const testServer = await servePage();
    const [id = ''] = await testServer.saveDemo('sleep.html');
    const window = await openWindow({ viewport: { width: 1_920, height: 1_000 } });
    const [one, two] = [await testServer.enter(window), await window.newPage()];
    await two.goto(`${testServer.url}/app/actions`);
    await one.getByRole('link', { name: sleep }).focus();
    await one.keyboard.press('a');
    await one.getByRole('textbox', { name: 'What is to be done' }).fill('Air the room');
    await one.keyboard.press('Enter');
    await two.locator('.action', { hasText: 'Air the room' }).waitFor();
    await testServer.app.services.library.update(localAccountId, id, { title: 'Sleep' });
    await one.evaluate("dispatchEvent(new Event('focus'))");
    await expect.poll(() => one.locator('.row h2').first().innerText()).toBe('Sleep');
  });
});
