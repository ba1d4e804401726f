import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import type { List } from '../../../web/data/records.ts';
import { makePdf } from '../../support/texts/pdf.ts';
import { runBuilt } from '../../support/command.ts';
import { runCommand } from '../../support/servers/serving.ts';
import { type Answer, type ExtensionBrowser, homeWithProgram, openExtension, startTestSite } from './support.ts';

const sentences = (about: string): string =>
  Array.from(
    { length: 12 },
    (_, index) => `<p>Sentence ${index} of this page says something about ${about}, in enough words to be read.</p>`,
  ).join('');

const html = (response: ServerResponse, body: string): void => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><title>A page of the test</title>${body}`);
};

interface Opened extends ExtensionBrowser {
  data: string;
  site: string;
  /** Opens a page, and its panel. */
  open(path: string): Promise<{ page: Page; panel: Page }>;
  /** What the library has, read, newest first. */
  items(count: number): Promise<ContentItem[]>;
}

async function openHere(answer: Answer): Promise<Opened> {
  const { data, profile } = await homeWithProgram();
  const [site, browser] = [await startTestSite(answer), await openExtension(profile)];
  return {
    ...browser,
    data,
    site,
    async open(path) {
      const page = await browser.window.newPage();
      await page.goto(site + path);
      return { page, panel: await browser.panel(page) };
    },
    async items(count) {
      const list = (): Promise<List<ContentItem>> => runCommand(data, 'list');
      await expect
        .poll(async () => (await list()).items.map(({ status }) => status))
        .toEqual(Array.from({ length: count }, () => 'completed'));
      return Promise.all(
        (await list()).items.map(async ({ id }) => {
          const { stdout } = await runBuilt('show', id, '--json', '--data', data);
          return JSON.parse(stdout) as ContentItem;
        }),
      );
    },
  };
}

async function save(panel: Page): Promise<void> {
  await panel.getByRole('button', { name: /^Save/ }).click();
  await panel.getByText('Saved.', { exact: true }).waitFor();
}

describe('the extension with the program on this machine', () => {
  it('saves a page behind a login, with tags and a note, and recognises it later', async () => {
    const { open, items, site } = await openHere((request, response) => {
      const isIn = request.headers.cookie?.includes('session=ann') === true;
      if (request.method === 'POST') {
        response.writeHead(303, { 'set-cookie': 'session=ann; HttpOnly', location: '/journal' }).end();
      } else if (isIn) {
        html(response, `<article><h1>Journal</h1>${sentences('the garden of Ann')}</article>`);
      } else html(response, '<form method="post"><input name="password"><button>Sign in</button></form>');
    });
    const { page } = await open('/journal');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Journal' }).waitFor();
    const { panel } = await open('/journal');
    await panel.getByLabel('Tags, with commas').fill('garden, of Ann');
    await panel.getByLabel('Note').fill('For spring.');
    await panel.getByLabel('Keep it for later').check();
    await save(panel);

    const [item] = await items(1);
    expect(item).toMatchObject({
      url: `${site}/journal`,
      tags: ['garden', 'of Ann'],
      notes: 'For spring.',
      shelf: 'later',
    });
    expect(item?.transcript).toContain('Sentence 11 of this page says something about the garden of Ann');
    const again = await open('/journal');
    await again.panel.getByText(/^Already saved on /).waitFor();
    await again.panel.getByText('Tags: garden, of Ann').waitFor();
    await again.panel.getByText('For spring.').waitFor();
    // What is there stays, unless something else is given.
    await again.panel.getByLabel('More tags, with commas').fill('spring');
    expect(await again.panel.getByLabel('New note, in place of that one').inputValue()).toBe('');
    await save(again.panel);
    expect(await items(1)).toMatchObject([
      { tags: ['garden', 'of Ann', 'spring'], notes: 'For spring.', shelf: 'later' },
    ]);
  });

  it('sends a page with its scripts, shadow roots and frames, without typed, blocked or forged content', async () => {
    const {
      open,
      items,
      worker,
      tabId,
      panel: panelOf,
    } = await openHere((request, response) => {
      if (request.url === '/frame') return html(response, sentences('a frame'));
      html(
        response,
        `<div id="app"></div><form><input name="childNodes" value="a password"><input name="attributes">
