import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { expectGoodPage, hasNoChromium, useChromium } from '../../support/access/chromium.ts';
import { addFinishedItem } from '../../support/content.ts';
import { complaintsOf, type PageServer, servePage } from '../../support/access/page.ts';

/* Reading on where one was, in the type that one likes, with eyes or ears; and marks that are changed where they are. */

const { openWindow } = useChromium();

/** Voices that say nothing: the test ends each sentence. */
const fakeVoices = `(() => {
  const spoken = (globalThis.spoken = []);
  const voices = [
    { name: 'Far', lang: 'en-US', localService: false },
    { name: 'Near', lang: 'en-GB', localService: true },
  ];
  globalThis.SpeechSynthesisUtterance = class extends EventTarget {
    constructor(text) {
      super();
      this.text = text;
    }
  };
  Object.defineProperty(globalThis, 'speechSynthesis', {
    value: { getVoices: () => voices, speak: (words) => spoken.push(words), cancel: () => undefined },
  });
})()`;
const spoken = (page: Page) => page.evaluate("spoken.map(({ text, voice }) => voice.name + ': ' + text)");
const followed = (page: Page) => page.evaluate("[...(CSS.highlights.get('aloud') ?? [])].map(String).join()");
const endSentence = (page: Page) => page.evaluate("void spoken.at(-1).dispatchEvent(new Event('end'))");

async function longText({ app }: PageServer): Promise<string> {
  const store = await app.stores.open(localAccountId);
  return addFinishedItem(store, {
    url: 'https://example.com/long',
    about: { title: 'Long', language: 'en' },
    blocks: Array.from({ length: 300 }, (_, index) => ({
      kind: 'paragraph' as const,
      text: `Paragraph ${index + 1} begins. ${'It goes on for a while. '.repeat(6).trim()}`,
    })),
  });
}

