import { expect, it } from 'vitest';
import { expectGoodPage } from '../../support/access/chromium.ts';
import { runCommand, startServing } from '../../support/servers/serving.ts';
import { atEnd, openExtension, startTestSite, temporaryFolder, testFlags } from './support.ts';

it('the panel and the options look right in light and dark mode', async () => {
  const data = temporaryFolder();
  const server = await startServing(data, 0, testFlags.slice(2));
  atEnd(() => server.end('SIGKILL'));
  const site = await startTestSite((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<title>How to keep a garden through a dry summer</title>${'<p>Water early, and seldom.</p>'.repeat(9)}`,
    );
  });
  const browser = await openExtension();
  const { secret } = await runCommand<{ secret: string }>(
    data,
    'token',
    'create',
    'browser',
    '--permissions',
    'content:write,capture:read',
  );
  const choose = (settings: object) => browser.worker.evaluate((chosen) => chrome.storage.local.set(chosen), settings);
  await choose({ way: 'server', server: server.url, key: secret });
  const page = await browser.window.newPage();
  for (const [path, tags] of [
    ['/other', 'summer, dry'],
    ['/garden', 'garden, water'],
  ] as const) {
    await page.goto(site + path);
    const first = await browser.panel(page);
    await first.getByLabel('Tags, with commas').fill(tags);
    await first.getByLabel('Note').fill('For the dry weeks.');
    await first.getByRole('button', { name: 'Save this page' }).click();
    await first.getByText('Saved.', { exact: true }).waitFor();
  }
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('p') as Node));
  const panel = await browser.panel(page);
  await panel.getByText(/^Already saved on /).waitFor();
  await panel.getByLabel('Tags, with commas').fill('dry, ');
  await panel.getByRole('button', { name: 'summer' }).waitFor();
  await expectGoodPage(panel, 'extension-panel');

  const connected = await browser.options();
  await connected.getByText(`Connected to ${server.url}.`).waitFor();
  await connected.getByRole('button', { name: 'Try it' }).click();
  await connected.getByText('It works.').waitFor();
  await expectGoodPage(connected, 'extension-options-server');

  await choose({ way: 'machine', server: '', key: '' });
  const away = await browser.panel(page);
  await away.getByRole('button', { name: 'Save this page' }).click();
  await away.getByText(/^Kept in this browser/).waitFor();
  await expectGoodPage(away, 'extension-panel-away');
  const options = await browser.options();
  await options.getByText('Not sent yet').waitFor();
  await expectGoodPage(options, 'extension-options-machine');
  expect(await browser.badge()).toBe('1');
});