<textarea>a draft</textarea></form><div class="ad">${sentences('a product on sale')}</div>
<iframe src="/frame"></iframe><x-card><b slot="name">${'Words in a slot. '.repeat(9)}</b></x-card><script>
document.querySelector('#app').innerHTML = '<article>' + ${JSON.stringify(sentences('scripts'))} + '</article>';
const shadow = document.querySelector('x-card').attachShadow({ mode: 'open' });
shadow.innerHTML = '<section><slot name="name"></slot>' + ${JSON.stringify(sentences('shadow roots'))} + '</section>';
Node.prototype.cloneNode = Element.prototype.getAttribute = JSON.stringify = () => 'forged by the page';
window.commonplace = { readPage: () => ({ kind: 'html', html: 'forged by the page' }) };
window.chrome?.runtime?.sendMessage?.({ call: 'keep', input: {} });
window.postMessage({ call: 'keep', input: { tabId: 1, tags: [], notes: '' } }, '*');
</script>`,
      );
    });
    const { page } = await open('/app');
    await worker.evaluate(
      (id) =>
        chrome.scripting.insertCSS({ target: { tabId: id }, css: '.ad { display: none !important }', origin: 'USER' }),
      await tabId(page),
    );
    await save(await panelOf(page));
    const [item] = await items(1);
    for (const part of ['scripts', 'shadow roots', 'a frame']) expect(item?.transcript).toContain(`about ${part}`);
    expect(item?.transcript).toContain('Words in a slot.');
    expect(item?.transcript).not.toMatch(/a password|a draft|on sale|forged/);
    expect(await page.evaluate(() => document.querySelector('.ad')?.outerHTML)).toMatch(/^<div class="ad">/);
  });

  it('sends the bytes of a PDF that only this person may see', async () => {
    const lines = ['The report of the committee says that', 'the bridge is closed until the spring.'];
    const pdf = await makePdf([lines.map((text, index) => ({ text, x: 72, y: 90 + 14 * index }))]);
    const { open, items, site } = await openHere((request, response) => {
      if (request.url === '/') return void response.setHeader('set-cookie', 'session=ann').end('in');
      if (request.headers.cookie?.includes('session=ann') !== true) return void response.writeHead(403).end();
      response.setHeader('content-type', 'application/pdf');
      response.end(pdf);
    });
    await open('/');
    const { panel } = await open('/report.pdf');
    await save(panel);
    const [item] = await items(1);
    expect(item).toMatchObject({ url: `${site}/report.pdf`, contentType: 'pdf', pageCount: 1 });
    expect(item?.transcript).toContain('the bridge is closed until the spring');
  });

  it('sends a page of 5 MB', async () => {
    const paragraphs = Array.from(
      { length: 500 },
      (_, index) => `<p>${`Paragraph ${index} of a long page. `.repeat(350)}</p>`,
    );
    const whole = paragraphs.join('');
    expect(whole.length).toBeGreaterThan(5_000_000);
    const { open, items } = await openHere((_request, response) => html(response, `<article>${whole}</article>`));
    const { panel } = await open('/long');
    await save(panel);
    const [item] = await items(1);
    expect(item?.transcript).toContain('Paragraph 499 of a long page.');
  });

  it('keeps selected words as a highlight and draws them when the page is opened again', async () => {
    const {
      open,
      data,
      panel: panelOf,
    } = await openHere((_request, response) => html(response, `<article>${sentences('marking')}</article>`));
    const first = await open('/marked');
    await first.panel.close();
    await first.page.evaluate(() =>
      getSelection()?.selectAllChildren(document.querySelector('p:nth-of-type(3)') as Node),
    );
    const { page } = first;
    const panel = await panelOf(page);
    await panel.getByText('Sentence 2 of this page').waitFor();
    await save(panel);
    const marks = await runCommand<List<{ quote: string; place: string }>>(data, 'highlights');
    expect(marks.items.map(({ quote }) => quote)).toEqual([
      'Sentence 2 of this page says something about marking, in enough words to be read.',
    ]);
    const again = await open('/marked');
    await again.panel.getByText(/^Already saved on /).waitFor();
    const drawn = await again.page.evaluate(() =>
      [...(CSS.highlights.get('commonplace') ?? [])].map((range) => (range as Range).toString()),
    );
    expect(drawn).toEqual(marks.items.map(({ quote }) => quote));
  });
});
