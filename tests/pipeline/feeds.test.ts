import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../src/domain/records/sources/source.ts';
import { exportedSource } from '../../src/domain/records/transfers/exported.ts';
import { parseFingerprint } from '../../src/domain/records/sources/folder.ts';
import { HostTurns } from '../../src/fetching/host-turns.ts';
import { createFeedCheck, type FeedParts } from '../../src/pipeline/sources/feed.ts';
import { createFindFeeds } from '../../src/pipeline/sources/find-feeds.ts';
import { runCheck } from '../../src/pipeline/sources/run-check.ts';
import { createSystemClock } from '../../src/workers/system-clock.ts';
import { fetcherHere } from '../fetching/fetcher-here.ts';
import { openReaders } from '../support/texts/reading.ts';
import { serve, type Site, startSite } from '../support/servers/site.ts';
import { openWorkshop, withChangedStore, type Workshop } from '../support/vitest/workers.ts';

const readers = openReaders();
let workshop: Workshop;
let site: Site;
let parts: FeedParts;

beforeEach(async () => {
  workshop = await openWorkshop();
  site = await startSite();
  parts = {
    fetch: fetcherOf(2_000),
    read: (...asked) => readers.readFeed(...asked),
    clock: workshop.clock,
    random: () => 0,
  };
});

function fetcherOf(timeoutMs: number): FeedParts['fetch'] {
  const clock = createSystemClock();
  const hosts = new HostTurns(clock, { pauseMs: 0 });
  const limits = { allowPrivateAddresses: true, maxBytes: 1_000_000, maxRedirects: 5, userAgent: 'x' };
  const fetcher = fetcherHere({ ...limits, timeoutMs, clock, hosts });
  return (url, signal, accountId, known) => fetcher.fetch(url, signal, {}, accountId, known);
}

afterEach(async () => {
  await Promise.all([workshop.close(), site.close()]);
});
afterAll(() => readers.close());

const hour = 3_600_000;
const day = 24 * hour;

async function follow(options: SourceOptions = {}, path = '/feed'): Promise<string> {
  const address = `${site.url}${path}`;
  return (await workshop.store.addSource({ kind: 'feed', address, name: address, options })).id;
}

/** Makes one check of the only source, with the parts given instead. */
async function check(id: string, given: Partial<FeedParts> = {}, stores = workshop.stores) {
  const { store, clock, log } = workshop;
  await store.askSource(id);
  clock.advance(60_000);
  const claim = await store.claimSource(60_000, { kinds: ['feed'] });
  if (claim === null) throw new Error('it is not due');
  const checker = createFeedCheck({ ...parts, ...given });
  await runCheck(
    { stores, clock, log, random: () => 0.5 },
    checker,
    store.accountId,
    claim,
    new AbortController().signal,
  );
  const source = await store.getSource(id);
  if (source === null) throw new Error('it is not there any more');
  const pauseMs = source.nextCheckAt === null ? null : Date.parse(source.nextCheckAt) - clock.now();
  return { ...source, pauseMs };
}

interface Entry {
  id?: string;
  link?: string;
  title: string;
  text?: string;
  date?: number;
}

const item = ({ id, link, title, text = `What ${title} is about.`, date }: Entry): string =>
  `<item><title>${title}</title>${id === undefined ? '' : `<guid isPermaLink="false">${id}</guid>`}${
    link === undefined ? '' : `<link>${link}</link>`
  }${date === undefined ? '' : `<pubDate>${new Date(date).toUTCString()}</pubDate>`}<description><![CDATA[<p>${text}</p>]]></description></item>`;
const rss = (entries: readonly Entry[], more = ''): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Lamps</title><link>https://lamp.example/</link>${more}${entries.map(item).join('')}</channel></rss>`;
const offer = (entries: readonly Entry[], more = ''): void => {
  site.routes.set('/feed', serve(rss(entries, more), 'application/rss+xml'));
};
const numbered = (from: number, to: number): Entry[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    id: `n${to - at}`,
    link: `https://lamp.example/${to - at}`,
    title: `Lamp ${to - at}`,
    date: Date.UTC(2025, 11, 1) + (to - at) * hour,
  }));
