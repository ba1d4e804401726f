/** The page of a server that makes a key (`web/settings/access.tsx`). */
const path = '/app/browser';

/** The name of this browser, for the list of keys. */
function browserName({ userAgent }: Navigator): string {
  const name = /Firefox\/|Edg\/|OPR\//.exec(userAgent)?.[0] ?? 'Chrome/';
  const names: Record<string, string> = { 'Firefox/': 'Firefox', 'Edg/': 'Edge', 'OPR/': 'Opera', 'Chrome/': 'Chrome' };
  const system = /Windows|Mac OS|Android|CrOS|Linux/.exec(userAgent)?.[0] ?? '';
  return [names[name], system].filter(Boolean).join(' on ');
}

/** The origin that somebody typed. @throws {Error} for what is no address */
export function originOf(typed: string): string {
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed.trim() : `https://${typed.trim()}`);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('This is not an address of a server.');
  return url.origin;
}

/** The permission to talk to one server. Patterns have no port. */
export function patternOf(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}

/**
 * Opens the page of the server on which its person makes a key, and waits for it. The person may have to sign in first.
 * @throws {Error} when they close it
 */
export async function getKey(origin: string): Promise<string> {
  const tab = await chrome.tabs.create({ url: `${origin}${path}?name=${encodeURIComponent(browserName(navigator))}` });
  return new Promise((resolve, reject) => {
    const end = (): void => {
      chrome.tabs.onUpdated.removeListener(look);
      chrome.tabs.onRemoved.removeListener(closed);
    };
    const look = async (id: number, { status }: { status?: string }): Promise<void> => {
      if (id !== tab.id || status !== 'complete') return;
      // It ends with an error when the page is left.
      const args: [string, string] = [origin, path];
      const found = await chrome.scripting
        .executeScript({ target: { tabId: id }, func: waitForKey, args })
        .catch(() => []);
      const key = found[0]?.result;
      if (typeof key !== 'string') return;
      end();
      resolve(key);
    };
    const closed = (id: number): void => {
      if (id !== tab.id) return;
      end();
      reject(new Error('The page was closed before it made a key.'));
    };
    chrome.tabs.onUpdated.addListener(look);
    chrome.tabs.onRemoved.addListener(closed);
  });
}

/** Runs in the page of the server: waits until its person presses the button. */
function waitForKey(origin: string, wanted: string): Promise<string | null> {
  return new Promise((resolve) => {
    if (location.origin !== origin || location.pathname !== wanted) {
      resolve(null);
      return;
    }
    const look = (): void => {
      const holder = document.querySelector('#extension-key[data-key]');
      const key = holder?.getAttribute('data-key') ?? '';
      if (!key.startsWith('cpl_')) return;
      // Nobody else is to find it there.
      holder?.removeAttribute('data-key');
      observer.disconnect();
      resolve(key);
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, attributes: true });
    look();
  });
}
