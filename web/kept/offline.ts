import type { AnswerShelf } from '../data/answers.ts';

/** The page without content, its files, and answers that were shown. It is kept until the person signs out. */
export const keptCache = 'commonplace-kept';
/** What was shared while the server was away or the session over. It is kept until it is saved, or the person signs out. */
export const sharedCache = 'commonplace-shared';
/** A document of the page that shows nothing yet. */
export const shellPath = '/app/shell';
export const sharePath = '/app/share';
/** Whose page this browser showed last. */
export const ownerPath = '/app/owner';
/** Any site can add to them. */
export const maxShares = 50;
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
  'list_lists',
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

/**
 * Starts the service worker, and keeps the page without content and its files, so that it opens while the server is away.
 * @param laterScripts the paths of those that the document does not name
 */
export async function keepPage(account: string, laterScripts: readonly string[]): Promise<void> {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const path = '/app/worker.js';
  const trusted = trustedTypes?.createPolicy('commonplace-worker', { createScriptURL: () => path });
  await navigator.serviceWorker.register((trusted?.createScriptURL('') as string | undefined) ?? path, { scope: '/' });
  const named = document.querySelectorAll('link[href^="/app/"], script[src^="/app/"]');
  const paths = [...named].map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? '');
  const files = [...new Set([...paths, ...laterScripts])];
  const cache = await caches.open(keptCache);
  const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  await cache.put(ownerPath, new Response(account));
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

export interface Share {
  address: string;
  form: FormData;
}

/** What this account shared and is not saved yet, the oldest first. */
export async function keptShares(account: string): Promise<Share[]> {
  const cache = await caches.open(sharedCache);
  const own = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(`${sharePath}/${account}/`));
  const shares = own.map(async ({ url }): Promise<Share[]> => {
    const form = await (await cache.match(url))?.formData().catch(() => undefined);
    return form === undefined ? [] : [{ address: url, form }];
  });
  return (await Promise.all(shares)).flat();
}

export async function discardShare(address: string): Promise<void> {
  await (await caches.open(sharedCache)).delete(address);
}

interface SentShares {
  saved: number;
  undo: string[];
  /** Why a share was refused, by its address. It stays. */
  refused: Record<string, string>;
  /** The server did not answer, or nobody is signed in: the others stay. */
  isAway: boolean;
}

/** Sends what is kept. Two windows do not send the same. */
export function sendShares(account: string): Promise<SentShares> {
  return navigator.locks.request(`commonplace shares ${account}`, async () => {
    const sent: SentShares = { saved: 0, undo: [], refused: {}, isAway: false };
    for (const { address, form } of await keptShares(account)) {
      const init = { method: 'POST', headers: { accept: 'application/json' }, body: form, redirect: 'manual' } as const;
      const response = await fetch(sharePath, init).catch(() => undefined);
      // What stands between may answer with its own page.
      const answer = (await response?.json().catch(() => undefined)) as ShareAnswer | undefined;
      sent.isAway = answer === undefined || [401, 429, 502, 503, 504].includes(response?.status ?? 0);
      if (answer === undefined || sent.isAway) break;
      const { saved = [], detail = '' } = answer;
      sent.saved += saved.length;
      sent.undo.push(...saved.slice(0, 1).flatMap(({ undo = '' }) => (undo === '' ? [] : [undo])));
      if (saved.length > 0 && detail === '') await discardShare(address);
      else sent.refused[address] = detail;
    }
    return sent;
  });
}

interface ShareAnswer {
  saved?: { undo?: string }[];
  /** Why it was refused, or the rest of it. */
  detail?: string;
}
