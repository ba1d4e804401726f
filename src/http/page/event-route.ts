import type { Hono } from 'hono';
import { invalidInput } from '../../errors.ts';
import { respond, type HttpEnv } from '../context.ts';
import { HttpRefusal } from '../problem.ts';
import type { MountParts } from '../mount.ts';
import type { Visitor, Visitors } from './visitor.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ContentSummary } from '../../domain/records/content.ts';
import type { LibraryService } from '../../services/library/library.ts';
import { withCookies } from '../sign-in/browser.ts';

/** Streams that are open at once, for one account and for all. A page has one while it can be seen. */
const maxStreams = { account: 12, all: 400 };
/** When there is no news, a heartbeat is sent this often, so that no proxy closes the connection and the page can tell that the connection works. */
const heartbeatMs = 15_000;
/** A stream ends after this time, and the page opens the next one, which is authorised again. */
const maxLifeMs = 10 * 60_000;
/** How much unread news may wait. With more, the page is taken to have stopped reading, and the stream ends. */
const maxUnreadBytes = 256 * 1024;
/** Items that the page saved and asks about, when it opens a stream. */
const maxAsked = 100;
const retryAfterSeconds = 30;

interface EventParts {
  visitors: Visitors;
  watch: LibraryWatch;
}

/**
 * `GET /app/events`: what is being processed, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), for a
 * person who is signed in. The stream ends with the session, and with the account's access: both are looked up again before anything is sent.
 */
export function addEventRoute(app: Hono<HttpEnv>, parts: MountParts, { visitors, watch }: EventParts): void {
  const open = new Map<string, number>();
  let total = 0;

  app.get('/app/events', async (context) => {
    const { headers } = context.req.raw;
    // No other site may hold connections open here. It could not read them in any case.
    if ((headers.get('sec-fetch-site') ?? 'same-origin') !== 'same-origin')
      throw invalidInput('These events are for the page of this server alone.');
    const visitor = await visitors.require(context);
    const { accountId } = visitor.caller;
    const mine = open.get(accountId) ?? 0;
    if (mine >= maxStreams.account || total >= maxStreams.all) throw tooMany();
    open.set(accountId, mine + 1);
    total += 1;
    const asked = new URL(context.req.url).searchParams.getAll('id').slice(0, maxAsked);
    const stream = newsStream(parts, watch, visitor, asked, () => {
      total -= 1;
      const left = (open.get(accountId) ?? 1) - 1;
      if (left === 0) open.delete(accountId);
      else open.set(accountId, left);
    });
    context.env?.outgoing?.once('close', stream.end);
    const answer = respond(context, 200, stream.body, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Tells nginx and similar proxies to pass events on at once.
      'X-Accel-Buffering': 'no',
    });
    return withCookies(answer, visitor.browser);
  });
}

/** @param onEnd called once */
function newsStream(
  { clock, stopping, signIn }: MountParts,
  watch: LibraryWatch,
  { browser, person }: Visitor,
  asked: readonly string[],
  onEnd: () => void,
): { body: ReadableStream<Uint8Array>; end: () => void } {
  const { accountId, sessionId } = person;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const encoder = new TextEncoder();

  const hasAccess = async (): Promise<boolean> => {
    const { identity } = browser;
    const found =
      identity === null
        ? (await signIn.listSessions(accountId)).find(({ id }) => id === sessionId)
        : await signIn.findByIdentity(identity);
    return found?.accountId === accountId && found.plan === 'pro';
  };

  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const sendOne = async (text: string): Promise<void> => {
      if (ending.signal.aborted) return;
      if ((controller.desiredSize ?? 0) <= 0 || !(await hasAccess())) return end();
      if (!ending.signal.aborted) controller.enqueue(encoder.encode(text));
    };
    /** Sends one event after the other, each after the session was looked up. */
    let sending = Promise.resolve();
    const send = (text: string): void => {
      sending = sending.then(() => sendOne(text)).catch(end);
    };
    const sendNews = (news: LibraryNews): void => send(`event: news\ndata: ${JSON.stringify(news)}\n\n`);
    const beat = async (): Promise<void> => {
      for (let passedMs = 0; passedMs < maxLifeMs; passedMs += heartbeatMs) {
        await clock.sleep(heartbeatMs, ending.signal);
        send('event: beat\ndata:\n\n');
      }
    };
    const unfollow = watch.follow(accountId, sendNews);
    for (const id of asked) watch.add(accountId, id);
    ending.signal.addEventListener('abort', () => {
      unfollow();
      stopping.removeEventListener('abort', end);
      onEnd();
      try {
        controller.close();
      } catch {
        // The browser has closed it.
      }
    });
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
    beat().then(end, end);
  };

  const body = new ReadableStream<Uint8Array>(
    { start, cancel: end },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
  );
  return { body, end };
}