const urls = async (): Promise<(string | null)[]> =>
  (await workshop.store.listContent({ limit: 100, offset: 0 })).items.map(
    ({ url }) => url?.replace(site.url, '') ?? null,
  );
const states = async (id: string) =>
  Object.fromEntries(
    (await workshop.store.listSourceEntries(id, { limit: 100 })).map(({ key, state }) => [key, state]),
  );

describe('A followed feed', () => {
  it('brings its ten newest entries first, then every new one once, whatever else changes', async () => {
    const id = await follow({ tags: ['lamps'] });
    offer(numbered(1, 12));
    expect(await check(id)).toMatchObject({ name: 'Lamps', items: 10, unread: 10, problem: null });
    expect(await urls()).toEqual(Array.from({ length: 10 }, (_, at) => `https://lamp.example/${12 - at}`));
    expect(await states(id)).toMatchObject({ n1: 'left', n2: 'left', n3: 'item', n12: 'item' });
    const [first] = (await workshop.store.listContent({ limit: 1, offset: 0 })).items;
    expect(first).toMatchObject({
      title: 'Lamp 12',
      tags: ['lamps'],
      shelf: 'inbox',
      publishedAt: '2025-12-01T12:00:00.000Z',
    });
    // Another id, another address, another text, twice in the feed: only 13 and 14 are new.
    const [fourteen, thirteen, twelve, eleven, ten, nine] = numbered(1, 14);
    const text = 'A long text that names the lamp. '.repeat(10);
    offer([
      { ...fourteen!, text },
      thirteen!,
      { ...twelve!, id: 'another id' },
      { ...eleven!, link: 'https://lamp.example/moved' },
      { ...ten!, title: 'Edited', text: 'Edited.' },
      nine!,
      { ...nine!, id: 'again' },
    ]);
    expect(await check(id)).toMatchObject({ items: 12 });
    expect((await urls()).slice(0, 3)).toEqual([14, 13, 12].map((n) => `https://lamp.example/${n}`));
    expect(await states(id)).toMatchObject({ 'another id': 'item', again: 'left' });
    expect(await states(id)).not.toHaveProperty('n12');
    // Both are others, and the text is the same.
    offer([{ ...fourteen!, id: 'new', link: 'https://lamp.example/new', text }]);
    expect(await check(id)).toMatchObject({ items: 12 });
    const history = await workshop.store.listHistory({ limit: 9, offset: 0, scopes: ['content:write'] });
    expect(history?.items.map(({ face, operation }) => [face, operation])).toEqual([
      ['feed', 'check_source'],
      ['feed', 'check_source'],
    ]);
  });

  it('shares an article with another feed, and leaves deleted ones deleted', async () => {
    const { store } = workshop;
    const one = await follow();
    offer(numbered(1, 2));
    await check(one);
    const [newest] = (await store.listContent({ limit: 1, offset: 0 })).items;
    await store.deleteContent(newest!.id);
    const other = await follow({}, '/other');
    site.routes.set('/other', serve(rss(numbered(1, 3).map((entry) => ({ ...entry, id: `other ${entry.id}` })))));
    expect(await check(other)).toMatchObject({ items: 2 });
    expect(await urls()).toEqual(['https://lamp.example/3', 'https://lamp.example/1']);
  });

  it('is requested conditionally, and not read when unchanged', async () => {
    const id = await follow();
    let asked: (string | undefined)[] = [];
    site.routes.set('/feed', (request, response) => {
      asked = [request.headers['if-none-match'], request.headers['if-modified-since']];
      const isKnown = asked[0] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' });
      response.end(isKnown ? '' : rss(numbered(1, 1)));
    });
    const first = await check(id);
    const unread: Partial<FeedParts> = { read: () => Promise.reject(new Error('it was read')) };
    const second = await check(id, unread);
    expect(asked).toEqual(['"v1"', 'Thu, 01 Jan 2026 00:00:00 GMT']);
    expect(second).toMatchObject({ problem: null, changedAt: first.changedAt });
    expect(second.checkedAt).not.toBe(first.checkedAt);
    // A server that says nothing of the kind, and sends the same again.
    offer(numbered(1, 1));
    await check(id);
    expect(await check(id, unread)).toMatchObject({ problem: null });
  });

  it("is checked as often as it changes, within its own and its server's limits", async () => {
    const { store, clock } = workshop;
    const id = await follow();
    const now = clock.now();
    offer(
      [0, 1, 2, 3].map((n) => ({
        id: `${n}`,
        link: `https://lamp.example/${n}`,
        title: `${n}`,
        date: now - n * 2 * hour,
      })),
    );
    expect((await check(id)).pauseMs).toBeLessThan(hour);
    let pauses: number[] = [];
    for (let n = 0; n < 12; n += 1) pauses.push((await check(id)).pauseMs! / hour);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses.at(-1)).toBe(24);
    offer(numbered(10, 11));
    expect((await check(id)).pauseMs).toBe(12 * hour);
    await store.updateSource(id, { everyMinutes: 30 });
    expect((await check(id)).pauseMs).toBe(hour / 2);
    await store.updateSource(id, { everyMinutes: null });
    pauses = [];
    for (const hints of [
      '<ttl>1000</ttl>',
      '<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>',
    ]) {
      offer(numbered(20, 20 + pauses.length), hints);
      pauses.push((await check(id)).pauseMs! / 60_000);
    }
    expect(pauses).toEqual([1_000, 720]);
    const skipped = Array.from({ length: 24 }, (_, hours) => (hours === 3 ? '' : `<hour>${hours}</hour>`)).join('');
    offer(numbered(30, 31), `<skipHours>${skipped}</skipHours>`);
    expect(new Date((await check(id)).nextCheckAt!).getUTCHours()).toBe(3);
    site.routes.set('/feed', (_request, response) => {
      response.writeHead(200, { 'cache-control': 'public, max-age=72000' }).end(rss(numbered(40, 41)));
    });
    expect((await check(id)).pauseMs).toBe(20 * hour);
  });

  it('is left alone for as long as its server asks, like the other feeds there', async () => {
    const id = await follow();
    site.routes.set('/feed', (_request, response) => void response.writeHead(429, { 'retry-after': '72000' }).end());
    expect(await check(id)).toMatchObject({ problem: { code: 'rate_limited' }, pauseMs: 20 * hour, state: 'active' });
    const other = await follow({}, '/other');
    workshop.clock.advance(hour);
    expect(await check(other)).toMatchObject({ problem: { code: 'rate_limited' } });
  });

  it('is retried after growing pauses when its server does not answer', async () => {
    const id = await follow();
    site.routes.set('/feed', () => undefined);
    const pauses: (number | null)[] = [];
    for (let time = 0; time < 3; time += 1) {
      const { problem, pauseMs, state } = await check(id, { fetch: fetcherOf(20) });
      expect({ code: problem?.code, state }).toEqual({ code: 'timeout', state: 'active' });
      pauses.push(pauseMs);
    }
    expect(pauses).toEqual([hour / 4, hour / 2, hour]);
    offer(numbered(1, 1));
    expect(await check(id)).toMatchObject({ problem: null, items: 1 });
  });

  it('moves to its new address after three permanent redirects in a row', async () => {
    const id = await follow();
    site.routes.set('/feed', (_request, response) => void response.writeHead(301, { location: '/moved' }).end());
    site.routes.set('/moved', (_request, response) => void response.writeHead(308, { location: '/new' }).end());
    site.routes.set('/new', (_request, response) => void response.writeHead(302, { location: '/today' }).end());
    site.routes.set('/today', serve(rss(numbered(1, 1))));
    for (const path of ['/feed', '/feed', '/new']) expect((await check(id)).address).toBe(`${site.url}${path}`);
    expect(await check(id)).toMatchObject({ address: `${site.url}/new`, problem: null, items: 1 });
  });

  it('is gone when its server says so, or reports it missing for a week', async () => {
    const id = await follow();
    offer(numbered(1, 1));
    await check(id);
    site.routes.delete('/feed');
    expect(await check(id)).toMatchObject({ state: 'active', problem: { code: 'not_found' }, pauseMs: 6 * hour });
    workshop.clock.advance(6 * day);
    expect(await check(id)).toMatchObject({ state: 'active' });
    offer(numbered(1, 1));
    expect(await check(id)).toMatchObject({ state: 'active', problem: null });
    site.routes.delete('/feed');
    await check(id);
    workshop.clock.advance(7 * day);
    expect(await check(id)).toMatchObject({ state: 'gone', nextCheckAt: null, items: 1 });
    const other = await follow({}, '/other');
    site.routes.set('/other', (_request, response) => void response.writeHead(410).end());
    expect(await check(other)).toMatchObject({ state: 'gone', problem: { code: 'not_found' } });
  });

  it('makes items of entries without a page from their text, and updates them', async () => {
    const { store } = workshop;
    const id = await follow();
    const site = 'https://lamp.example/';
    const podcast = (text: string): Entry[] => [
      { id: 'a', link: site, title: 'Episode 1', text, date: Date.UTC(2020, 0) },
      { id: 'b', link: site, title: 'Episode 2', date: workshop.clock.now() + 40 * day },
    ];
    offer(podcast('Of wicks.'));
    expect(await check(id)).toMatchObject({ items: 2 });
    const originals = async () => {
      const { items } = await store.listContent({ limit: 9, offset: 0 });
      const all = await Promise.all(items.map(async (one) => (await store.readOriginal(one.id))?.bytes));
      return all.map((bytes) => Buffer.from(bytes!).toString());
    };
    expect(await originals()).toEqual(['# Episode 2\n\nWhat Episode 2 is about.', '# Episode 1\n\nOf wicks.']);
    offer(podcast('Of oil.'));
    expect(await check(id)).toMatchObject({ items: 2 });
    expect((await originals()).sort()).toEqual(['# Episode 1\n\nOf oil.', '# Episode 2\n\nWhat Episode 2 is about.']);
    const dates = (await store.listSourceEntries(id, { limit: 9 })).map(({ publishedAt }) => publishedAt);
    expect(dates.every((date) => date === null || date <= workshop.clock.now())).toBe(true);
  });

  it('refetches the page of an edited entry, at most once a day', async () => {
    const id = await follow();
    const asked: unknown[] = [];
    const checkWith = async (count: number, title: string, outcome: 'queued' | 'rested') => {
      offer([...numbered(2, count), { ...numbered(1, 1)[0]!, title }]);
      const stores = withChangedStore(workshop.stores, () => ({
        refreshPages: (ids, options) => {
          asked.push([...ids, options]);
          return Promise.resolve(ids.map((one) => ({ id: one, outcome })));
        },
      }));
      await check(id, {}, stores);
      return asked.length;
    };
    expect(await checkWith(1, 'First', 'queued')).toBe(0);
    expect(await checkWith(1, 'Edited', 'rested')).toBe(1);
    // It was fetched a short time ago, so it is asked for again when the feed has changed again.
    expect(await checkWith(2, 'Edited', 'queued')).toBe(2);
    expect(await checkWith(3, 'Edited', 'queued')).toBe(2);
    const [entry] = await workshop.store.findSourceEntries(id, ['n1']);
    expect(asked[1]).toEqual([entry?.contentId, { isBackground: true, restMs: day }]);
  });

  it('forgets entries without an item when there are more than 5,000, but none still offered', async () => {
    const { store, clock } = workshop;
    const id = await follow({ only: ['nothing'] });
    offer(numbered(1, 2));
    await check(id);
    await store.askSource(id);
    const claim = (await store.claimSource(60_000, { kinds: ['feed'] }))!;
    const old = { state: 'left', contentId: null, address: null, title: null, publishedAt: null } as const;
    const keys = Array.from({ length: 5_000 }, (_, at) => `old${at}`);
    await store.keepSourceEntries(
      claim,
      keys.map((key, at) => ({ ...old, key, fingerprint: key, seenAt: clock.now() - 10 * day + at })),
    );
    await store.endSourceCheck(claim, { nextCheckInMs: 0, hasChanged: false, problem: null });
    offer(numbered(2, 3));
    await check(id);
    const left = await store.listSourceEntries(id, { limit: 9_000 });
    expect(left).toHaveLength(5_000);
    const found = await store.findSourceEntries(id, ['n1', 'n2', 'n3', 'old2', 'old3']);
    expect(found.map(({ key }) => key).sort()).toEqual(['n1', 'n2', 'n3', 'old3']);
  });

  it('never changes the text of a page, and hides the address of a private feed', async () => {
    const { store } = workshop;
    const [given, brought] = ['https://bank.example/terms', 'https://bank.example/fees'];
    const bytes = Buffer.from('The terms.');
    const original = { url: given, finalUrl: given, bytes, declaredType: 'text/plain', fetchedAt: '' };
    const saved = await store.saveContent({ url: given, canonicalUrl: given, tags: [], notes: undefined, original });
    const id = await follow({}, '/feed?token=SECRET');
    const links = ['Relative', 'Other'].map((title) => ({ id: title, link: '#x', title }));
    offer([{ id: 'g', link: given, title: 'G' }, { id: 'h', link: brought, title: 'H' }, ...links]);
    await check(id);
    expect(await states(id)).toMatchObject({ g: 'left', h: 'item' });
    offer(['g', 'h', 'own'].map((key) => ({ id: key, title: key, text: 'Of thieves.' })));
    await check(id);
    const { items } = await store.listContent({ limit: 9, offset: 0 });
    const texts = await Promise.all(items.map(async (one) => (await store.readOriginal(one.id))?.bytes));
    expect(texts.map((text) => text && Buffer.from(text).toString())).toContain('The terms.');
    expect(texts.filter((text) => text !== undefined)).toHaveLength(2);
    expect(Buffer.from((await store.readOriginal(saved.id))!.bytes).toString()).toBe('The terms.');
    expect((await urls()).join(' ')).not.toContain('SECRET');
    const addresses = (await store.findSourceEntries(id, ['g', 'h'])).map(({ address }) => address);
    expect(addresses).toEqual([null, null]);
  });

  it('brings at most 100 items per check and 300 per day, with their texts read once', async () => {
    const id = await follow();
    offer([]);
    await check(id);
    let readings = 0;
    const read: FeedParts['read'] = (...asked) => {
      readings += 1;
      return parts.read(...asked);
    };
    const offered = (time: number): Entry[] => {
      const pages = numbered(time * 100 + 1, time * 100 + 90);
      return [...pages, ...Array.from({ length: 30 }, (_, at) => ({ id: `${time} ${at}`, title: `${time} ${at}` }))];
    };
    const counts: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      offer(offered(time));
      counts.push((await check(id, { read })).items);
    }
    expect([counts, readings]).toEqual([[100, 200, 300, 300], 7]);
    workshop.clock.advance(day);
    offer(offered(4));
    expect(await check(id)).toMatchObject({ items: 400, headlines: 90 });
  });

  it('is checked without endless retries after an import of invalid feeds', async () => {
    const { store } = workshop;
    const id = await follow();
    offer([]);
    await store.askSource(id);
    const claim = (await store.claimSource(60_000, { kinds: ['feed'] }))!;
    const memory = { hash: 1, rhythm: { intervalMs: 0, hints: null }, known: 'x' };
    await store.endSourceCheck(claim, { memory, nextCheckInMs: 0, hasChanged: false, problem: null });
    expect(await check(id)).toMatchObject({ problem: null, pauseMs: 1.5 * hour });
    await store.askSource(id);
    const again = (await store.claimSource(60_000, { kinds: ['feed'] }))!;
    const known = { etag: 'a\nb', lastModified: 'ü', finalUrl: again.address };
    await store.endSourceCheck(again, { memory: { known }, nextCheckInMs: 0, hasChanged: false, problem: null });
    expect(await check(id)).toMatchObject({ problem: null });
    await store.updateSource(id, { everyMinutes: 0 });
    expect((await check(id)).pauseMs).toBe(hour / 12);
    expect(exportedSource.shape.everyMs.parse(0)).toBe(hour / 12);
    for (const tags of ['{', '{}', '[1]']) expect(parseFingerprint(`a\nb\n${tags}\nc\n`).tags).toEqual([]);
  });

  it('takes headlines only, or entries with chosen words', async () => {
    const id = await follow({ take: 'headlines', only: ['Lamp', 'c++'], without: ['of OIL', 'é'] });
    offer([
      { id: 'plural', link: 'https://lamp.example/1', title: 'Lamps' },
      { id: 'title', link: 'https://lamp.example/2', title: 'A lamp' },
      { id: 'text', link: 'https://lamp.example/3', title: 'Other', text: 'In <b>C++</b>.' },
      { id: 'unwanted', link: 'https://lamp.example/4', title: 'Lamp', text: 'The price of <i>oil</i>.' },
      { id: 'accent', link: 'https://lamp.example/5', title: 'Lamp, café', text: 'fine' },
    ]);
    expect(await check(id)).toMatchObject({ items: 0, headlines: 3 });
    expect(await states(id)).toEqual({
      plural: 'left',
      title: 'headline',
      text: 'headline',
      unwanted: 'left',
      accent: 'headline',
    });
    expect(await urls()).toEqual([]);
  });

  it('removes untouched items with its next check and as one change', async () => {
    const { store } = workshop;
    const id = await follow({ keepUnread: 2 });
    offer(numbered(1, 3));
    expect(await check(id)).toMatchObject({ items: 2 });
    await store.updateSource(id, { options: { keepUnread: 0, keepDays: 3 } });
    workshop.clock.advance(4 * day);
    offer(numbered(1, 4));
    expect(await check(id)).toMatchObject({ items: 1 });
    const [last] = (await store.listHistory({ limit: 1, offset: 0, scopes: ['content:write'] }))!.items;
    await store.undo(last!.id, { force: false });
    expect((await urls()).toSorted()).toEqual(['https://lamp.example/2', 'https://lamp.example/3']);
  });

  it('loses and duplicates nothing when a check is interrupted', async () => {
    const { stores, store } = workshop;
    const id = await follow();
    await store.addSource({ kind: 'feed', address: `${site.url}/feed`, name: 'x' });
    const broken = (after: number) => {
      let calls = 0;
      return {
        ...stores,
        open: async (...asked: Parameters<typeof stores.open>) => {
          const opened = await stores.open(...asked);
          const counted = async <T>(run: () => Promise<T>): Promise<T> => {
            calls += 1;
            if (calls > after) throw new Error('killed');
            return run();
          };
          return Object.assign(Object.create(opened) as typeof opened, {
            ...opened,
            importContent: (entries: Parameters<typeof opened.importContent>[0]) =>
              counted(() => opened.importContent(entries)),
            keepSourceEntries: (...kept: Parameters<typeof opened.keepSourceEntries>) =>
              counted(() => opened.keepSourceEntries(...kept)),
          });
        },
      };
    };
    offer(numbered(1, 2));
    await check(id);
    offer(numbered(1, 80));
    for (let after = 0; after < 6; after += 1) {
      workshop.stores = broken(after);
      await check(id);
    }
    workshop.stores = stores;
    expect(await check(id)).toMatchObject({ problem: null, items: 80 });
    expect(new Set(await urls()).size).toBe(80);
    expect(Object.keys(await states(id))).toHaveLength(80);
  });

  it.each([
    ['is too large', (): void => void site.routes.set('/feed', serve('x'.repeat(1_100_000))), 'too_large'],
    [
      'is a page',
      () => void site.routes.set('/feed', serve('<!doctype html><title>Lamps</title><p>None</p>')),
      'unsupported_type',
    ],
    ['is deeply nested', () => offer([{ title: 'x', text: `${']]>'}${'<a>'.repeat(100_000)}` }]), undefined],
    [
      'expands entities',
      () =>
        void site.routes.set(
          '/feed',
          serve(
            `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'lol'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(500)}">]>${rss([{ title: '&b;&b;', text: '&b;' }]).slice(21)}`,
            'text/xml',
          ),
        ),
      undefined,
    ],
    ['has very many entries', () => offer(numbered(1, 2_500)), undefined],
  ])('that %s does no harm', async (_name, prepare, code) => {
    const id = await follow();
    prepare();
    const { problem, items } = await check(id);
    expect(problem?.code).toBe(code);
    expect(items).toBeLessThanOrEqual(10);
  });
});

