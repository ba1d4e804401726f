import type { AnswerShelf } from '../answers.ts';

/** The page without content, its files, and answers that were shown. It is kept until somebody signs in. */
export const keptCache = 'commonplace-kept';
/** What was shared while the server was away. It is kept until it is sent, or the person signs out. */
export const sharedCache = 'commonplace-shared';
/** A document of the page that shows nothing yet. */
export const shellPath = '/app/shell';
export const sharePath = '/app/share';
/** Texts that are kept to be read while the server is away, and answers of other kinds; the oldest go first. */
const maxTexts = 100;
const maxOthers = 60;
const textOperation = 'read_item';
/** Under which answers are kept; the server has nothing there. */
const keptPath = '/app/kept/';
/** What the views show. Nothing of tokens, keys and sessions is kept. */
const keptOperations = new Set([
  textOperation,
  'goals_overview',
  'library_state',
  'list_highlights',
  'list_library',
  'list_tags',
  'list_todo',
  'weekly_review',
]);

/** Answers that were shown, kept by the browser for one account, to be shown again while the server is away. */
export class KeptAnswers implements AnswerShelf {
  readonly #prefix: string;
  #isOver = false;
  #keeping: Promise<unknown> = Promise.resolve();

  constructor(account: string) {
    this.#prefix = `${location.origin}${keptPath}${account}/`;
  }

  keep(operation: string, input: object, answer: unknown): void {
    if (this.#isOver || !keptOperations.has(operation)) return;
    const keep = async (): Promise<void> => {
      const cache = await caches.open(keptCache);
      await cache.put(this.#addressOf(operation, input), new Response(JSON.stringify(answer)));
      const isText = operation === textOperation;
      // In the order in which they were put.
      const alike = (await cache.keys()).filter(
        ({ url }) => url.startsWith(this.#prefix) && url.startsWith(`${this.#prefix}${textOperation}?`) === isText,
      );
      for (const old of alike.slice(0, -(isText ? maxTexts : maxOthers))) await cache.delete(old);
    };
    // The browser may be out of room. One after the other, so that none that is too many stays.
    this.#keeping = this.#keeping.then(() => (this.#isOver ? undefined : keep())).catch(() => undefined);
  }

  async find(operation: string, input: object): Promise<unknown> {
    if (this.#isOver || !keptOperations.has(operation)) return undefined;
    const found = await caches
      .match(this.#addressOf(operation, input), { cacheName: keptCache })
      .catch(() => undefined);
    return found?.json();
  }

  /** The person has signed out: nothing stays, and nothing is kept from now on. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#keeping;
    await Promise.all([caches.delete(keptCache), caches.delete(sharedCache)]);
  }

  #addressOf(operation: string, input: object): string {
    return `${this.#prefix}${operation}?${encodeURIComponent(JSON.stringify(input))}`;
  }
}

/** Starts the service worker, and keeps the page without content and its files, so that it opens while the server is away. */
export async function keepPage(account: string): Promise<void> {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const path = '/app/worker.js';
  const trusted = trustedTypes?.createPolicy('commonplace-worker', { createScriptURL: () => path });
  await navigator.serviceWorker.register((trusted?.createScriptURL('') as string | undefined) ?? path, { scope: '/' });
  const files = [...document.querySelectorAll('link[href^="/app/"], script[src^="/app/"]')].map(
    (one) => one.getAttribute('href') ?? one.getAttribute('src') ?? '',
  );
  const cache = await caches.open(keptCache);
  const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  await cache.add(new Request(shellPath, { headers: { accept: 'text/html' } }));
  await cache.addAll(files.filter((file) => !kept.includes(file)));
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    const isOld = pathname.startsWith('/app/assets/') && !files.includes(pathname);
    const isOfOther = pathname.startsWith(keptPath) && !pathname.startsWith(`${keptPath}${account}/`);
    if (isOld || isOfOther) await cache.delete(url);
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => unknown };
}

/** Sends what was shared while the server was away. @returns how many were sent */
export async function sendShared(): Promise<number> {
  const cache = await caches.open(sharedCache);
  let sent = 0;
  for (const kept of await cache.keys()) {
    const form = await (await cache.match(kept))?.formData();
    if (form === undefined) continue;
    const { status } = await fetch(sharePath, { method: 'POST', headers: { accept: 'application/json' }, body: form });
    // Nobody is signed in, or the server is busy: it is as good as before.
    if (status === 401 || status === 429 || status >= 500) break;
    await cache.delete(kept);
    if (status === 200) sent += 1;
  }
  return sent;
}
