import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../domain/clock.ts';
import { canonicalUrl } from '../../domain/links/url.ts';
import type { FeedEntry, FeedPage, FeedQuestion, FeedReading } from '../../domain/records/sources/feed.ts';
import type { KnownPage, Resource } from '../../domain/records/resource.ts';
import type { CheckOutcome, SourceClaim, SourceEntry } from '../../domain/records/sources/source.ts';
import { sha256Hex } from '../../domain/sha256.ts';
import { validator } from '../../domain/records/transfers/exported.ts';
import { ProcessingError } from '../../errors.ts';
import type { ImportContent } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { countOfDay, dayCount, type CheckSource } from './run-check.ts';
import { firstRhythm, nextRhythm, pauseMs, type Rhythm, rhythmOf } from './feed-rhythm.ts';

export interface FeedParts {
  /** @param known asks the server for the feed only if it has changed since */
  fetch(url: string, signal: AbortSignal, accountId: string, known?: KnownPage): Promise<Resource>;
  read(resource: Resource, question: FeedQuestion, signal: AbortSignal, accountId: string): Promise<FeedPage>;
  clock: Clock;
  /** Jitter; in [0, 1). */
  random: () => number;
}

/** A feed check's state for the next one. An import may have damaged it: then the feed is read from scratch. */
const feedMemory = z
  .object({
    known: z.object({ etag: validator, lastModified: validator, finalUrl: z.string() }),
    /** Of the bytes that were read last: many servers do not say that nothing has changed. */
    hash: z.string(),
    rhythm: z.object({
      intervalMs: z.number(),
      hints: z.object({
        minMinutes: z.number().catch(0),
        skipHours: z.array(z.number()),
        skipDays: z.array(z.number()),
      }),
    }),
    /** The target of a permanent redirect, and how many checks in a row reported it. */
    moved: z.object({ address: z.url(), times: z.int() }),
    /** Since when the server says that there is nothing at the address. */
    missingSince: z.number(),
    /** Texts and pages that it brought in the day that began then. */
    brought: dayCount,
  })
  .partial()
  .catch({});
type FeedMemory = z.infer<typeof feedMemory>;

/** Entries that a feed brings when it is new; the older ones are left. */
const maxAtFirst = 10;
/** Entries that become items, or change the text of theirs, in one check and in one day. */
const [maxAtOnce, maxInDay] = [100, 300];
const dayMs = 24 * 3_600_000;
const batchSize = 25;
/** Entries of the last time that may have come with another id or address. */
const maxRecent = 2_000;
/** A permanent redirect is accepted after this many consecutive checks. */
const timesMoved = 3;
/** An address without a page is given up after this time. */
const missingMs = 7 * dayMs;
const pauseWhileMissingMs = 6 * 3_600_000;
/** Items that one check moves to the trash. */
const maxTrashed = 200;
/** Entries without an item that are remembered when the feed offers them no longer. */
const maxRemembered = 5_000;
/** Minimum interval for refetching the page of an edited entry. */
const pageRestMs = dayMs;

/** Checks a feed (docs/following.md). */
export function createFeedCheck(parts: FeedParts): CheckSource {
  return async (store, claim, signal) => {
    const { clock, random } = parts;
    const memory = feedMemory.parse(claim.memory);
    const rhythmBefore = memory.rhythm ?? firstRhythm;
    let page: Resource;
    try {
      page = await parts.fetch(claim.address, signal, store.accountId, memory.known);
    } catch (error) {
      const missing = missingOutcome(error, memory, clock.now());
      if (missing === null) throw error;
      return missing;
    }
    const hash = page.isUnchanged === true ? memory.hash : await sha256Hex(page.bytes);
    const learnt: FeedMemory = {
      hash,
      known: knownPage(page, memory),
      moved: movedBy(page, memory),
      rhythm: nextRhythm(rhythmBefore, false),
      brought: countOfDay(memory.brought, clock.now()),
    };
    let hasChanged = false;
    let title: string | null = null;
    if (page.isUnchanged !== true && hash !== memory.hash) {
      const taken = await takeEntries(parts, store, claim, page, learnt, signal);
      ({ hasChanged, title } = taken);
      const { hints } = taken;
      learnt.rhythm = claim.checkedAt === null ? taken.rhythm : nextRhythm({ ...rhythmBefore, hints }, hasChanged);
    }
    await trashUnread(store, claim, clock.now(), signal);
    const { address } = learnt.moved?.times === timesMoved ? learnt.moved : {};
    const { everyMinutes } = claim;
    const asked = { everyMinutes, freshForMs: page.freshForMs ?? 0, now: clock.now(), random: random() };
    return {
      memory: { ...learnt },
      nextCheckInMs: pauseMs(learnt.rhythm ?? firstRhythm, asked),
      hasChanged,
      problem: null,
      ...(address !== undefined && { address }),
      ...(title !== null && claim.name === claim.address && { name: title }),
    };
  };
}

