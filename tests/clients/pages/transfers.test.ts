import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { complaintsOf, servePage } from '../../support/access/page.ts';

/* Taking everything in and out, in a real browser. */

const { openWindow } = useChromium();
const attack = '<img src=x onerror="attacked()"><script>attacked()</script>';
const bookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1><TITLE>Bookmarks</TITLE><H1>Bookmarks</H1><DL><p>
<DT><A HREF="https://example.com/one" ADD_DATE="1700000000">One</A>
<DT><A HREF="https://example.com/two" ADD_DATE="1700000001">Two</A>
<DT><A HREF="javascript:attacked()" ADD_DATE="1700000002">${attack.replaceAll('<', '&lt;')}</A>
</DL><p>`;

describe.skipIf(hasNoChromium)('the page', () => {
  it('imports dropped files, reports the outcome of each entry, and undoes the import', async () => {
    const testServer = await servePage();
    const window = await openWindow();
    const ran: string[] = [];
    await window.exposeFunction('attacked', () => ran.push('a script ran'));
    const page = await testServer.enter(window, '/app/settings');
    const complaints = complaintsOf(page);
    await page.reload();
    const files = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(bookmarks)}], 'bookmarks <b> & more.html', { type: 'text/html' }));
      return transfer;
    })()`);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: files });
    const row = page.locator('#import .thing').first();
    await row.getByText('2 taken').waitFor();
    // What no file system allows is left out of the name.
    expect(await row.locator('h3').innerText()).toBe('bookmarks _b_ & more.html');
    await row.getByText('Skipped and failed entries, with reasons').click();
    expect(await row.locator('.left-out .soft').first().innerText()).toMatch(/https?/);
    await expectGoodPage(page, 'settings-imported');
    const [report] = await Promise.all([page.waitForEvent('download'), row.getByText('Whole report').click()]);
    expect(await readFile(await report.path(), 'utf8')).toContain('https://example.com/one');
    expect((await testServer.app.services.library.list(localAccountId, { limit: 10, offset: 0 })).total).toBe(2);
    await row.getByRole('button', { name: 'Undo: bookmarks _b_ & more.html' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await testServer.app.services.library.list(localAccountId, { limit: 10, offset: 0 })).total).toBe(0);
    expect([ran, complaints]).toEqual([[], []]);
    await window.close();
  });

  it('exports everything into a file', async () => {
    const testServer = await servePage();
    await testServer.saveDemo('sleep.html');
    const window = await openWindow();
    const page = await testServer.enter(window, '/app/settings');
    await page.getByRole('combobox', { name: 'As' }).selectOption('bookmarks (HTML)');
    await page.getByRole('button', { name: 'Make the file' }).click();
    const link = page.getByText(/^Download/);
    await link.waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toMatch(/^commonplace-.*\.html$/);
    expect(await readFile(await file.path(), 'utf8')).toContain('The dull habits that cured my insomnia');
    const remove = page.getByRole('button', { name: /^Delete: commonplace-/ });
    await remove.click();
    await remove.or(page.getByRole('button', { name: /press again/ })).click();
    await link.waitFor({ state: 'detached' });
    await window.close();
  });

  it('refuses files from and to other origins', async () => {
    const { url } = await servePage();
    const send = (headers: Record<string, string>) =>
      fetch(`${url}/app/files/import?name=a.html`, { method: 'POST', body: bookmarks, headers });
    expect((await send({ 'content-type': 'application/octet-stream' })).status).toBe(401);
    expect((await fetch(`${url}/app/files/export/j_0123456789abcdef`)).status).toBe(401);
    expect((await fetch(`${url}/app/files/import/j_0123456789abcdef`)).status).toBe(401);
  });
});
