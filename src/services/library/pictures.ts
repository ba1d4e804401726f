import { isoTime, type Clock } from '../../domain/clock.ts';
import { hostOf } from '../../domain/links/url.ts';
import type { ContentSummary } from '../../domain/records/content.ts';
import type { Original, Resource } from '../../domain/records/resource.ts';
import { noSuchItem, ProcessingError } from '../../errors.ts';
import type { Store, Stores } from '../../store/store.ts';

export type PictureKind = 'icon' | 'picture';

export interface PictureSources {
  /** The addresses to try for each kind. */
  find(original: Original, signal: AbortSignal, accountId: string): Promise<Record<PictureKind, string[]>>;
  fetch(url: string, kind: PictureKind, signal: AbortSignal, accountId: string): Promise<Resource>;
}

export interface Picture {
  item: ContentSummary;
  /** Null: there is none, or none yet. */
  shown: { bytes: Uint8Array; mediaType: string } | null;
  /** Whether asking again in a moment may have another answer. */
  isUnderWay: boolean;
}

export type PicturesService = ReturnType<typeof createPicturesService>;

/** A site that had no picture is asked again after this time. */
const retryMs = 7 * 86_400_000;
/** A picture that takes longer is shown the next time. */
const maxWaitMs = 3_000;
/** Pictures that one process fetches at once, for all accounts, and for one. */
const maxUnderWay = { total: 48, perAccount: 12 };
/** Sites whose icon is known to be kept beside another item. */
const maxKnownSites = 5_000;

/** The icons of sites and the pictures of pages. They are fetched when they are first looked at, and kept beside the item's original. */
export function createPicturesService(stores: Stores, clock: Clock, sources: PictureSources) {
  const underWay = new Map<string, { accountId: string; done: Promise<Original | null> }>();
  /** The item beside which the icon of a site is kept. */
  const keepers = new Map<string, string>();

  const isFresh = (kept: Original | null): kept is Original =>
    kept !== null && (kept.bytes.length > 0 || Date.parse(kept.fetchedAt) + retryMs > clock.now());

  const fetchFirst = async (store: Store, item: ContentSummary, kind: PictureKind): Promise<Resource | null> => {
    const { signal } = new AbortController();
    const original = await store.readOriginal(item.id);
    if (original === null) return null;
    const addresses = (await sources.find(original, signal, store.accountId))[kind];
    for (const url of addresses) {
      try {
        const fetched = await sources.fetch(url, kind, signal, store.accountId);
        if (pictureType(fetched.bytes) !== null) return fetched;
      } catch (error) {
        if (isPassing(error)) throw error;
      }
    }
    const nothing = { bytes: new Uint8Array(), declaredType: null, fetchedAt: isoTime(clock.now()) };
    return { ...nothing, url: addresses[0] ?? original.url, finalUrl: addresses[0] ?? original.finalUrl };
  };

  const fetchAndKeep = async (store: Store, item: ContentSummary, kind: PictureKind): Promise<Original | null> => {
    const fetched = await fetchFirst(store, item, kind);
    if (fetched === null) return null;
    await store.keepCompanion(item.id, kind, fetched);
    return { ...fetched, given: false };
  };

  return {
    /** @throws {AppError} `not_found` */
    async get(accountId: string, id: string, kind: PictureKind): Promise<Picture> {
      const store = await stores.open(accountId);
      const item = await store.getContentSummary(id);
      if (item === null) throw noSuchItem();
      const site = kind === 'icon' && item.url !== null ? hostOf(item.url) : null;
      const key = `${accountId} ${site ?? id} ${kind}`;
      const keeper = (site === null ? undefined : keepers.get(key)) ?? id;
      const kept = await store.readOriginal(keeper, kind);
      if (isFresh(kept)) return { item, shown: shownOf(kept), isUnderWay: false };
      // Its original may still be on its way, and a note has neither.
      if (item.url === null || item.status !== 'completed') return { item, shown: null, isUnderWay: item.url !== null };
      let going = underWay.get(key);
      if (going === undefined) {
        const own = [...underWay.values()].filter((one) => one.accountId === accountId);
        if (underWay.size >= maxUnderWay.total || own.length >= maxUnderWay.perAccount)
          return { item, shown: null, isUnderWay: true };
        const done = fetchAndKeep(store, item, kind).finally(() => underWay.delete(key));
        going = { accountId, done };
        underWay.set(key, going);
        if (keepers.size >= maxKnownSites) keepers.clear();
        if (site !== null) keepers.set(key, id);
      }
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, maxWaitMs, 'late');
      });
      // Temporary failures are not remembered: the next look asks again.
      const found = await Promise.race([going.done.catch(() => 'late' as const), late]);
      clearTimeout(timer);
      if (found === 'late') return { item, shown: null, isUnderWay: true };
      return { item, shown: found === null ? null : shownOf(found), isUnderWay: false };
    },
  };
}

/** Whether the machine or the queue is to blame, and not the site. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ProcessingError)) return true;
  return ['interrupted', 'machine_limit', 'internal', 'offline'].includes(error.code);
}

function shownOf({ bytes }: Resource): Picture['shown'] {
  const mediaType = pictureType(bytes);
  return mediaType === null ? null : { bytes, mediaType };
}

/** First bytes, in hexadecimal. SVG is not among them, because it can hold scripts. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^47494638(?:37|39)61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^00000100/, 'image/x-icon'],
];

/** By its bytes: a declared type may be wrong. */
function pictureType(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return signatures.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}
