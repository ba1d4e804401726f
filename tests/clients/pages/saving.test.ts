import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { startSite } from '../../../demo/site-server.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium } from '../../support/access/chromium.ts';
import { type PageServer, servePage, usePage } from '../../support/access/page.ts';

/* Saving, with its progress, and what failed, in a real browser. */

const { open } = usePage();

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function demoSite(): Promise<string> {
  const site = await startSite();
  closers.push(() => site.close());
  return site.url;
}

const field = (page: Page) => page.getByLabel('An address or a note');
const saved = (page: Page) => page.locator('.saved .thing');
const listed = async ({ app }: PageServer) =>
  (await app.services.library.list(localAccountId, { limit: 20, offset: 0 })).items;

/** Reads `count` items, once the page has sent them: it shows them before. */
async function readAll(testServer: PageServer, count: number): Promise<void> {
  await expect.poll(async () => (await listed(testServer)).length).toBe(count);
  await testServer.app.worker.runUntilEmpty();
}

/** Drops files on the page, as from the desktop. */
async function drop(page: Page, files: readonly { name: string; text: string }[]): Promise<void> {
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const { name, text } of ${JSON.stringify(files)}) data.items.add(new File([text], name));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
  })()`);
}

describe.skipIf(hasNoChromium)('the save box', () => {
  it('saves an address and shows each step until it can be read', async () => {
    const [testServer, site] = [await servePage(), await demoSite()];
    const { page, complaints } = await open({ testServer });
    await page.getByText('Save your first page').waitFor();
    await page.keyboard.press('Alt+s');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await expectGoodPage(page, 'save');
    await field(page).fill(`${site}/sleep.html`);
    await page.getByText(`A page of ${new URL(site).host}`).waitFor();
    await page.getByText('Tags and your own words').click();
    await page.getByLabel('Tags, with commas between them').fill('health, sleep');
    await field(page).press('Enter');
    await saved(page).getByText('Waiting for its turn').waitFor();
    expect(await field(page).inputValue()).toBe('');
    await testServer.app.worker.runUntilEmpty();
    await saved(page).getByText('Ready to read').waitFor();
    expect(await saved(page).getByRole('progressbar').getAttribute('value')).toBe('5');
    const title = page.getByRole('link', { name: 'The dull habits that cured my insomnia' });
    await title.waitFor();
    expect(await listed(testServer)).toMatchObject([{ tags: ['health', 'sleep'] }]);
    await field(page).fill(`${site}/sleep.html`);
    await field(page).press('Enter');
    await saved(page).getByText('It was saved already, ').waitFor();
    await expectGoodPage(page, 'saved');
    await title.first().click();
    await expect.poll(() => page.locator('h1').innerText()).toBe('The dull habits that cured my insomnia');
    expect(complaints).toEqual([]);
  });

  it('accepts a note, several addresses, and content shared from a phone', async () => {
    const [testServer, site] = [await servePage(), await demoSite()];
    const { page } = await open({
      testServer,
      path: `/app/save?title=Fees&text=${encodeURIComponent(`${site}/fees.html`)}`,
    });
    expect(await field(page).inputValue()).toBe(`Fees\n${site}/fees.html`);
    await field(page).fill(`${site}/fees.html\n${site}/friends.html`);
    await page.getByText('2 pages').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await field(page).fill('# Boiler\n\nServiced in May.');
    await page.getByText('A note of 5 words').waitFor();
    await field(page).press('Control+Enter');
    await expect.poll(() => saved(page).count()).toBe(3);
    await readAll(testServer, 3);
    await expect.poll(() => saved(page).getByText('Ready to read').count()).toBe(3);
    expect((await listed(testServer)).map(({ title }) => title).toSorted()).toEqual([
      'Boiler',
      'Friendship after forty is a matter of calendars',
      'How a quiet fee eats a third of your savings',
    ]);
  });

  it('accepts files that are chosen, or dropped anywhere', async () => {
    const testServer = await servePage();
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-files-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'boiler.md'), '# The boiler\n\nIt was last serviced in May, by Ann.');
    await writeFile(join(folder, 'empty.txt'), '');
    const { page, complaints } = await open({ testServer });
    await drop(page, [{ name: 'fence.txt', text: 'The fence was painted green in June.' }]);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/save');
    await page.locator('input[type=file]').setInputFiles([join(folder, 'boiler.md'), join(folder, 'empty.txt')]);
    await page.getByText('The file is empty, or it is a folder.').waitFor();
    await readAll(testServer, 2);
    await expect.poll(() => saved(page).getByText('Ready to read').count()).toBe(2);
    expect((await listed(testServer)).map(({ title }) => title)).toEqual(['The boiler', 'fence.txt']);
    await page.goto(`${testServer.url}/?q=fence`);
    await page.getByRole('link', { name: 'fence.txt' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('accepts 70 files at once and reports each, with few requests', async () => {
    const { testServer, page } = await open({ path: '/app/save' });
    const count = 70;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const read = testServer.app.worker.runUntilEmpty();
    await drop(
      page,
      Array.from({ length: count }, (_, index) => ({
        // One of them is refused, and is not lost among the others.
        name: `${index}.txt`,
        text: index === 3 ? '' : `Note ${index} about the boiler.`,
      })),
    );
    await page
      .getByRole('status')
      .getByText(/ of 70 ready to read, 1 failed$/)
      .waitFor();
    await read;
    // Between two looks the server takes the files that are still on their way.
    await expect
      .poll(async () => {
        await testServer.app.worker.runUntilEmpty();
        return (await testServer.app.services.library.state(localAccountId)).searchable;
      })
      .toBe(count - 1);
    await page.getByRole('status').getByText('69 of 70 ready to read, 1 failed').waitFor();
    expect(await page.locator('.thing .words').count()).toBe(0);
    expect(await saved(page).count()).toBe(60);
    // The views that are shown are asked again now and then, and no item for itself.
    const others = asked.filter((path) => path !== '/app/capture');
    expect(asked.length - others.length).toBe(count - 1);
    expect(others.length).toBeLessThan(count / 2);
    await page.getByRole('link', { name: 'Library' }).click();
    await page.getByText('69 items').waitFor();
  });

  it('reports refusals with advice, and continues after the connection was cut', async () => {
    const [testServer, site] = [await servePage(), await demoSite()];
    const { page } = await open({ testServer, path: '/app/save' });
    await page.locator('h1').waitFor();
    await testServer.stop();
    await field(page).fill(`${site}/sleep.html`);
    await field(page).press('Enter');
    await saved(page).getByText('Waits to be sent').waitFor();
    await testServer.start();
    await saved(page).getByText('Waiting for its turn').waitFor();
    await testServer.app.worker.runUntilEmpty();
    // The stream of events was cut off, too, and came back.
    await saved(page).getByText('Ready to read').waitFor();
    await field(page).fill('https://ann:secret@example.com/');
    await field(page).press('Enter');
    await page.getByText('holds a user name or password').waitFor();
    expect((await listed(testServer)).map(({ url }) => url)).toEqual([`${site}/sleep.html`]);
  });
});

describe.skipIf(hasNoChromium)('a failed item', () => {
  it('is shown with its reason, and can be retried, opened or deleted', async () => {
    const [testServer, site] = [await servePage(), await demoSite()];
    const { page, complaints } = await open({ testServer, path: '/app/save' });
    await field(page).fill(`${site}/gone.html\n${site}/away.html`);
    await field(page).press('Enter');
    await expect.poll(() => saved(page).count()).toBe(2);
    await readAll(testServer, 2);
    await expect.poll(() => saved(page).getByRole('button', { name: 'Try again' }).count()).toBe(2);
    await page.getByRole('link', { name: '2 items could not be read: see what to do' }).click();
    await page.getByText('These could not be read.').waitFor();
    expect(await page.locator('.thing .words').first().innerText()).toMatch(/HTTP 404.*Check the address/);
    expect(
      await page
        .locator('.thing')
        .first()
        .getByRole('link', { name: /^Open the original/ })
        .getAttribute('href'),
    ).toMatch(/\/(gone|away)\.html$/);
    await expectGoodPage(page, 'problems');
    await page.getByRole('button', { name: 'Try all 2 again' }).click();
    await page.getByText('2 items queued again.').waitFor();
    await page.getByText('Everything that you saved could be read.').waitFor();
    await testServer.app.worker.runUntilEmpty();
    // News of the failures arrives by itself.
    await expect.poll(() => page.locator('.thing').count()).toBe(2);
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    await expect.poll(() => page.locator('.thing').count()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('.thing').count()).toBe(2);
    await page
      .getByRole('button', { name: /^Try again: / })
      .first()
      .click();
    await expect.poll(() => page.locator('.thing').count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