describe('The feeds of an address', () => {
  const find = (address: string, fetch = parts.fetch) =>
    createFindFeeds({ ...parts, fetch })(address, new AbortController().signal, 'local');

  it('are the feed itself, or those that its page names, the main one first', async () => {
    offer(numbered(1, 1));
    expect(await find(`${site.url}/feed`)).toEqual([{ address: `${site.url}/feed`, title: 'Lamps' }]);
    const link = (href: string, title: string, type = 'rss+xml') =>
      `<link rel="alternate" type="application/${type}" href="${href}" title="${title}">`;
    const page = `<!doctype html><head><base href="/blog/"><title>Lamps &amp; oil</title>${link('c', 'Comments')}${link('feed', '')}${link('/j', 'JSON', 'feed+json')}${link('javascript:x', 'No')}${link('wp', 'No', 'json')}${link('https://ada:secret@lamp.example/feed', 'No')}</head>`;
    site.routes.set('/blog', serve(page));
    expect(await find(`${site.url}/blog`)).toEqual([
      { address: `${site.url}/blog/feed`, title: 'Lamps & oil' },
      { address: `${site.url}/j`, title: 'JSON' },
      { address: `${site.url}/blog/c`, title: 'Comments' },
    ]);
    site.routes.set('/none', serve('<p>Nothing</p>'));
    site.routes.set('/@ada', serve('<p>Nothing</p>'));
    site.routes.set('/@ada.rss', serve(rss([])));
    expect(await find(`${site.url}/@ada`)).toEqual([{ address: `${site.url}/@ada.rss`, title: 'Lamps' }]);
    site.routes.set(
      '/json',
      serve(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J', items: [] })),
    );
    expect(await find(`${site.url}/json`)).toEqual([{ address: `${site.url}/json`, title: 'J' }]);
  });

  it('are searched at the usual addresses when the page names none', async () => {
    const asked: string[] = [];
    const noting: FeedParts['fetch'] = (url, ...rest) => {
      asked.push(url.replace(site.url, ''));
      return parts.fetch(url, ...rest);
    };
    site.routes.set('/none', serve('<p>Nothing</p>'));
    // A page that names a feed is none.
    site.routes.set('/rss.xml', serve('<link rel="alternate" type="application/rss+xml" href="/x">'));
    expect(await find(`${site.url}/none`, noting)).toEqual([]);
    expect(asked.splice(0)).toEqual(['/none', '/feed', '/rss.xml', '/atom.xml', '/index.xml']);
    site.routes.set('/atom.xml', serve(rss([])));
    expect(await find(`${site.url}/none`, noting)).toEqual([{ address: `${site.url}/atom.xml`, title: 'Lamps' }]);
    expect(asked).toEqual(['/none', '/feed', '/rss.xml', '/atom.xml']);
  });

  it('are known for pages of large sites', async () => {
    const asked: string[] = [];
    const resource = { url: 'x', finalUrl: 'https://a.example/', declaredType: null, fetchedAt: '' };
    const fetch: FeedParts['fetch'] = (url) => {
      asked.push(url);
      return Promise.resolve({ ...resource, bytes: Buffer.from(rss([])) });
    };
    for (const page of [
      'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv/videos',
      'https://www.youtube.com/playlist?list=PLx-1',
      'https://old.reddit.com/r/lamps/',
      'https://github.com/lamp/oil/releases',
      'https://bsky.app/profile/ada.example',
    ])
      await find(page, fetch);
    expect(asked).toEqual([
      'https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrstuv',
      'https://www.youtube.com/feeds/videos.xml?playlist_id=PLx-1',
      'https://www.reddit.com/r/lamps/.rss',
      'https://github.com/lamp/oil/releases.atom',
      'https://bsky.app/profile/ada.example/rss',
    ]);
  });
});
