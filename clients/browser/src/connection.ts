import type { PageContent } from './page/read-page.ts';
import { base64Bytes, type Save } from './save.ts';
import { readSettings, type Settings } from './settings.ts';

/** What the library knows of an address. */
export interface Known {
  item: { id: string; savedAt: string; tags: string[]; notes: string | null } | null;
  highlights: { id: string; quote: string }[];
  tags: string[];
}

/** Why a call failed. `unreachable`: it is made again later; `refused`: never with the same content. */
export type Why = 'unreachable' | 'unauthorized' | 'refused';

export class CallError extends Error {
  readonly why: Why;

  constructor(why: Why, message: string) {
    super(message);
    this.name = 'CallError';
    this.why = why;
  }
}

/** The library, by whichever way. All methods throw {@link CallError}. */
export interface Connection {
  lookUp(url: string): Promise<Known>;
  /** A second time it makes no second item: an item has its address alone. */
  save(save: Save, content: PageContent): Promise<{ id: string }>;
  highlight(contentId: string, quote: string): Promise<void>;
  /** @returns the version of the program, or '' */
  greet(): Promise<string>;
}

export async function connect(): Promise<Connection> {
  const settings = await readSettings();
  return settings.way === 'server' ? toServer(settings) : machine;
}

const maxAnswerMs = 30_000;
/** A large page over a slow line. */
const maxSaveMs = 240_000;

function toServer({ server, key }: Settings): Connection {
  const call = async (
    path: string,
    body: BodyInit,
    more: Record<string, string> = {},
    ms = maxAnswerMs,
  ): Promise<Record<string, unknown>> => {
    if (server === '' || key === '') throw new CallError('unauthorized', 'No server is connected.');
    const response = await fetch(server + path, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${key}`, ...more },
      credentials: 'omit',
      // A redirect would carry the page to another place.
      redirect: 'error',
      signal: AbortSignal.timeout(ms),
    }).catch(() => {
      throw new CallError('unreachable', 'The server cannot be reached.');
    });
    const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null;
    if (response.ok && answer !== null) return answer;
    // The first request with this key was cut off, or is under way. Without the key it is an ordinary save of the same address.
    if (response.status === 409 && 'idempotency-key' in more) return call(path, body, {}, ms);
    throw new CallError(whyOf(response.status), String(answer?.['detail'] ?? `The server answers ${response.status}.`));
  };
  const json = { 'content-type': 'application/json' };
  const lookUp = async (url: string) => (await call('/capture/look-up', JSON.stringify({ url }), json)) as never;
  return {
    lookUp,
    async save(save, content) {
      const form = new FormData();
      form.set('url', save.url);
      form.set('title', save.title);
      form.set('tags', save.tags.join(','));
      form.set('notes', save.notes);
      if (save.isLater === true) form.set('shelf', 'later');
      if (content.kind === 'html') form.set('html', new Blob([content.html], { type: 'text/html' }));
      if (content.kind === 'pdf')
        form.set('file', new Blob([base64Bytes(content.base64)], { type: 'application/pdf' }), 'document.pdf');
      return (await call('/capture', form, { 'idempotency-key': save.key }, maxSaveMs)) as never;
    },
    async highlight(contentId, quote) {
      await call('/capture/highlights', JSON.stringify({ contentId, quote }), json);
    },
    async greet() {
      await lookUp(`${server}/`);
      return '';
    },
  };
}

function whyOf(status: number): Why {
  if (status === 401 || status === 403) return 'unauthorized';
  // 404: an older server, or a proxy before one that is away.
  // 200: a network that asks people to sign in answers in the place of the server.
  return status === 200 || status === 408 || status === 429 || status === 404 || status >= 500
    ? 'unreachable'
    : 'refused';
}

interface Answer {
  id: number;
  answer?: unknown;
  problem?: { code: string; message: string };
}

/** The program on this machine. It is started with the first call, and ends with the browser. */
let port: chrome.runtime.Port | undefined;
let count = 0;
const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: CallError) => void }>();

function open(): chrome.runtime.Port {
  const opened = chrome.runtime.connectNative('commonplace');
  opened.onMessage.addListener(({ id, answer, problem }: Answer) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) call?.resolve(answer as never);
    else call?.reject(new CallError(isLater(problem.code) ? 'unreachable' : 'refused', problem.message));
  });
  opened.onDisconnect.addListener((closed) => {
    const { message = '' } = chrome.runtime.lastError ?? (closed as { error?: Error }).error ?? {};
    port = undefined;
    const words = /not found|no such|forbidden/i.test(message)
      ? 'Commonplace is not set up for this browser: run “commonplace setup” on this machine.'
      : 'Commonplace on this machine does not answer.';
    for (const { reject } of waiting.values()) reject(new CallError('unreachable', words));
    waiting.clear();
  });
  return opened;
}

function isLater(code: string): boolean {
  return code === 'internal' || code === 'unavailable' || code === 'rate_limited' || code === 'cancelled';
}

function ask<Found>(call: string, input: object, content?: string): Promise<Found> {
  return new Promise((resolve, reject) => {
    count += 1;
    waiting.set(count, { resolve, reject });
    try {
      port ??= open();
      port.postMessage({ id: count, call, input, ...(content !== undefined && { content }) });
    } catch {
      waiting.delete(count);
      reject(new CallError('refused', 'The page is too large for the program on this machine.'));
    }
  });
}

const machine: Connection = {
  lookUp: (url) => ask('look_up_page', { url }),
  save({ url, title, tags, notes, isLater }, content) {
    const about = { url, tags, ...(notes !== '' && { notes }), ...(isLater === true && { shelf: 'later' }) };
    if (content.kind === 'html') return ask('save_content', { ...about, title }, content.html);
    if (content.kind === 'pdf') return ask('save_pdf', { ...about, title }, content.base64);
    return ask('save_content', about);
  },
  async highlight(contentId, quote) {
    await ask('add_highlight', { contentId, quote });
  },
  greet: async () => (await ask<{ version: string }>('hello', {})).version,
};