/** The outcome for a missing feed, permanently or temporarily; null for all other errors. */
function missingOutcome(error: unknown, memory: FeedMemory, now: number): CheckOutcome | null {
  if (!(error instanceof ProcessingError) || error.code !== 'not_found') return null;
  const missingSince = memory.missingSince ?? now;
  const isGone = error.status === 410 || now - missingSince >= missingMs;
  const message = isGone
    ? 'The feed is gone: there is nothing at its address any more. Its items stay. If it has moved, follow its new address.'
    : 'The site says that there is no feed at this address now. It is asked for a week before it counts as gone.';
  return {
    memory: { ...memory, missingSince },
    nextCheckInMs: pauseWhileMissingMs,
    hasChanged: false,
    ...(isGone && { state: 'gone' }),
    problem: { code: error.code, message },
  };
}

function knownPage({ finalUrl, validators, isUnchanged }: Resource, memory: FeedMemory): KnownPage | undefined {
  if (validators === undefined || (validators.etag === null && validators.lastModified === null))
    return isUnchanged === true ? memory.known : undefined;
  return { ...validators, finalUrl };
}

function movedBy({ movedTo }: Resource, { moved }: FeedMemory): FeedMemory['moved'] {
  if (movedTo === undefined) return undefined;
  return { address: movedTo, times: moved?.address === movedTo ? moved.times + 1 : 1 };
}

interface Taken {
  hasChanged: boolean;
  title: string | null;
  hints: Rhythm['hints'];
  /** For a feed that was never checked before. */
  rhythm: Rhythm;
}

