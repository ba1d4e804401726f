import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { drawPage, expectGoodPage, hasNoChromium, useChromium } from '../support/chromium.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { complaintsOf, servePage } from '../support/page.ts';

/* What a person decides about the page and the access to their library, in a real browser. */

const { openWindow } = useChromium();

describe.skipIf(hasNoChromium)('the settings', () => {
  it('make a token, show it once, and end it after a second press', async () => {
    const house = await servePage();
    const window = await openWindow();
    const page = await house.enter(window, '/app/settings');
    const complaints = complaintsOf(page);
    await page.reload();
    await expectGoodPage(page, 'settings');
    await page.getByText('Make a token').click();
    await page.getByLabel('What it is for').fill('the laptop');
    await page.getByLabel('save, change and delete items').uncheck();
    await expectGoodPage(page, 'settings-token-form');
    await page.getByRole('button', { name: 'Make it' }).click();
    const made = await page.getByLabel('the token', { exact: true }).innerText();
    expect(made).toMatch(/^cpl_/);
    const asked = async () =>
      (await fetch(`${house.url}/content`, { headers: { authorization: `Bearer ${made}` } })).status;
    expect(await asked()).toBe(200);
    const [{ scopes = [], expiresAt = null } = {}] = await house.app.access.listTokens(localAccountId);
    expect([scopes.includes('content:write'), scopes.length, expiresAt !== null]).toEqual([false, 6, true]);
    await drawPage(page, 'settings-token-made');
    await page.reload();
    expect(await page.locator('main').innerText()).not.toContain(made);

    const end = page.getByRole('button', { name: 'End the token the laptop' });
    await end.click();
    // The first press only asks, and looking elsewhere is a no.
    await page.getByText('Make a token').focus();
    expect(await asked()).toBe(200);
    await end.click();
    await end.click();
    await page.getByText('The token is ended.').waitFor();
    expect(await asked()).toBe(401);
    expect(complaints).toEqual([]);
    await window.close();
  });

  it('choose colours, which stay, and are there before any script runs', async () => {
    const house = await servePage();
    const window = await openWindow();
    const page = await house.enter(window, '/app/settings');
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await paper()).toBe('rgb(251, 248, 241)');
    await page.getByRole('radio', { name: 'Dark' }).check();
    expect(await paper()).toBe('rgb(20, 24, 26)');
    const sent = await (await window.request.get(house.url, { headers: { accept: 'text/html' } })).text();
    expect(sent).toContain('data-theme="dark"');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('radio', { name: 'Light' }).check();
    expect(await paper()).toBe('rgb(251, 248, 241)');
    await page.getByRole('radio', { name: 'As the system' }).check();
    expect(await paper()).toBe('rgb(20, 24, 26)');
    await window.close();
  });

  it('load pictures and players of elsewhere only after somebody allows it, and the policy says the same', async () => {
    const house = await servePage();
    const store = await house.app.stores.open(localAccountId);
    const id = await addFinishedItem(store, {
      url: 'https://www.youtube.com/watch?v=abcdefghijk',
      blocks: [
        ...paragraphs('Seen: ![a cat](https://pictures.example/cat.png)'),
        { kind: 'caption', text: 'Said after ten seconds.', locator: { kind: 'time', seconds: 10 } },
      ],
      about: { title: 'A talk', contentType: 'youtube' } as never,
    });
    const window = await openWindow();
    const asked: string[] = [];
    await window.route(/example|youtube/, async (route) => {
      asked.push(route.request().url());
      await route.fulfill({
        body: '',
        contentType: route.request().resourceType() === 'image' ? 'image/png' : 'text/html',
      });
    });
    const page = await house.enter(window, `/app/read/${id}`);
    await page.getByText('Picture: a cat').waitFor();
    expect(asked).toEqual([]);
    const policy = async () =>
      (await window.request.get(house.url, { headers: { accept: 'text/html' } })).headers()['content-security-policy'];
    expect(await policy()).not.toContain('https:');
    await page.goto(`${house.url}/app/settings`);
    for (const name of ['Pictures of saved pages', 'Players of YouTube videos']) {
      await Promise.all([page.waitForEvent('load'), page.getByLabel(name).click()]);
      expect(await page.getByLabel(name).isChecked()).toBe(true);
    }
    expect(await policy()).toContain("img-src 'self' data: https:");
    expect(await policy()).toContain('https://www.youtube-nocookie.com');
    await page.goto(`${house.url}/app/read/${id}`);
    await expect
      .poll(() => asked)
      .toEqual(
        expect.arrayContaining([
          'https://pictures.example/cat.png',
          'https://www.youtube-nocookie.com/embed/abcdefghijk',
        ]),
      );
    await page.locator('a.time').click();
    await expect.poll(() => asked).toContain('https://www.youtube-nocookie.com/embed/abcdefghijk?start=10&autoplay=1');
    await window.close();
  });

  it('show names of tokens as text, whatever they are', async () => {
    const house = await servePage();
    const attack = `<img src=x onerror="attacked()"><script>attacked()</script>'">`;
    await house.app.access.createToken({ account: localAccountId, name: attack, scopes: ['content:read'] });
    const window = await openWindow();
    const ran: string[] = [];
    await window.exposeFunction('attacked', () => ran.push('a script ran'));
    const page = await house.enter(window, '/app/settings');
    const complaints = complaintsOf(page);
    await page.reload();
    await page.getByText(attack).waitFor();
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect([ran, complaints]).toEqual([[], []]);
    await window.close();
  });

  it('close the library in this browser, by keys alone', async () => {
    const house = await servePage();
    const window = await openWindow();
    const page = await house.enter(window, '/app/settings');
    await page.getByText('(this one)').waitFor();
    const leave = page.getByRole('button', { name: 'Close the library here' });
    await leave.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${house.url}/`);
    expect(await page.locator('#start').count()).toBe(0);
    await window.close();
  });
});