describe.skipIf(hasNoChromium)('a text', () => {
  it('opens at the last position, in the chosen type', async () => {
    const testServer = await servePage();
    const id = await longText(testServer);
    const window = await openWindow({ viewport: { width: 390, height: 844 } });
    const page = await testServer.enter(window, `/app/read/${id}`);
    const complaints = complaintsOf(page);
    await page.locator('.block', { hasText: 'Paragraph 300 begins' }).waitFor();
    await page.evaluate(
      "[...document.querySelectorAll('.block')].find((one) => one.textContent.includes('Paragraph 150 ')).scrollIntoView()",
    );
    // In this window at once, and on another device once the server was told.
    await page.getByText(/min left$/).waitFor();
    await page.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('link', { name: 'Long' }).click();
    const at = async (there: Page) =>
      (await there.locator('.block', { hasText: 'Paragraph 150 begins' }).boundingBox())?.y ?? -1e6;
    await expect.poll(async () => Math.abs(await at(page))).toBeLessThan(844);
    const store = await testServer.app.stores.open(localAccountId);
    await expect.poll(async () => (await store.getContent(id))?.reading?.share).toBeCloseTo(0.5, 1);
    const phone = await openWindow({ viewport: { width: 390, height: 844 } });
    const there = await testServer.enter(phone, `/app/read/${id}`);
    await expect.poll(async () => Math.abs(await at(there))).toBeLessThan(844);
    // Who comes to the end has read it.
    expect((await store.getContent(id))?.readAt).toBeNull();
    await there.locator('.block', { hasText: 'Paragraph 300 begins' }).waitFor();
    const readToTheEnd = async () => {
      // What was not on the screen yet may be higher than was thought.
      await there.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      return (await store.getContent(id))?.readAt;
    };
    await expect.poll(readToTheEnd).not.toBeNull();
    await phone.close();

    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Type' }).click();
    const size = () => page.evaluate("getComputedStyle(document.querySelector('.text')).fontSize");
    const before = await size();
    await page.getByRole('radio', { name: 'Very large' }).check();
    await page.getByRole('radio', { name: 'Far' }).check();
    await expect.poll(size).not.toBe(before);
    await page.keyboard.press('Escape');
    const after = await size();
    await page.reload();
    expect(await size()).toBe(after);
    expect(complaints).toEqual([]);
    await window.close();
  });

  it.each([390, 1_280, 1_920])(
    'opens at the last row of a long table and shows how much is left, at %i pixels',
    async (width) => {
      const testServer = await servePage();
      const store = await testServer.app.stores.open(localAccountId);
      const rows = Array.from({ length: 200 }, (_, row) => `| Row ${row} | ${'so it goes '.repeat((row % 3) + 1)}|`);
      const id = await addFinishedItem(store, {
        url: 'https://example.com/table',
        about: { title: 'Table' },
        blocks: [
          { kind: 'paragraph', text: 'What went where.' },
          { kind: 'table', text: ['| Name | Words |', '| --- | --- |', ...rows].join('\n') },
          ...Array.from({ length: 9 }, () => ({ kind: 'paragraph' as const, text: 'And so on. '.repeat(40).trim() })),
        ],
      });
      const window = await openWindow({ viewport: { width, height: 800 } });
      const page = await testServer.enter(window, `/app/read/${id}`);
      const top = async (there: Page) =>
        Math.round((await there.getByRole('cell', { name: 'Row 120', exact: true }).boundingBox())?.y ?? -1e6);
      await page.getByRole('cell', { name: 'Row 199', exact: true }).waitFor();
      expect(await page.getByText(/min left$/).count()).toBe(0);
      await page.getByRole('cell', { name: 'Row 120', exact: true }).scrollIntoViewIfNeeded();
      await page.getByText(/^\d min left$/).waitFor();
      await expect.poll(async () => (await store.getContent(id))?.reading?.share).toBeGreaterThan(0.3);
      const [left, bar] = await Promise.all(
        [page.getByText(/min left$/), page.getByRole('link', { name: 'Library' })].map((one) => one.boundingBox()),
      );
      const bottom = (left?.y ?? 1e6) + (left?.height ?? 0);
      expect(bottom).toBeLessThan(width === 390 ? (bar?.y ?? 0) : 800);
      const before = await top(page);
      await page.keyboard.press('u');
      await page.locator('.row').getByRole('link', { name: 'Table' }).click();
      await expect.poll(async () => Math.abs((await top(page)) - before)).toBeLessThan(5);
      await window.close();
      // Another device knows it from the server alone.
      const other = await openWindow({ viewport: { width, height: 800 } });
      const there = await testServer.enter(other, `/app/read/${id}`);
      await expect.poll(async () => Math.abs((await top(there)) - before)).toBeLessThan(5);
      await other.close();
    },
  );

  it('is read aloud by a local voice, sentence by sentence, by mouse and by keys', async () => {
    const testServer = await servePage();
    const id = await longText(testServer);
    const window = await openWindow({ viewport: { width: 1_280, height: 800 } });
    await window.addInitScript(fakeVoices);
    const page = await testServer.enter(window, `/app/read/${id}`);
    await page.getByRole('button', { name: 'Read aloud' }).click();
    await expect.poll(() => spoken(page)).toEqual(['Near: Paragraph 1 begins.']);
    expect(await followed(page)).toBe('Paragraph 1 begins.');
    await endSentence(page);
    expect(await followed(page)).toBe('It goes on for a while.');
    const tools = page.getByRole('group', { name: 'Reading aloud' });
    await tools.getByRole('button', { name: 'Back' }).click();
    expect(await followed(page)).toBe('Paragraph 1 begins.');
    await expectGoodPage(page, 'aloud');
    for (let i = 0; i < 7; i += 1) await endSentence(page);
    expect(await followed(page)).toBe('Paragraph 2 begins.');
    // Pausing and going on by its key, beginning with the sentence again.
    await page.keyboard.press('L');
    await tools.getByRole('button', { name: 'Go on' }).waitFor();
    await page.keyboard.press('L');
    await tools.getByRole('button', { name: 'Pause' }).waitFor();
    expect(await followed(page)).toBe('Paragraph 2 begins.');
    await page.keyboard.press('Escape');
    await tools.waitFor({ state: 'detached' });
    expect(await followed(page)).toBe('');
    await window.close();
  });

  it('says that no local voice speaks its language', async () => {
    const testServer = await servePage();
    const { id } = await testServer.app.services.library.saveNote(
      localAccountId,
      { title: 'שינה', text: 'כדאי ללכת לישון בשעה קבועה.' },
      { signal: new AbortController().signal },
    );
    await testServer.app.worker.runUntilEmpty();
    const window = await openWindow();
    await window.addInitScript(fakeVoices.replaceAll('en-', 'fr-'));
    const page = await testServer.enter(window, `/app/read/${id}`);
    await page.getByRole('button', { name: 'Read aloud' }).click();
    await page.getByRole('status').getByText('This browser has no local voice').waitFor();
    expect(await spoken(page)).toEqual([]);
    await window.close();
  });

  it('has the notes, colours and delete buttons of highlights next to them', async () => {
    const testServer = await servePage();
    const [id = ''] = await testServer.saveDemo('sleep.html');
    const { highlights } = testServer.app.services;
    await highlights.add(localAccountId, { contentId: id, quote: 'Half of the caffeine', note: 'Tea?' });
    const window = await openWindow({ viewport: { width: 1_920, height: 1_000 } });
    const page = await testServer.enter(window, `/app/read/${id}`);
    const stored = async () => (await highlights.list(localAccountId, { contentId: id, limit: 9, offset: 0 })).items;
    await page.getByRole('button', { name: 'Change your note' }).click();
    const note = page.getByRole('textbox', { name: 'Your note' });
    await note.fill('Tea as well?');
    await page.getByRole('button', { name: 'Highlight in green' }).click();
    await expect.poll(async () => (await stored())[0]?.colour).toBe('green');
    await page.locator('mark.highlight[data-colour=green]').waitFor();
    expect(await note.inputValue()).toBe('Tea as well?');
    await expectGoodPage(page, 'highlight-tools');
    // What is typed is kept by a press elsewhere.
    await page.locator('.text h2').first().click();
    await expect.poll(async () => (await stored())[0]?.note).toBe('Tea as well?');
    await page.locator('mark.highlight').click();
    await page.getByRole('button', { name: 'Remove the highlight' }).click();
    await expect.poll(stored).toEqual([]);
    await window.close();
  });
});