/** Keeps what is new in a feed. Whatever is written can be written again: a check that ends early is repeated. */
async function takeEntries(
  parts: FeedParts,
  store: Store,
  claim: SourceClaim,
  page: Resource,
  learnt: FeedMemory,
  signal: AbortSignal,
): Promise<Taken> {
  const { only = [], without = [] } = claim.options;
  const read = (texts: readonly string[]): Promise<FeedPage> =>
    parts.read(page, { only, without, texts }, signal, store.accountId);
  const { feed } = await read([]);
  if (feed === null) throw noFeed();
  const now = parts.clock.now();
  const { fresh, moved, edited, tookBefore } = await compareEntries(store, claim, feed);
  const row = (entry: FeedEntry, more: Partial<SourceEntry>): SourceEntry => ({
    key: entry.key,
    state: 'left',
    contentId: null,
    address: entry.link?.url ?? null,
    title: entry.known.title,
    // Some clocks are wrong: an entry of the future would stay the newest for ever.
    publishedAt: entry.publishedAt === null ? null : Math.min(entry.publishedAt, now),
    fingerprint: entry.fingerprint,
    seenAt: now,
    ...more,
  });
  const keptRow = ({ entry, known: { key, state, contentId, address, seenAt } }: Known): SourceEntry => {
    // An entry without a page has no claim to the page that it named before.
    const own = address === ownAddress(claim, { key }) ? address : null;
    return row(entry, { state, contentId, seenAt, address: entry.link?.url ?? own });
  };
  const atFirst = claim.checkedAt === null ? Math.max(0, maxAtFirst - tookBefore) : Number.POSITIVE_INFINITY;
  const wanted = newestFirst(fresh.filter(({ isWanted }) => isWanted)).slice(0, atFirst);
  const brought = countOfDay(learnt.brought, now);
  const room = Math.max(0, Math.min(maxAtOnce, maxInDay - brought.count));
  const items = wanted.filter(({ link }) => link === null || claim.options.take !== 'headlines').slice(0, room);
  // Others may have written the text of an item that has another address.
  const own = edited.filter(
    ({ entry, known }) => entry.link === null && known.state === 'item' && known.address === ownAddress(claim, entry),
  );
  const renewed = own.slice(0, room - items.length);
  learnt.brought = { ...brought, count: brought.count + items.length + renewed.length };
  const wordless = [...items.filter(({ link }) => link === null), ...renewed.map(({ entry }) => entry)];
  const again = wordless.length === 0 ? null : (await read(wordless.map(({ key }) => key))).feed;
  const texts = new Map(
    again?.entries.flatMap(({ key, text }) => (text === undefined ? [] : [[key, textResource(text, page)]])),
  );

  const [taken, headlines] = [new Set(items), new Set(wanted.filter(({ link }) => link !== null))];
  await inBatches(
    fresh.filter((entry) => !taken.has(entry)),
    signal,
    (batch) =>
      store.keepSourceEntries(
        claim,
        batch.map((entry) => row(entry, headlines.has(entry) ? { state: 'headline' } : {})),
      ),
  );
  // The newest is saved last, so that it comes first in the list.
  await inBatches(items.toReversed(), signal, async (batch) => {
    const saved = await store.importContent(batch.map((entry) => contentOf(claim, entry, texts.get(entry.key), now)));
    await store.keepSourceEntries(
      claim,
      batch.map((entry, at) => {
        const { id, outcome } = saved[at] ?? {};
        // An existing item belongs to the person or to another feed: this one does not remove it.
        const address = entry.link?.url ?? ownAddress(claim, entry);
        return row(entry, { state: outcome === 'taken' ? 'item' : 'left', contentId: id ?? null, address });
      }),
    );
  });
  // The others are renewed when there is room again and the feed has changed.
  const waiting = new Set(own.slice(renewed.length));
  await inBatches(
    edited.filter((one) => !waiting.has(one)),
    signal,
    async (batch) => {
      for (const one of batch) if (renewed.includes(one)) await renewText(store, one.known, texts.get(one.entry.key));
      const rested = await renewPages(store, batch);
      await store.keepSourceEntries(
        claim,
        batch.map((one) => {
          const { contentId, fingerprint } = one.known;
          // It counts as edited until its page is fetched.
          return { ...keptRow(one), ...(rested.has(contentId) && { fingerprint }) };
        }),
      );
    },
  );
  await inBatches(moved, signal, async (batch) => {
    await store.keepSourceEntries(claim, batch.map(keptRow));
    await store.removeSourceEntries(
      claim,
      batch.map(({ known }) => known.key),
    );
  });
  if (fresh.length > 0) {
    const old = await store.listSourceEntries(claim.id, { withoutItem: true, limit: 1_000, offset: maxRemembered });
    const offered = new Set(feed.entries.map(({ key }) => key));
    const gone = old.map(({ key }) => key).filter((key) => !offered.has(key));
    if (gone.length > 0) await store.removeSourceEntries(claim, gone);
  }
  const { title, hints } = feed;
  return { hasChanged: wanted.length > 0, title, hints, rhythm: rhythmOf(feed.entries, hints, now) };
}

interface Known {
  entry: FeedEntry;
  known: SourceEntry;
}

interface Compared {
  fresh: FeedEntry[];
  /** Those that have another key than before. */
  moved: Known[];
  /** Those whose text or address is another than before. */
  edited: Known[];
  /** How many of them became items or headlines before. */
  tookBefore: number;
}

async function compareEntries(store: Store, claim: SourceClaim, { entries }: FeedReading): Promise<Compared> {
  const known = new Map(
    (
      await store.findSourceEntries(
        claim.id,
        entries.map(({ key }) => key),
      )
    ).map((one) => [one.key, one]),
  );
  const edited = entries.flatMap((entry) => {
    const before = known.get(entry.key);
    const isSame =
      before?.fingerprint === entry.fingerprint && (entry.link === null || before.address === entry.link.url);
    return before === undefined || isSame ? [] : [{ entry, known: before }];
  });
  const unknown = entries.filter(({ key }) => !known.has(key));
  const tookBefore = [...known.values()].filter(
    ({ state, contentId }) => state !== 'left' || contentId !== null,
  ).length;
  if (unknown.length === 0) return { fresh: [], moved: [], edited, tookBefore };
  const recent = await store.listSourceEntries(claim.id, { limit: maxRecent });
  const gone = recent.filter(({ key }) => !known.has(key));
  const byAddress = new Map(gone.map((one) => [canonicalUrl(one.address ?? ''), one]));
  const byText = new Map(gone.map((one) => [one.fingerprint, one]));
  // Within one feed, the same page twice is one entry.
  const here = new Set([...known.values()].map(({ address }) => canonicalUrl(address ?? '')));
  const fresh: FeedEntry[] = [];
  const moved: Known[] = [];
  for (const entry of unknown) {
    const page = entry.link?.canonicalUrl;
    const before = (page !== undefined && byAddress.get(page)) || (entry.isTelling && byText.get(entry.fingerprint));
    if (before) {
      moved.push({ entry, known: before });
      for (const [at, one] of byAddress) if (one === before) byAddress.delete(at);
      byText.delete(before.fingerprint);
    } else fresh.push(page !== undefined && here.has(page) ? { ...entry, isWanted: false } : entry);
    if (page !== undefined) here.add(page);
  }
  return { fresh, moved, edited, tookBefore };
}

