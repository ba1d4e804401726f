import type { RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isPublicPage } from '../../src/fetching/address-guard.ts';
import { createWebArchive, type WebArchive } from '../../src/fetching/web-archive.ts';
import { ManualClock } from '../support/clock.ts';
import { fetcherHere, serveSite, type Site, failure } from './fetcher-here.ts';

const page = 'https://gone.example/essay?x=1';
const savedAt = Date.UTC(2019, 2, 1);
const never = new AbortController().signal;
const html = '<p>The page as it was.</p>';

let lookup: Site;
let copies: Site;
let other: Site;
let clock: ManualClock;
/** What was asked of each server, in order. */
let asked: string[];
/** The archive that was asked last. */
let archive: WebArchive;
let answerLookup: RequestListener;
let answerCopy: RequestListener;

beforeEach(async () => {
  asked = [];
  clock = new ManualClock();
  lookup = await serveSite((request, response) => {
    asked.push(`lookup ${request.url}`);
    answerLookup(request, response);
  });
  copies = await serveSite((request, response) => {
    asked.push(`copies ${request.url}`);
    answerCopy(request, response);
  });
  other = await serveSite((request, response) => {
    asked.push(`other ${request.url}`);
    response.end('never asked');
  });
  answerLookup = names({ timestamp: '20190304050607' });
  answerCopy = (_, response) => response.setHeader('content-type', 'text/html').end(html);
});

afterEach(async () => {
  for (const site of [lookup, copies, other]) await site.close();
});

/** A lookup's answer as the Wayback Machine writes it. */
function names(closest: Record<string, unknown> | null): RequestListener {
  return (_, response) => {
    const url = copies.url(`/web/20190304050607/${page}`);
    const found = closest === null ? {} : { closest: { available: true, status: '200', url, ...closest } };
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ url: page, archived_snapshots: found }));
  };
}

const says =
  (body: string | Buffer): RequestListener =>
  (_, response) =>
    response.end(body);

const redirects =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end();

const noSuchName: LookupFunction = (name, _options, callback) =>
  callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), '', 0);
const leadsTo =
  (address: string): LookupFunction =>
  (_name, _options, callback) =>
    callback(null, [{ address, family: 4 }]);

function find(address = page, names: LookupFunction = noSuchName): ReturnType<WebArchive['find']> {
  archive = createWebArchive(
    {
      lookupUrl: lookup.url('/wayback/available'),
      copiesUrl: copies.url('/web'),
      allowPrivateAddresses: true,
      maxBytes: 20_000,
      timeoutMs: 20_000,
      maxRedirects: 3,
      userAgent: 'Commonplace/test',
      clock,
    },
    { createFetcher: fetcherHere, isPublicPage: (url) => isPublicPage(url, names) },
  );
  return archive.find(address, savedAt, never, 'local');
}

it('requests the copy closest to a date, as the site sent it', async () => {
  const found = await find(`${page}#part`);
  expect(found).toMatchObject({
    url: copies.url(`/web/20190304050607id_/${page}`),
    finalUrl: page,
    declaredType: 'text/html',
    bytes: Buffer.from(html),
  });
  expect(asked).toEqual([
    `lookup /wayback/available?url=${encodeURIComponent(page)}&timestamp=20190301000000`,
    `copies /web/20190304050607id_/${page}`,
  ]);
});

it('takes the date of the copy that the archive redirects to', async () => {
  answerCopy = (request, response) =>
    request.url?.includes('20190304') === true
      ? redirects(`/web/20180102030405id_/http://www.gone.example/essay?x=1`)(request, response)
      : response.end(html);
  expect(await find()).toMatchObject({ url: copies.url(`/web/20180102030405id_/${page}`), finalUrl: page });
});

it.each([
  ['names none', () => (answerLookup = names(null))],
  ['has one that is not available', () => (answerLookup = names({ available: false, timestamp: '20190304050607' }))],
  ['has a copy of an error page only', () => (answerLookup = names({ status: '404', timestamp: '20190304050607' }))],
  ['does not deliver what it named', () => (answerCopy = (_, response) => response.writeHead(404).end())],
  ['leads on to another page', () => (answerCopy = leadsOnTo('https://gone.example/'))],
])('has no copy when the archive %s', async (_, arrange) => {
  arrange();
  expect(await find()).toBe('none');
});

