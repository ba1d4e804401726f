import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium, phone } from '../../support/access/chromium.ts';
import { addFinishedItem, claimOf, emptyAnalysis, paragraphs } from '../../support/content.ts';
import { complaintsOf, type PageServer, servePage, usePage } from '../../support/access/page.ts';
import { bookmarklet } from '../../../web/save/bookmarklet.ts';

/* What is to be done, for which goals, and the review of the week, in a real browser. */

const { open, openWindow } = usePage();
const demo = ['sleep.html', 'fees.html', 'friends.html'];

const titles = (page: Page) => page.locator('.action .title').allInnerTexts();
const focused = (page: Page) => page.evaluate('document.activeElement.getAttribute("aria-label")');

/** A goal that the matching action items serve; a sentence model would find them. */
async function serveGoal({ app }: PageServer, title: string, pattern: RegExp): Promise<void> {
  const { goals, actions } = app.services;
  const goal = await goals.add(localAccountId, { title, category: 'Health' });
  const { items } = await actions.list(localAccountId, { offset: 0 });
  const serving = items.filter((action) => pattern.test(action.title));
  for (const { id } of serving) await actions.update(localAccountId, id, { goalId: goal.id });
}

describe.skipIf(hasNoChromium)('the action list', () => {
  it('is grouped by goals; one click completes or dismisses an action, or undoes that', async () => {
    const testServer = await servePage();
    await testServer.saveDemo(...demo);
    await serveGoal(testServer, 'Sleep eight hours', /coffee|body clock|awake/i);
    await serveGoal(testServer, 'See friends more often', /call|friend/i);
    const { window, page, complaints } = await open({ testServer, path: '/app/actions' });
    const first = await (
      await window.request.get(`${testServer.url}/app/actions`, { headers: { accept: 'text/html' } })
    ).text();
    expect(first).toContain('Drink your last coffee before noon for two weeks and compare how you feel</p>');
    const groups = () => page.locator('.group h2').allInnerTexts();
    await expect
      .poll(async () => (await groups()).map((one) => one.replace(/\s*\d+$/, '')))
      .toContain('Sleep eight hours');
    await expectGoodPage(page, 'todo');

    const before = await titles(page);
    const coffee = page.getByRole('button', {
      name: 'Mark done: Drink your last coffee before noon for two weeks and compare how you feel',
    });
    await coffee.click();
    await expect
      .poll(() => titles(page))
      .not.toContain('Drink your last coffee before noon for two weeks and compare how you feel');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await expect.poll(() => titles(page)).toEqual(before);
    await page
      .getByRole('button', {
        name: 'Dismiss: Go outside within an hour of getting up, because morning light is what sets the body clock',
      })
      .click();
    await expect.poll(() => titles(page)).toHaveLength(before.length - 1);

    await page.getByRole('link', { name: /^Dismissed/ }).click();
    await expect
      .poll(() => titles(page))
      .toEqual(['Go outside within an hour of getting up, because morning light is what sets the body clock']);
    expect(new URL(page.url()).search).toBe('?state=dismissed');
    await page
      .getByRole('button', {
        name: 'Open again: Go outside within an hour of getting up, because morning light is what sets the body clock',
      })
      .click();
    await page.getByText('Nothing was dismissed.').waitFor();
    await page.getByRole('link', { name: /^Open/ }).click();
    await expect.poll(() => titles(page)).toHaveLength(before.length);

    // The sentence that it came from is in the text.
    const place = page.locator('.action', { hasText: 'Drink your last coffee' }).getByRole('link').first();
    expect(await place.getAttribute('href')).toMatch(/^\/app\/read\/c_\w+#at-\d+$/);
    await place.click();
    await page.locator('.arrived').waitFor();
    expect(complaints).toEqual([]);
  });

  it('can be worked through by keyboard, without losing the position', async () => {
    const { testServer, page } = await open({ path: '/app/actions', demo: ['sleep.html', 'fees.html'] });
    const { items: pages } = await testServer.app.services.library.list(localAccountId, { limit: 1, offset: 0 });
    await testServer.app.services.actions.add(localAccountId, { contentId: pages[0]!.id, title: 'Buy curtains' });
    await page.reload();
    await expect.poll(() => titles(page)).toHaveLength(4);
    const all = await titles(page);
    await page.locator('.tick').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(`Mark done: ${all[1]}`);
    await page.keyboard.press('Space');
    await expect.poll(() => focused(page)).toBe(`Mark done: ${all[2]}`);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Delete');
    await expect.poll(() => titles(page)).toEqual(all.slice(2));
    await expect.poll(() => focused(page)).toBe(`Mark done: ${all[2]}`);
    // The focus goes to what an undo brings back, wherever it went meanwhile.
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe(`Mark done: ${all[3]}`);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe(`Mark done: ${all[0]}`);
    await page.keyboard.press('Delete');
    await expect.poll(() => titles(page)).toEqual(all.slice(2));
    const { items } = await testServer.app.services.actions.list(localAccountId, { offset: 0 });
    const states = new Map(items.map(({ title, state }) => [title, state]));
    expect([all[0], all[1]].map((title) => states.get(title ?? ''))).toEqual(['dismissed', 'done']);
  });

  it('keeps changes while the server is away, says so, and sends them later', async () => {
    const { testServer, page } = await open({ path: '/app/actions', demo: ['sleep.html'] });
    const all = await titles(page);
    await testServer.stop();
    await page.locator('.tick').first().click();
    const banner = page.locator('.connection');
    await banner.getByText('Trying again… 1 change waits to be sent.').waitFor();
    expect(await titles(page)).toEqual(all);
    await testServer.start();
    await expect.poll(() => titles(page)).toEqual(all.slice(1));
    await expect.poll(() => banner.innerText()).toBe('');
    await page.getByRole('status').getByText('The waiting changes were sent.').waitFor();
  });
});

describe.skipIf(hasNoChromium)('an action', () => {
  it.each([1_280, 1_920])(
    'is added, changed or dismissed, and listed by day and by item, at %i pixels',
    async (width) => {
      const testServer = await servePage();
      const [id = ''] = await testServer.saveDemo('sleep.html');
      const { goals, actions } = testServer.app.services;
      const goal = await goals.add(localAccountId, { title: 'Sleep eight hours', category: 'Health' });
      const { page, complaints } = await open({
        testServer,
        path: '/app/actions',
        window: { viewport: { width, height: 800 } },
      });
      const named = async (title: string) =>
        (await actions.list(localAccountId, { offset: 0 })).items.find((one) => one.title === title);
      await page.getByLabel('What is to be done').fill('Buy a lamp');
      await page.getByRole('combobox', { name: /^Goal/ }).selectOption('Sleep eight hours');
      await page.getByLabel('Day').fill('2031-03-04');
      const item = page.getByRole('combobox', { name: 'Saved item' });
      await item.fill('the dull');
      // What was typed and not chosen is not left out in silence.
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      expect(await page.evaluate('document.querySelector("input[role=combobox]").validationMessage')).toBe(
        'Choose the item from the list, or empty the field.',
      );
      expect(await named('Buy a lamp')).toBeUndefined();
      await item.fill('the dull h');
      await page.getByRole('option', { name: 'The dull habits' }).click();
      await expectGoodPage(page, 'todo-add');
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.locator('.action', { hasText: 'Buy a lamp' }).getByText('by 4 Mar 2031').waitFor();
      expect(await named('Buy a lamp')).toMatchObject({ contentId: id, goalId: goal.id, due: '2031-03-04' });

      // Cancel gives up what was typed, of a new one and of a change.
      await page.getByLabel('What is to be done').fill('Buy a boat');
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect(await page.getByLabel('What is to be done').inputValue()).toBe('');
      await page.getByRole('button', { name: 'Edit: Buy a lamp' }).click();
      await page.locator('.action').getByLabel('What is to be done').fill('Buy a candle');
      await page.locator('.action').getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => focused(page)).toBe('Edit: Buy a lamp');
      await page.reload();
      expect(await page.locator('main').innerText()).not.toMatch(/boat|candle/);
      expect([await named('Buy a boat'), await named('Buy a candle')]).toEqual([undefined, undefined]);

      // By keys alone: one without anything, then its words, goal and day.
      await page.locator('h1').click();
      await page.keyboard.press('a');
      await page.keyboard.type('Call Ines');
      await page.keyboard.press('Enter');
      const call = page.getByRole('button', { name: 'Mark done: Call Ines' });
      await call.waitFor();
      // The note that holds it waits for nobody, in no list.
      const unread = { query: 'is:unread', limit: 9, offset: 0 };
      expect((await testServer.app.services.library.list(localAccountId, unread)).total).toBe(1);
      await expect.poll(() => page.getByRole('link', { name: /^Inbox/ }).innerText()).toMatch(/^Inbox\s+1$/);
      await call.focus();
      await page.keyboard.press('e');
      await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('Call Ines');
      await page.keyboard.press('End');
      await page.keyboard.type(' today');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Sleep');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Mark done: Call Ines today' }).waitFor();
      await expect.poll(async () => (await named('Call Ines today'))?.goalId).toBe(goal.id);
      await expect.poll(() => focused(page)).toMatch(/^(?:Mark done|Edit): /);

      await page.getByLabel('Group').selectOption('By day');
      const heads = () => page.locator('.group h2').allInnerTexts();
      await expect.poll(heads).toEqual(['4 Mar 2031', 'On no certain day']);
      expect(await page.locator('.group:first-child + .action .title').allInnerTexts()).toEqual(['Buy a lamp']);
      await testServer.app.worker.runUntilEmpty();
      await page.getByLabel('Group').selectOption('By item');
      await expect.poll(heads).toEqual(['Call Ines', 'The dull habits that cured my insomnia']);
      expect(new URL(page.url()).search).toBe('?by=item');

      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${testServer.url}/app/read/${id}`);
      await page.getByRole('button', { name: 'Add something to do' }).click();
      await page.getByRole('dialog').getByLabel('What is to be done').fill('Open the window');
      await page.keyboard.press('Enter');
      await page.locator('.item-actions').getByText('Open the window').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  it('gets a priority and is snoozed in place, and the week shows overdue ones', async () => {
    const testServer = await servePage();
    await addItemWithActions(testServer, 'House', ['Mend the gate.', 'Paint the door.', 'Water the fern.']);
    const { actions } = testServer.app.services;
    const { items } = await actions.list(localAccountId, { offset: 0 });
    const named = (title: string) => items.find((one) => one.title.startsWith(title))?.id ?? '';
    await actions.update(localAccountId, named('Paint'), { due: '2020-01-02' });
    const { page, complaints } = await open({
      testServer,
      path: '/app/actions?by=priority',
      window: { viewport: { width: 1_280, height: 800 } },
    });
    const heads = () => page.locator('.group h2').allInnerTexts();
    const edit = async (title: string, change: () => Promise<unknown>) => {
      await page.getByRole('button', { name: `Edit: ${title}` }).click();
      await change();
      await page.getByRole('button', { name: 'Keep', exact: true }).click();
      await page.locator('.action form').waitFor({ state: 'detached' });
    };
    await expect.poll(heads).toEqual(['Normal']);
    await edit('Mend', () => page.locator('.action').getByLabel('Priority').selectOption('High'));
    await expect.poll(heads).toEqual(['High', 'Normal']);
    await expect.poll(() => titles(page)).toEqual(['Mend the gate.', 'Paint the door.', 'Water the fern.']);
    await edit('Water', () => page.locator('.action').getByLabel('Snooze until').fill('2099-05-01'));
    await expect.poll(() => titles(page)).toEqual(['Mend the gate.', 'Paint the door.']);
    await page.getByLabel('Group').selectOption('By goal');
    await page.getByRole('link', { name: 'Snoozed 1' }).click();
    await page.locator('.action', { hasText: 'Water the fern.' }).getByText('from 1 May 2099').waitFor();
    await expectGoodPage(page, 'todo-snoozed');
    await edit('Water', () => page.locator('.action').getByLabel('Snooze until').fill(''));
    await page.getByText('Nothing is snoozed.').waitFor();
    await page.getByRole('link', { name: 'Open 3' }).click();
    await page.locator('.action', { hasText: 'Mend the gate.' }).getByText('high priority').waitFor();

    await page.goto(`${testServer.url}/app/week`);
    const overdue = page.locator('.week-part', { has: page.getByRole('heading', { name: 'Overdue' }) });
    await overdue.getByText('by 2 Jan 2020').waitFor();
    expect(await overdue.locator('.title').allInnerTexts()).toEqual(['Paint the door.']);
    await overdue.locator('.tick').click();
    await overdue.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('shows its sentence as a reader sees it, where that says more than the title', async () => {
    const testServer = await servePage();
    await addItemWithActions(testServer, 'Marks', [
      '**Write down** what you pay in [fees](https://example.com/fees) before you change anything.',
      'Walk.',
    ]);
    const { actions } = testServer.app.services;
    const { items } = await actions.list(localAccountId, { offset: 0 });
    const rename = async (start: string, title: string) =>
      actions.update(localAccountId, items.find((one) => one.title.startsWith(start))?.id ?? '', { title });
    await rename('**Write', 'Write the fees down');
    const { page } = await open({ testServer, path: '/app/actions' });
    const why = () => page.locator('.why').allInnerTexts();
    await expect.poll(why).toEqual(['Write down what you pay in fees before you change anything.']);
    await rename('**Write', 'Write down what you pay in fees before you change anything');
    await page.reload();
    await expect.poll(why).toEqual([]);
  });
});

describe.skipIf(hasNoChromium)('goals', () => {
  it('are added, changed, archived and restored', async () => {
    const { testServer, page, complaints } = await open({ path: '/app/goals', demo: ['sleep.html'] });
    await page.getByLabel('What do you want to reach?').fill('Sleep eight hours');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('heading', { name: 'Sleep eight hours' }).waitFor();
    await serveGoal(testServer, 'Sleep eight hours', /coffee/);
    await page.reload();
    await expect.poll(() => page.locator('.thing .facts').innerText()).toMatch(/[1-9]\d* open/);

    await page.getByRole('button', { name: 'Edit: Sleep eight hours' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('Sleep eight hours');
    await page.getByLabel('More about it').fill('In bed by eleven.');
    await page.getByLabel('Part of life').selectOption('Relationships');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByText('In bed by eleven.').waitFor();
    const list = () =>
      testServer.app.services.goals.list(localAccountId, { offset: 0, limit: 10, includeArchived: true });
    expect((await list()).items).toMatchObject([{ category: 'Relationships', description: 'In bed by eleven.' }]);
    await page.getByRole('button', { name: 'Add a goal' }).click();
    await page.getByLabel('What do you want to reach?').fill('Run a marathon');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Run a marathon' }).waitFor();
    await page.getByRole('button', { name: 'Archive: Run a marathon' }).click();
    await page.getByText('Archived (1)').click();
    await expectGoodPage(page, 'goals');
    await page.getByRole('button', { name: 'Bring back: Run a marathon' }).click();
    await page.getByRole('button', { name: 'Archive: Run a marathon' }).waitFor();
    await page.getByRole('link', { name: /open$/ }).last().click();
    await expect.poll(() => page.locator('h1').innerText()).toBe('To do');
    expect(new URL(page.url()).searchParams.get('goal')).toMatch(/^g_/);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(hasNoChromium)('the week', () => {
  it('shows new, done and waiting items, and actions can be completed in place', async () => {
    const testServer = await servePage();
    const { actions } = testServer.app.services;
    await testServer.saveDemo(...demo);
    await serveGoal(testServer, 'Sleep eight hours', /coffee|body clock|awake/i);
    const { items } = await actions.list(localAccountId, { offset: 0 });
    await actions.complete(localAccountId, items[0]?.id ?? '');
    const { page, complaints } = await open({ testServer, path: '/app/week' });
    await page.getByText('3 saved').waitFor();
    await page.getByRole('link', { name: '1 done', exact: true }).waitFor();
    await page.getByRole('link', { name: 'The dull habits that cured my insomnia' }).waitFor();
    await expectGoodPage(page, 'week');
    await page.locator('.action.open .tick').first().click();
    await page.getByRole('link', { name: '2 done', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: '1 done', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});

/** An item that asks for so many things, in its own sentences. */
async function addItemWithActions(testServer: PageServer, title: string, asked: readonly string[]): Promise<string> {
  const store = await testServer.app.stores.open(localAccountId);
  const text = asked.join(' ');
  let at = 0;
  const actions = asked.map((quote) => {
    const start = text.indexOf(quote, at);
    at = start + quote.length;
    const locator = { kind: 'text' as const, start, end: at };
    return {
      title: quote,
      quote,
      start,
      end: at,
      locator,
      url: 'https://example.com/',
      goalId: null,
      goalReason: null,
      reason: null,
    };
  });
  return addFinishedItem(store, {
    url: `https://example.com/${encodeURIComponent(title)}`,
    blocks: paragraphs(text),
    about: { title },
    analysis: { ...emptyAnalysis, actions },
  });
}