/** In the order of their dates, if all have one; else as the feed has them. */
function newestFirst(entries: readonly FeedEntry[]): FeedEntry[] {
  if (entries.some(({ publishedAt }) => publishedAt === null)) return [...entries];
  return entries.toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0));
}

async function inBatches<T>(all: readonly T[], signal: AbortSignal, run: (batch: T[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += batchSize) {
    signal.throwIfAborted();
    await run(all.slice(at, at + batchSize));
  }
}

/** The address of an entry that has no page: a place at the site of its feed, whose own address may be secret. */
const ownAddress = ({ id, address }: SourceClaim, { key }: Pick<FeedEntry, 'key'>): string =>
  `${new URL(address).origin}/#/entry/${createHash('sha256').update(`${id} ${key}`).digest('hex').slice(0, 16)}`;

function contentOf(claim: SourceClaim, entry: FeedEntry, original: Resource | undefined, now: number): ImportContent {
  const url = ownAddress(claim, entry);
  return {
    ...(entry.link ?? { url, canonicalUrl: canonicalUrl(url) }),
    title: null,
    tags: claim.options.tags ?? [],
    notes: null,
    createdAt: null,
    state: { shelf: 'inbox', readAt: null, readingShare: null },
    known: { ...entry.known, ...((entry.publishedAt ?? 0) > now && { publishedAt: null }) },
    ...(original !== undefined && entry.link === null && { original: { ...original, url, finalUrl: url } }),
  };
}

function textResource(markdown: string, { url, fetchedAt }: Resource): Resource {
  const bytes = Buffer.from(markdown);
  return { url, finalUrl: url, bytes, declaredType: 'text/markdown; charset=utf-8', fetchedAt };
}

/** Gives an item that was made of an edited entry its new text, unless it is in the trash. */
async function renewText(store: Store, { contentId, address }: SourceEntry, text: Resource | undefined): Promise<void> {
  if (text === undefined || address === null || contentId === null) return;
  if ((await store.getContentSummary(contentId)) === null) return;
  const original = { ...text, url: address, finalUrl: address };
  await store.saveContent({ url: address, canonicalUrl: canonicalUrl(address), tags: [], notes: undefined, original });
}

/** @returns the items whose pages were fetched too recently to be asked for */
async function renewPages(store: Store, edited: readonly Known[]): Promise<ReadonlySet<string | null>> {
  const ids = edited.flatMap(({ entry, known: { state, contentId, fingerprint } }) =>
    entry.link !== null && state === 'item' && contentId !== null && fingerprint !== entry.fingerprint
      ? [contentId]
      : [],
  );
  const asked = ids.length === 0 ? [] : await store.refreshPages(ids, { isBackground: true, restMs: pageRestMs });
  return new Set(asked.flatMap(({ id, outcome }) => (outcome === 'rested' ? [id] : [])));
}

/** Moves items that nobody has read or touched to the trash, when there are more or older ones than the person keeps. */
async function trashUnread(store: Store, claim: SourceClaim, now: number, signal: AbortSignal): Promise<void> {
  const { keepUnread, keepDays, tags = [] } = claim.options;
  if (!keepUnread && !keepDays) return;
  const before = !keepDays ? null : now - keepDays * dayMs;
  const limits = { keep: keepUnread || null, before, tags, limit: maxTrashed };
  for (const id of await store.findUntouchedItems(claim.id, limits)) {
    signal.throwIfAborted();
    await store.deleteContent(id);
  }
}

function noFeed(): ProcessingError {
  return new ProcessingError(
    'unsupported_type',
    'There is no feed at this address, only a page or a file. Open it in your browser; follow the address of the page to find its feed.',
  );
}