function leadsOnTo(target: string): RequestListener {
  return (request, response) =>
    request.url?.endsWith(page) === true
      ? redirects(`/web/20190304050607id_/${target}`)(request, response)
      : response.end(html);
}

it.each([
  ['HTML', () => (answerLookup = says('<!doctype html><p>Down for maintenance</p>'))],
  ['another shape', () => (answerLookup = says('{"archived_snapshots":[]}'))],
  ['JSON nested without end', () => (answerLookup = says('['.repeat(60_000)))],
  ['a timestamp that is a path', () => (answerLookup = names({ timestamp: '../../../x' }))],
  ['a day that there is not', () => (answerLookup = names({ timestamp: '20190231000000' }))],
  ['a copy elsewhere', () => (answerLookup = names({ timestamp: '20190304050607', url: other.url('/web/1/x') }))],
  [
    'a copy in the private network',
    () => (answerLookup = names({ timestamp: '20190304050607', url: 'http://10.0.0.1/web/1/x' })),
  ],
])('uses nothing of a lookup that answers with %s, and can be retried', async (_, arrange) => {
  arrange();
  const { code, retryable } = await failure(find());
  expect({ code, retryable }).toEqual({ code: 'http_error', retryable: true });
  expect(asked).toHaveLength(1);
});

it.each([
  ['a lookup without end', 'too_large', () => (answerLookup = says(Buffer.alloc(70_000, ' ')))],
  ['a copy that is too large', 'too_large', () => (answerCopy = says(Buffer.alloc(30_000, 'a')))],
  ['a lookup that leads elsewhere', 'url_not_allowed', () => (answerLookup = redirects(other.url('/x')))],
  ['a copy that leads elsewhere', 'url_not_allowed', () => (answerCopy = redirects(other.url('/x')))],
  [
    'a copy that leads to itself',
    'too_many_redirects',
    () => (answerCopy = redirects(`/web/20190304050607id_/${page}`)),
  ],
])('does not follow or fully read %s', async (_, code, arrange) => {
  arrange();
  expect((await failure(find())).code).toBe(code);
  expect(asked.filter((path) => path.startsWith('other'))).toEqual([]);
});

it("respects an archive's Retry-After for lookups and copies", async () => {
  answerLookup = (_, response) => response.writeHead(429, { 'retry-after': '120' }).end();
  const first = await failure(find());
  expect(first).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 120_000 });
  const second = await failure(archive.find(page, savedAt, never, 'other account'));
  expect(second).toMatchObject({ code: 'rate_limited', retryable: true });
  expect(asked).toHaveLength(1);
});

it.each([
  ['lookup', 1, () => (answerLookup = () => {})],
  ['copy', 2, () => (answerCopy = (_, response) => response.write('<p>and then nothing'))],
])('gives up on a %s that does not arrive, and can be retried', async (_, requests, arrange) => {
  arrange();
  const found = failure(find());
  await expect.poll(() => asked).toHaveLength(requests);
  clock.advance(20_000);
  expect(await found).toMatchObject({ code: 'timeout', retryable: true });
});

it('sends one request at a time, whoever asks', async () => {
  answerLookup = names(null);
  expect(await find()).toBe('none');
  const second = archive.find(page, savedAt, never, 'other account');
  // The second waits for the pause that begins with the end of the first.
  await clock.untilAsleep(1_000);
  expect(asked).toHaveLength(1);
  clock.advance(1_000);
  expect(await second).toBe('none');
});

it.each([
  ['an address of this machine', 'http://127.0.0.1:8080/notes', noSuchName],
  ['an address of a private network', 'http://192.168.1.4/notes', noSuchName],
  ['a name without a dot', 'http://wiki/notes', noSuchName],
  ['a name of a private network', 'http://nas.home.arpa/notes', noSuchName],
  ['a public name that leads into a private network', 'https://wiki.example.com/notes', leadsTo('10.1.2.3')],
])('does not reveal %s to the archive', async (_, address, names) => {
  expect(await find(address, names)).toBe('not asked');
  expect(asked).toEqual([]);
});

it('requests pages that are gone from a site that still exists', async () => {
  expect(await find(page, leadsTo('93.184.216.34'))).toMatchObject({ finalUrl: page });
});