describe.skipIf(hasNoChromium)('a long action list', () => {
  it('shows the first hundred, and the others when scrolled near the end', async () => {
    const testServer = await servePage();
    const count = 130;
    await addItemWithActions(
      testServer,
      'Many',
      Array.from({ length: count }, (_, index) => `Buy part ${'i'.repeat(index + 1)} now.`),
    );
    const { page } = await open({ testServer, path: '/app/actions' });
    await page.setViewportSize(phone);
    await expect.poll(() => page.locator('.action').count()).toBe(100);
    expect(await page.locator('.group h2').innerText()).toMatch(/130$/);
    await page.locator('.action').last().scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator('.action').count()).toBe(count);
  });
});

const valuesOf = (fields: { value?: string }[]) => fields.map(({ value = '' }) => value);

describe.skipIf(hasNoChromium)('hostile markup', () => {
  it('is shown as text in action items, goals, reviews and failures', async () => {
    const testServer = await servePage();
    const attack = `<img src=x onerror="attacked()"><script>attacked()</script><svg onload=attacked()>`;
    const { goals, actions } = testServer.app.services;
    const goal = await goals.add(localAccountId, { title: attack, category: 'Health', description: attack });
    await addItemWithActions(testServer, attack, [attack, `${attack} again`]);
    const { items } = await actions.list(localAccountId, { offset: 0 });
    await actions.update(localAccountId, items[0]?.id ?? '', { goalId: goal.id });
    await actions.complete(localAccountId, items[1]?.id ?? '');
    const store = await testServer.app.stores.open(localAccountId);
    const { id } = await store.saveContent({
      url: 'https://example.com/#"><script>attacked()</script>',
      canonicalUrl: 'https://example.com/failed',
      tags: [attack.replaceAll(',', '')],
      notes: attack,
    });
    const claim = await claimOf(store, id);
    await store.failJob(claim, {
      code: 'http_error',
      message: attack,
      retryable: false,
      nextAttemptAt: null,
    });
    const window = await openWindow();
    const asked: string[] = [];
    await window.exposeFunction('attacked', () => asked.push('a script ran'));
    window.on('request', (request) => {
      if (!request.url().startsWith(testServer.url)) asked.push(request.url());
    });
    const page = await testServer.enter(window);
    const complaints = complaintsOf(page);
    const paths = ['/app/actions', '/app/actions?state=done', '/app/goals', '/app/week', '/app/problems'];
    for (const path of [...paths, `/app/save?url=${encodeURIComponent(attack)}&title=${encodeURIComponent(attack)}`]) {
      await page.goto(testServer.url + path);
      await page.locator('main h1').waitFor();
      await expect
        .poll(async () =>
          [await page.locator('main').innerText(), ...(await page.locator('textarea').evaluateAll(valuesOf))].some(
            (words) => words.includes('<script>attacked()'),
          ),
        )
        .toBe(true);
      expect([
        path,
        await page.locator('main script, main img, main svg:not(.icon, .logo), main iframe').count(),
      ]).toEqual([path, 0]);
      const links = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
      expect(links.filter((link) => !/^(https?:\/\/|\/|#)/.test(link) && link !== bookmarklet(testServer.url))).toEqual(
        [],
      );
    }
    expect([asked, complaints]).toEqual([[], []]);
  });

  it('the list is refreshed when the window gets the focus again', async () => {
    const { testServer, page } = await open({ path: '/app/actions', demo: ['sleep.html'] });
    await expect
      .poll(() => titles(page))
      .toContain('Go outside within an hour of getting up, because morning light is what sets the body clock');
    const look = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await look('hidden');
    const { items } = await testServer.app.services.actions.list(localAccountId, { offset: 0 });
    const { id = '' } =
      items.find(
        ({ title }) =>
          title === 'Go outside within an hour of getting up, because morning light is what sets the body clock',
      ) ?? {};
    await testServer.app.services.actions.complete(localAccountId, id);
    await look('visible');
    await expect
      .poll(() => titles(page))
      .not.toContain('Go outside within an hour of getting up, because morning light is what sets the body clock');
  });
});
