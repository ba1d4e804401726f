import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { drawPage, expectGoodPage, hasNoChromium } from '../../support/access/chromium.ts';
import { addFinishedItem, claimOf, emptyAnalysis } from '../../support/content.ts';
import { complaintsOf, servePage, usePage } from '../../support/access/page.ts';

/* Reading a saved text, and marking it, in a real browser. */

const { open, openWindow } = usePage();

/** Selects words of the text, as a person does with the mouse. */
async function select(page: Page, words: string): Promise<void> {
  const isFound = await page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector('.text'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.data.indexOf(${JSON.stringify(words)});
      if (at === -1) continue;
      getSelection().setBaseAndExtent(node, at, node, at + ${words.length});
      return true;
    }
    return false;
  })()`);
  expect(isFound, `the text has: ${words}`).toBe(true);
}

/** Marks that the text shows, with what they mark. */
const marked = (page: Page, kind: string) => page.locator(`mark.${kind}`).allInnerTexts();

describe.skipIf(hasNoChromium)('the reading view', () => {
  it('says beside an insight which goal it serves, and why', async () => {
    const testServer = await servePage();
    const store = await testServer.app.stores.open(localAccountId);
    const goal = await store.addGoal({ title: 'Sleep eight hours', category: 'Health' });
    const quote = 'Eight hours of sleep are enough.';
    const place = { start: 0, end: quote.length, locator: { kind: 'text' as const, start: 0, end: quote.length } };
    const goalReason = 'Serves your goal "Sleep eight hours": it speaks of eight, hours, sleep.';
    const id = await addFinishedItem(store, {
      url: 'https://example.com/hours',
      blocks: [{ kind: 'paragraph', text: quote }],
      analysis: {
        ...emptyAnalysis,
        insights: [{ text: quote, quote, ...place, url: null, goalId: goal.id, goalReason }],
      },
    });
    const page = await testServer.enter(await openWindow(), `/app/read/${id}`);
    const beside = page.locator('.margin .insight').filter({ hasText: 'Serves your goal "Sleep eight hours"' });
    await beside.waitFor();
    expect(await beside.innerText()).toMatch(/: it speaks of .+\.$/);
  });

  it('shows a text with its outline, insights and actions', async () => {
    const testServer = await servePage();
    const [id] = await testServer.saveDemo('sleep.html');
    const { page, complaints } = await open({ testServer, path: `/app/read/${id}` });
    await page.reload();
    expect(await page.locator('h1').innerText()).toBe('The dull habits that cured my insomnia');
    expect(await page.locator('.text h2').allInnerTexts()).toEqual([
      'Light decides when you are tired',
      'Coffee stays longer than you think',
      'A cool room and a fixed hour',
    ]);
    expect((await marked(page, 'insight')).length).toBeGreaterThan(1);
    await page.getByText('Contents').click();
    await page.locator('.outline').getByRole('link', { name: 'A cool room' }).click();
    await page.locator('.arrived').getByText('A cool room and a fixed hour').waitFor();
    await expectGoodPage(page, 'reading');

    const action = page.getByRole('button', {
      name: 'Mark done: Drink your last coffee before noon for two weeks and compare how you feel',
    });
    await action.click();
    await page
      .getByRole('button', {
        name: 'Open again: Drink your last coffee before noon for two weeks and compare how you feel',
      })
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await action.waitFor();
    await page
      .getByRole('button', {
        name: 'Dismiss: Go outside within an hour of getting up, because morning light is what sets the body clock',
      })
      .click();
    await page.locator('.action.dismissed').getByText('Go outside within an hour').waitFor();
    expect(complaints).toEqual([]);
  });

  it('accepts the pasted or dropped text of an unreadable page, and titles the window by the item', async () => {
    const testServer = await servePage();
    const [id = '', pdf = ''] = await testServer.saveDemo('gone.html', 'balcony.pdf');
    const { window, page } = await open({
      testServer,
      path: `/app/read/${id}`,
      window: { viewport: { width: 390, height: 844 } },
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('Queued again.').waitFor();
    await testServer.app.worker.runUntilEmpty();
    await page.getByLabel('Or paste its text here').waitFor();
    await expectGoodPage(page, 'failed');
    expect(await page.title()).toMatch(/\/gone\.html – Commonplace$/);
    const drop = (name: string, content: string) =>
      page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
        document.querySelector('.give-text').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      })()`);
    await drop('page.pdf', '%PDF');
    await page.getByText('Drop an HTML file or a text.').waitFor();
    await drop(
      'page.html',
      `<title>Moved</title><article><h1>Moved</h1><p>${'It moved to a new house. '.repeat(20)}</p></article>`,
    );
    await page.getByText('It is read now.').waitFor();
    await testServer.app.worker.runUntilEmpty();
    await expect.poll(() => page.locator('.text').innerText()).toContain('It moved to a new house.');
    await expect.poll(() => page.title()).toBe('Moved – Commonplace');

    // The number of a page stands once, and the title is in the document that the server sends.
    const sent = await window.request.get(`${testServer.url}/app/read/${pdf}`, { headers: { accept: 'text/html' } });
    expect(await sent.text()).toContain('<title>Vegetables on a balcony – Commonplace</title>');
    await page.goto(`${testServer.url}/app/read/${pdf}`);
    await expect.poll(() => page.locator('.text .time').allInnerTexts()).toEqual(['p. 1', 'p. 2', 'p. 3']);
    expect(await page.title()).toBe('Vegetables on a balcony – Commonplace');
    await page.goto(`${testServer.url}/app/read/c_aaaaaaaaaaaaaaaa`);
    await page.getByText('It is not here any more.').waitFor();
  });

  it('retries an item at once, or accepts its text, while it waits for a later attempt', async () => {
    const testServer = await servePage();
    const store = await testServer.app.stores.open(localAccountId);
    const url = 'https://example.com/busy';
    const { id } = await store.saveContent({ url, canonicalUrl: url, tags: [], notes: undefined });
    const wait = async () =>
      store.failJob(await claimOf(store, id), {
        code: 'http_error',
        message: 'The site is busy.',
        retryable: true,
        nextAttemptAt: Date.now() + 3_600_000,
      });
    await wait();
    const { page } = await open({ testServer });
    await page.locator('.row', { hasText: 'The site is busy.' }).getByRole('link').focus();
    await page.keyboard.press('r');
    const queued = page.getByRole('status').getByText('Queued again.');
    await queued.waitFor();
    await expect.poll(async () => (await store.getContentSummary(id))?.failure).toBeUndefined();
    await wait();
    await page.goto(`${testServer.url}/app/read/${id}`);
    await page.getByRole('button', { name: 'Try now' }).click();
    await queued.waitFor();
    await wait();
    await page.reload();
    await page.getByLabel('Or paste its text here').fill(`# Found\n\n${'It stands in a mail. '.repeat(20)}`);
    await page.getByRole('button', { name: 'Read this text' }).click();
    await page.getByText('It is read now.').waitFor();
    await testServer.app.worker.runUntilEmpty();
    await page.locator('.text').getByText('It stands in a mail.').waitFor();
  });

  it('keeps a right-to-left text in its column', async () => {
    const testServer = await servePage();
    const { signal } = new AbortController();
    const note = { title: 'שינה', text: '# שינה\n\nכדאי ללכת לישון בשעה קבועה.\n\n- קפה רק בבוקר' };
    const { id } = await testServer.app.services.library.saveNote(localAccountId, note, { signal });
    await testServer.app.worker.runUntilEmpty();
    const { page } = await open({
      testServer,
      path: `/app/read/${id}`,
      window: { viewport: { width: 1_920, height: 1_000 } },
    });
    const edges = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return [Math.round(box?.x ?? 0), Math.round((box?.x ?? 0) + (box?.width ?? 0))];
    };
    expect(await edges('.text .block p')).toEqual(await edges('.head'));
    // The sign of an entry of a list stands in the room on its right.
    expect((await edges('.text li'))[1]).toBeLessThan((await edges('.text ul'))[1] ?? 0);
    // So do what a search found of it, and what it asks to do.
    const direction = async (selector: string) => {
      await page.locator(selector).waitFor();
      return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
    };
    await page.goto(`${testServer.url}/?q=${encodeURIComponent('קפה')}`);
    expect(await direction('.passage blockquote')).toBe('rtl');
    await testServer.app.services.actions.add(localAccountId, { contentId: id, title: 'לקנות מנורה' });
    await page.goto(`${testServer.url}/app/actions`);
    expect(await direction('.action .title')).toBe('rtl');
  });

  it('saves marked text with a note, and undoes it', async () => {
    const testServer = await servePage();
    const [id = ''] = await testServer.saveDemo('sleep.html');
    const { page } = await open({ testServer, path: `/app/read/${id}` });
    await page.locator('.text').waitFor();
    await select(page, 'a month to trust');
    await page.getByRole('button', { name: 'Highlight', exact: true }).click();
    await expect.poll(() => marked(page, 'highlight')).toEqual(['a month to trust']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => marked(page, 'highlight')).toEqual([]);

    await select(page, 'Half of the caffeine');
    await page.getByRole('button', { name: 'Highlight with a note' }).click();
    await drawPage(page, 'noting');
    await page.getByLabel('Your words about it').fill('Tea as well?');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect.poll(() => marked(page, 'highlight')).toEqual(['Half of the caffeine']);
    await expect.poll(() => page.locator('.margin .highlight').innerText()).toContain('Tea as well?');
    // It is shown before the server has it.
    const asked = { contentId: id, limit: 10, offset: 0 };
    await expect
      .poll(async () => (await testServer.app.services.highlights.list(localAccountId, asked)).items)
      .toMatchObject([{ quote: 'Half of the caffeine', note: 'Tea as well?', place: 'found' }]);
    // One's own words beside the text are not in it, so they cannot be highlighted.
    const tools = page.getByRole('toolbar', { name: 'Highlight' });
    await select(page, 'Half of the caffeine');
    await tools.waitFor();
    await select(page, 'Tea as well?');
    await tools.waitFor({ state: 'detached' });
    await expectGoodPage(page, 'highlighted');
    await page.reload();
    await page.locator('mark.highlight').click();
    await page.getByRole('button', { name: 'Remove the highlight' }).click();
    await expect.poll(() => marked(page, 'highlight')).toEqual([]);
  });

  it('keeps the panel of a new highlight open while the server answers', async () => {
    const testServer = await servePage();
    const [id = ''] = await testServer.saveDemo('sleep.html');
    const { page } = await open({ testServer, path: `/app/read/${id}` });
    await page.locator('.text').waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/app/api/add_highlight', async (route) => {
      await held.promise;
      await route.continue();
    });
    await select(page, 'a month to trust');
    await page.getByRole('button', { name: 'Highlight', exact: true }).click();
    await page.locator('mark.highlight').click();
    const note = page.getByRole('textbox', { name: 'Your note' });
    await note.fill('Ask');
    const listed = page.waitForResponse('**/app/api/list_highlights');
    held.resolve();
    await listed;
    await page.locator('mark.highlight[data-mark^=h_]').waitFor();
    await page.keyboard.type(' Ines.');
    expect(await note.inputValue()).toBe('Ask Ines.');
    await page.keyboard.press('Escape');
    await page.locator('.margin').getByText('Ask Ines.').waitFor();
    const asked = { contentId: id, limit: 10, offset: 0 };
    await expect
      .poll(async () => (await testServer.app.services.highlights.list(localAccountId, asked)).items)
      .toMatchObject([{ note: 'Ask Ines.' }]);
  });

  it('opens a recording at the second, and scrolls to the place in the address', async () => {
    const testServer = await servePage();
    const [talk] = await testServer.saveDemo('talk.html');
    const { page } = await open({ testServer, path: `/app/read/${talk}` });
    const time = page.locator('a.time').nth(1);
    await time.waitFor();
    expect(await time.innerText()).toMatch(/^\d:\d\d$/);
    expect(await time.getAttribute('href')).toMatch(/talk\.html#t=\d+$/);
    await expectGoodPage(page, 'recording');

    const store = await testServer.app.stores.open(localAccountId);
    const long = Array.from({ length: 900 }, (_, index) => ({
      text: `Paragraph ${index + 1} of a long text. ${'It goes on for a while. '.repeat(8)}`,
      kind: 'paragraph' as const,
    }));
    const id = await addFinishedItem(store, {
      url: 'https://example.com/long',
      blocks: long,
      about: { title: 'Long' },
    });
    const { blocks } = await testServer.app.services.library.getStructured(localAccountId, id);
    await page.goto(`${testServer.url}/app/read/${id}#at-${blocks[700]?.start}`);
    const place = page.locator('.block', { hasText: 'Paragraph 701 of' });
    await expect.poll(async () => (await place.boundingBox())?.y ?? -1).toBeGreaterThan(0);
    await expect.poll(() => page.locator('.block').count()).toBe(900);
  });

  it('shows saved content as text: nothing in it runs, loads or leads into a script', async () => {
    const testServer = await servePage();
    const store = await testServer.app.stores.open(localAccountId);
    const asked: string[] = [];
    const attack = `<img src=x onerror="attacked()"><script>attacked()</script>'"><svg onload=attacked()>{{7*7}}`;
    const id = await addFinishedItem(store, {
      url: 'https://example.com/?q="><script>attacked()</script>',
      tags: [attack.replaceAll(',', '')],
      notes: attack,
      about: { title: attack, author: attack, siteName: attack },
      blocks: [
        { kind: 'heading', level: 2, text: `## ${attack}` },
        {
          kind: 'paragraph',
          text: `${attack} [press](javascript:attacked()) [press](data:text/html,<script>attacked()</script>) <javascript:attacked()>`,
        },
        {
          kind: 'paragraph',
          text: `![${attack}](https://tracker.example/pixel.png) [press](jav&#x61;script:attacked()) [press](vbscript:x) *${attack}*`,
        },
        { kind: 'list', text: `- ${attack}\n  1. ${attack}` },
        { kind: 'quote', text: `> ${attack}` },
        { kind: 'table', text: `| ${attack} | b |\n| --- | --- |\n| ${attack} | \`${attack}\` |` },
        { kind: 'code', text: `\`\`\`html\n${attack}\n\`\`\`` },
      ],
      analysis: {
        ...emptyAnalysis,
        summary: attack,
        insights: [{ text: attack, quote: null, locator: null, url: null, unquoted: true } as never],
      },
    });
    await testServer.app.services.highlights.add(localAccountId, { contentId: id, quote: 'press', note: attack });
    await testServer.app.services.goals.add(localAccountId, { title: attack, category: 'Health', description: attack });
    const window = await openWindow();
    await window.exposeFunction('attacked', () => asked.push('a script ran'));
    window.on('request', (request) => {
      if (!request.url().startsWith(testServer.url)) asked.push(request.url());
    });
    const page = await testServer.enter(window);
    const complaints = complaintsOf(page);
    for (const path of [
      '/',
      '/?q=attacked',
      `/app/read/${id}`,
      '/app/actions',
      '/app/goals',
      '/app/week',
      '/app/settings',
    ]) {
      await page.goto(testServer.url + path);
      await page.locator('main').waitFor();
      await page.waitForLoadState('networkidle');
      expect([
        path,
        await page.locator('main script, main img, main svg:not(.icon, .logo), main iframe').count(),
      ]).toEqual([path, 0]);
      const links = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
      expect(links.filter((link) => !/^(https?:\/\/|\/|#)/.test(link))).toEqual([]);
    }
    expect([asked, complaints]).toEqual([[], []]);
  });
});