function tooMany(): HttpRefusal {
  return new HttpRefusal('rate_limited', 'Too many windows of this page are open. Close some of them.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

/** The events sent to a library's observers. */
export interface LibraryNews {
  /** Items that changed since the last news, as far as their progress shows. */
  items: ItemNews[];
  /** Present when they changed. */
  counts?: LibraryCounts;
  /** A page has written something: what another one shows may be old. */
  isWritten?: true;
}

interface LibraryCounts {
  searchable: number;
  pending: number;
  failed: number;
}

export type ItemNews = Pick<ContentSummary, 'id' | 'title' | 'url' | 'status' | 'progress' | 'failure'>;

/** Watches libraries for the pages that show them. */
export interface LibraryWatch {
  /** An item to follow until it is processed, even if it is never seen in progress. */
  add(account: string, id: string): void;
  /**
   * A page has written something. The next news says so, with the counts even if they are the ones sent last: the page has read
   * other counts in between.
   */
  tellWritten(account: string): void;
  /** Calls back with all that is under way, and then with each change. @returns ends it */
  follow(account: string, listener: (news: LibraryNews) => void): () => void;
}

const pauseMs = 400;
/** Of the time, at most this share is spent looking: a long look is followed by a long pause. */
const maxShare = 1 / 20;
/** Maximum items of an account that are followed at once. Beyond it, the oldest are no longer followed. */
const maxFollowed = 300;

interface WatchedLibrary {
  listeners: Set<(news: LibraryNews) => void>;
  /** The last event of each item, as text. */
  told: Map<string, ItemNews>;
  counts: LibraryCounts | undefined;
  isWritten: boolean;
  ending: AbortController;
}

/** @param onTrouble told of a look that failed; the next one may succeed */
export function createLibraryWatch(
  library: Pick<LibraryService, 'underWay'>,
  clock: Clock,
  onTrouble: (error: unknown) => void,
): LibraryWatch {
  const accounts = new Map<string, WatchedLibrary>();

  const look = async (account: string, watched: WatchedLibrary): Promise<void> => {
    const { told, isWritten } = watched;
    const followed = [...told].filter(([, item]) => isUnderWay(item)).map(([id]) => id);
    watched.isWritten = false;
    const { counts, items } = await library.underWay(account, followed).catch((error: unknown) => {
      watched.isWritten ||= isWritten;
      throw error;
    });
    const changed = items.map(newsOf).filter((item) => JSON.stringify(told.get(item.id)) !== JSON.stringify(item));
    for (const item of changed) told.set(item.id, item);
    const seen = new Set(items.filter(isUnderWay).map(({ id }) => id));
    // Also stop following requested items that no longer exist. Items added meanwhile stay.
    for (const id of [...followed, ...items.map((item) => item.id)]) if (!seen.has(id)) told.delete(id);
    for (const id of told.keys()) {
      if (told.size <= maxFollowed) break;
      told.delete(id);
    }
    const isCounted = isWritten || JSON.stringify(counts) !== JSON.stringify(watched.counts);
    watched.counts = counts;
    if (changed.length === 0 && !isCounted) return;
    const news: LibraryNews = { items: changed, ...(isCounted && { counts }), ...(isWritten && { isWritten }) };
    for (const listener of watched.listeners) listener(news);
  };

  const run = async (account: string, watched: WatchedLibrary): Promise<void> => {
    const { signal } = watched.ending;
    while (!signal.aborted) {
      const began = clock.elapsed();
      await look(account, watched).catch(onTrouble);
      const tookMs = clock.elapsed() - began;
      await clock.sleep(Math.max(pauseMs, tookMs / maxShare), signal).catch(() => undefined);
    }
  };

  return {
    add(account, id) {
      const told = accounts.get(account)?.told;
      if (told === undefined) return;
      told.delete(id);
      told.set(id, { id, title: null, url: null, status: 'pending' });
    },
    tellWritten(account) {
      const watched = accounts.get(account);
      if (watched !== undefined) watched.isWritten = true;
    },
    follow(account, listener) {
      let watched = accounts.get(account);
      if (watched === undefined) {
        watched = {
          listeners: new Set(),
          told: new Map(),
          counts: undefined,
          isWritten: false,
          ending: new AbortController(),
        };
        accounts.set(account, watched);
        void run(account, watched);
      } else listener({ items: [...watched.told.values()], ...(watched.counts && { counts: watched.counts }) });
      const { listeners, ending } = watched;
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || accounts.get(account) !== watched) return;
        accounts.delete(account);
        ending.abort();
      };
    },
  };
}

function isUnderWay({ status }: Pick<ItemNews, 'status'>): boolean {
  return status === 'pending' || status === 'processing';
}

function newsOf({ id, title, url, status, progress, failure }: ContentSummary): ItemNews {
  return {
    id,
    title,
    url,
    status,
    ...(progress !== undefined && { progress }),
    ...(failure !== undefined && { failure }),
  };
}
