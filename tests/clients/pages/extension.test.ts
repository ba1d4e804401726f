import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { makeKey } from '../../support/access/keys.ts';
import { servePage } from '../../support/access/page.ts';

const folder = 'dist/extension/chromium';
const { openWindow } = useChromium();

it('the extension has at most 150 kB, its page script 30 kB, and only explained permissions', () => {
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(150_000);
  expect(statSync(join(folder, 'page.js')).size).toBeLessThan(30_000);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, string[]>;
  // Nothing runs in pages by itself, and nobody but the extension calls it.
  for (const name of ['content_scripts', 'host_permissions', 'externally_connectable', 'web_accessible_resources'])
    expect(manifest).not.toHaveProperty(name);
  const docs = readFileSync('docs/extension.md', 'utf8');
  for (const name of [...(manifest['permissions'] ?? []), ...(manifest['optional_permissions'] ?? [])])
    expect(docs).toContain(`| \`${name}\``);
});

it.skipIf(hasNoChromium)('the page script reads a page as drawn, and the server stores that', async () => {
  const { app, url } = await servePage();
  const window = await openWindow();
  const page = await window.newPage();
  const sentence = 'Scripts wrote these words into the page after it had loaded.';
  await page.setContent(`<title>Made by scripts</title><main></main><input value="typed">
<div contenteditable>typed in a part <p contenteditable="false">typed around</p></div><p contenteditable="plaintext-only" hidden>typed unseen</p>
<iframe srcdoc="Words of a frame."></iframe>
<iframe srcdoc="<body contenteditable>typed in a frame</body>"></iframe>
<iframe srcdoc="typed in a design<script>document.designMode = 'on'</script>"></iframe><p contenteditable="false">Not to be edited.</p><svg><text>drawn</text></svg><script>
document.querySelector('main').attachShadow({ mode: 'open' }).innerHTML = '<article><p>${sentence}</p></article>'.repeat(6);
window.commonplace = { readPage: () => 'forged' };</script>`);
  // In its own world, as browsers run it.
  const session = await window.newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${readFileSync(join(folder, 'page.js'), 'utf8')};commonplace.readPage()`,
    contextId: world.executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  const { html } = result.value as { html: string };
  expect(html).toContain(sentence);
  for (const words of ['Words of a frame.', 'Not to be edited.', 'drawn']) expect(html).toContain(words);
  expect(html).not.toMatch(/typed|forged|<script/);

  const { secret } = await makeKey(app, ['content:write', 'capture:read']);
  const form = new FormData();
  form.set('url', 'https://example.org/app');
  form.set('html', html);
  const response = await fetch(`${url}/capture`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: form,
  });
  const { id } = (await response.json()) as { id: string };
  await app.worker.runUntilEmpty();
  const item = await app.services.library.get(localAccountId, id);
  expect(item).toMatchObject({ status: 'completed', title: 'Made by scripts' });
  expect(item.transcript).toContain(sentence);
});

it.skipIf(hasNoChromium)(
  'one click creates a key for the extension, which is listed and revoked in the settings',
  async () => {
    const testServer = await servePage();
    const page = await testServer.enter(await openWindow(), '/app/browser?name=Firefox+on+Linux');
    await page.getByText('The Commonplace extension of Firefox on Linux asks for its own key.').waitFor();
    await expectGoodPage(page, 'browser-key');
    expect(await page.locator('[data-key]').count()).toBe(0);
    await page.getByRole('button', { name: 'Let it save' }).click();
    await page.getByText('Done: the extension has its key.').waitFor();
    const secret = await page.locator('#extension-key').getAttribute('data-key');
    const lookUp = () =>
      fetch(`${testServer.url}/capture/look-up`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: 'https://example.org/' }),
      });
    expect((await lookUp()).status).toBe(200);
    await page.goto(`${testServer.url}/app/settings`);
    const key = page.getByRole('listitem').filter({ hasText: 'Extension of Firefox on Linux' });
    await key.getByText('may saved items (write); whether one page is saved, and its highlights').waitFor();
    const end = key.getByRole('button', { name: 'End: Extension of Firefox on Linux' });
    await end.click();
    await end.click();
    await expect.poll(async () => (await lookUp()).status).toBe(401);
  },
);
