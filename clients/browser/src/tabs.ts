import { connect } from './connection.ts';
import { keep } from './outbox.ts';
import type { PageFacts } from './page/page.ts';
import type { PageContent } from './page/read-page.ts';
import type { Kept, Seen } from './messages.ts';
import type { Save } from './save.ts';
import { readSettings } from './settings.ts';

/*
 * What is in a tab. The browser lets the extension look at one only after the person asked: by the button, its menu or its keys
 * (`activeTab`). Every function here rejects where it may not look.
 */

/** Puts the script into the page, in a world that scripts of the page do not reach. */
async function enter(tabId: number): Promise<PageFacts> {
  await chrome.scripting.executeScript({ target: { tabId }, files: ['page.js'] });
  const [found] = await chrome.scripting.executeScript({ target: { tabId }, func: () => commonplace?.facts() });
  const facts = found?.result as PageFacts | undefined;
  if (facts === undefined || !/^https?:/.test(facts.url)) throw new Error('This page cannot be saved.');
  return facts;
}

export async function see(tabId: number): Promise<Pick<Seen, 'page'>> {
  try {
    const { url, selection, contentType } = await enter(tabId);
    const { title = '' } = await chrome.tabs.get(tabId);
    const sends = contentType === 'application/pdf' ? 'pdf' : contentType.includes('html') ? 'html' : 'address';
    return { page: { url, title, selection, sends } };
  } catch {
    // A page of the browser's store, or a file that the browser shows in its own page, as Firefox does PDFs.
    const { url = '', title = '' } = await chrome.tabs.get(tabId);
    return { page: /^https?:/.test(url) ? { url, title, selection: '', sends: 'address' } : null };
  }
}

async function read(tabId: number): Promise<PageContent> {
  const [found] = await chrome.scripting.executeScript({ target: { tabId }, func: () => commonplace?.readPage() });
  return (found?.result as PageContent | undefined) ?? { kind: 'address' };
}

/** Draws words on the page. @param isMore what is drawn already stays */
export async function draw(tabId: number, quotes: string[], isMore = false): Promise<void> {
  const target = { tabId };
  const css = '::highlight(commonplace) { background-color: #f9e7b4; color: #20272b; }';
  await chrome.scripting.insertCSS({ target, css });
  const func = (words: string[], more: boolean) => commonplace?.drawHighlights(words, more);
  await chrome.scripting.executeScript({ target, func, args: [quotes, isMore] });
}

type Given = Partial<Pick<Save, 'tags' | 'notes' | 'isLater' | 'highlights' | 'isHighlight'>>;

function keepSave(url: string, title: string, content: PageContent, given: Given = {}): Promise<number> {
  const usual = { tags: [], notes: '', highlights: [], isHighlight: false };
  return keep({ key: crypto.randomUUID(), url, title, at: Date.now(), ...usual, ...given }, content);
}

/** Keeps the page of a tab, as it is now. */
export async function keepTab(tabId: number, given: Given & { highlight?: boolean } = {}): Promise<Kept> {
  const { highlight = false, ...about } = given;
  const { page } = await see(tabId);
  if (page === null) throw new Error('The browser lets no extension read this page.');
  const content = await read(tabId).catch((): PageContent => ({ kind: 'address' }));
  const highlights = highlight && page.selection !== '' ? [page.selection] : [];
  const id = await keepSave(page.url, page.title, content, { ...about, highlights });
  if (highlights.length > 0) void drawMore(tabId, page.url, highlights).catch(() => undefined);
  return { id, isTooLarge: content.kind === 'too large' };
}

export function keepAddress(url: string, title = ''): Promise<number> {
  return keepSave(url, title, { kind: 'address' });
}

/** Draws new words at once, and then those that the library has already. */
async function drawMore(tabId: number, url: string, quotes: string[]): Promise<void> {
  await draw(tabId, quotes, true);
  if (!(await readSettings()).draws) return;
  const { highlights } = await (await connect()).lookUp(url);
  await draw(tabId, [...highlights.map(({ quote }) => quote), ...quotes]);
}
