import { CallError, connect } from './connection.ts';
import type { Call, Calls, Seen } from './messages.ts';
import { discard, keptSaves, retry, send, sendLater, showCount } from './outbox.ts';
import { closeStorage, readSettings } from './settings.ts';
import { draw, keepAddress, keepTab, see } from './tabs.ts';

/*
 * What runs beside all pages: it keeps saves and sends them. Browsers start it when one of its events comes, and end it when it has
 * nothing to do, so all listeners are added at once.
 */

type Menu = 'page' | 'link' | 'selection' | 'tabs';
const menus: Record<Menu, chrome.contextMenus.CreateProperties> = {
  page: { title: 'Save this page', contexts: ['page', 'action'] },
  link: { title: 'Save this link', contexts: ['link'] },
  selection: { title: 'Highlight these words', contexts: ['selection'] },
  tabs: { title: 'Save all tabs of this window', contexts: ['action', 'page'] },
};

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.removeAll(() => {
    for (const [id, menu] of Object.entries(menus)) chrome.contextMenus.create({ id, ...menu });
  });
});

chrome.contextMenus.onClicked.addListener(({ menuItemId, linkUrl }, tab) => {
  // Without it, tabs have no addresses. Asked before anything else: browsers ask the person only right after their click.
  const mayList = menuItemId === 'tabs' ? chrome.permissions.request({ permissions: ['tabs'] }) : null;
  void shown(async () => {
    if (menuItemId === 'link') return [await keepLink(linkUrl ?? '')];
    if (mayList !== null) return keepTabs(await mayList, tab?.windowId);
    const isHighlight = menuItemId === 'selection';
    const { id } = await keepTab(tab?.id ?? -1, { isHighlight, highlight: isHighlight });
    return [id];
  });
});

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === 'save-page') void shown(async () => [await keepActive(tab?.id)]);
});

async function keepLink(url: string): Promise<number> {
  if (!/^https?:/.test(url)) throw new Error('This link leads to no page.');
  return keepAddress(url);
}

async function keepActive(tabId: number | undefined): Promise<number> {
  const [active] = tabId === undefined ? await chrome.tabs.query({ active: true, currentWindow: true }) : [];
  return (await keepTab(tabId ?? active?.id ?? -1)).id;
}

/** The pages that the person has shown to the extension are kept as they are, the others by their addresses. */
async function keepTabs(mayList: boolean, windowId: number | undefined): Promise<number[]> {
  if (!mayList) throw new Error('Without their addresses no tabs can be saved.');
  const tabs = await chrome.tabs.query(windowId === undefined ? { currentWindow: true } : { windowId });
  const ids: number[] = [];
  for (const { id = -1, url = '', title } of tabs)
    if (/^https?:/.test(url))
      ids.push(
        await keepTab(id).then(
          (kept) => kept.id,
          () => keepAddress(url, title),
        ),
      );
  return ids;
}

const markMs = 3_000;

/** Keeps something, sends it, and says beside the button what became of it. @param keepIt gives the places of what it kept */
async function shown(keepIt: () => Promise<number[]>): Promise<void> {
  try {
    await chrome.action.setBadgeText({ text: '…' });
    const ids = await keepIt();
    await send(ids.at(-1));
    const left = (await keptSaves()).filter(({ id }) => ids.includes(id));
    // Their number is there already.
    if (left.some(({ refused }) => refused === null)) return;
    await chrome.action.setBadgeText({ text: left.length === 0 ? '✓' : '✗' });
  } catch {
    await chrome.action.setBadgeText({ text: '✗' });
  }
  setTimeout(() => void showCount(), markMs);
}

const answers: { [Name in Call]: (input: Calls[Name]['input']) => Promise<Calls[Name]['answer']> } = {
  see: async ({ tabId }) => seen(tabId),
  keep: ({ tabId, ...given }) => keepTab(tabId, given),
  send: ({ id }) => send(id),
  list: keptSaves,
  discard: ({ id }) => discard(id),
  retry: ({ id }) => retry(id),
  async greet() {
    try {
      const version = await (await connect()).greet();
      void send();
      return { version };
    } catch (error) {
      return problemOf(error);
    }
  },
};

async function seen(tabId: number): Promise<Seen> {
  const { page } = await see(tabId);
  if (page === null) return { page, known: null, problem: null };
  try {
    const known = await (await connect()).lookUp(page.url);
    const quotes = known.highlights.map(({ quote }) => quote);
    if (quotes.length > 0 && (await readSettings()).draws) await draw(tabId, quotes).catch(() => undefined);
    void send();
    return { page, known, problem: null };
  } catch (error) {
    return { page, known: null, problem: problemOf(error) };
  }
}

function problemOf(error: unknown): { why: CallError['why']; message: string } {
  return error instanceof CallError
    ? { why: error.why, message: error.message }
    : { why: 'unreachable', message: error instanceof Error ? error.message : String(error) };
}

chrome.runtime.onMessage.addListener((message: { call?: unknown; input?: unknown }, sender, answer) => {
  // Pages of the extension alone. Its scripts in other pages send nothing, and nobody else can.
  if (sender.id !== chrome.runtime.id || sender.url?.startsWith(chrome.runtime.getURL('')) !== true) return false;
  const run = Object.hasOwn(answers, String(message.call)) ? answers[message.call as Call] : null;
  if (run === null) return false;
  run(message.input as never).then(
    (found) => answer({ answer: found }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  );
  return true;
});

sendLater();
void closeStorage();
