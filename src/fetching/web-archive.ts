import { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import { parseBoundedJson } from '../domain/json/bounded-json.ts';
import {
  archivableAddress,
  dateOfTimestamp,
  rawCopyAddress,
  rawCopyTimestamp,
  timestampOf,
} from '../domain/links/archived-copy.ts';
import type { Resource } from '../domain/records/resource.ts';
import { ProcessingError } from '../errors.ts';
import type { FetchProcess, FetchSettings } from './fetch-process.ts';
import { HostTurns } from './host-turns.ts';

export type WebArchive = ReturnType<typeof createWebArchive>;

export interface WebArchiveSettings extends Omit<FetchSettings, 'hosts' | 'origins'> {
  /** Without parameters. */
  lookupUrl: string;
  /** The address under which the copies are. */
  copiesUrl: string;
  clock: Clock;
}

/** The answer of a lookup has a few hundred bytes. */
const maxLookupBytes = 64 * 1024;

/** The archive is one service for everybody: it gets one request at a time from all accounts together. */
const politeness = { maxAtOnce: 1, maxPerAccount: Number.MAX_SAFE_INTEGER, pauseMs: 1_000 };

const lookupAnswer = z.object({
  archived_snapshots: z.object({
    closest: z
      .object({
        available: z.boolean().nullish(),
        url: z.string().max(8_192),
        timestamp: z.string().max(14),
        status: z.union([z.string().max(10), z.number()]).nullish(),
      })
      .nullish(),
  }),
});

export function createWebArchive(
  { lookupUrl, copiesUrl, ...settings }: WebArchiveSettings,
  { createFetcher, isPublicPage }: Pick<FetchProcess, 'createFetcher' | 'isPublicPage'>,
) {
  const { href: copies, origin } = new URL(copiesUrl.endsWith('/') ? copiesUrl : `${copiesUrl}/`);
  const hosts = new HostTurns(settings.clock, politeness);
  const lookups = createFetcher({
    ...settings,
    hosts,
    maxBytes: maxLookupBytes,
    origins: [new URL(lookupUrl).origin],
  });
  const pages = createFetcher({ ...settings, hosts, origins: [origin] });

  const findTimestamp = async (
    page: string,
    closestTo: number,
    signal: AbortSignal,
    accountId: string,
  ): Promise<string | null> => {
    const asked = new URL(lookupUrl);
    asked.searchParams.set('url', page);
    asked.searchParams.set('timestamp', timestampOf(closestTo));
    const { bytes } = await lookups.fetch(asked.href, signal, { headers: { accept: 'application/json' } }, accountId);
    return readTimestamp(bytes, new URL(copies));
  };

  return {
    /**
     * `url`: of the copy; `finalUrl`: the page's own. `not asked`: of a private network, which the archive must not
     * learn.
     * @throws {ProcessingError} when the archive cannot be asked now, or does not deliver its copy
     */
    async find(
      address: string,
      closestTo: number,
      signal: AbortSignal,
      accountId: string,
    ): Promise<Resource | 'none' | 'not asked'> {
      if (!(await isPublicPage(new URL(address), signal, accountId))) return 'not asked';
      const page = archivableAddress(address);
      const timestamp = await findTimestamp(page, closestTo, signal, accountId);
      if (timestamp === null) return 'none';
      let copy: Resource;
      try {
        copy = await pages.fetch(rawCopyAddress(copies, timestamp, page), signal, {}, accountId);
      } catch (error) {
        if (error instanceof ProcessingError && error.code === 'not_found') return 'none';
        throw error;
      }
      // The archive may redirect to a copy of another day. A copy of another page does not count.
      const delivered = rawCopyTimestamp(copy.finalUrl, copies, page);
      if (delivered === null) return 'none';
      return { ...copy, url: rawCopyAddress(copies, delivered, page), finalUrl: page };
    },
  };
}

/** Of the archive's answer only the timestamp is used. Null without a copy, or when it is of an error page. */
function readTimestamp(bytes: Uint8Array, copies: URL): string | null {
  const answer = lookupAnswer.safeParse(parsed(bytes));
  if (!answer.success) throw unusable();
  const { closest } = answer.data.archived_snapshots;
  if (closest === undefined || closest === null || closest.available === false) return null;
  if (closest.status !== undefined && closest.status !== null && String(closest.status) !== '200') return null;
  const named = URL.parse(closest.url);
  // The Wayback Machine names its copies by http, whatever it was asked by.
  const isOwn = named?.host === copies.host && named.pathname.startsWith(copies.pathname);
  if (!isOwn || dateOfTimestamp(closest.timestamp) === null) throw unusable();
  return closest.timestamp;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseBoundedJson(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable(error);
    throw error;
  }
}

function unusable(cause?: unknown): ProcessingError {
  return new ProcessingError('http_error', 'The web archive sent an answer that cannot be used.', {
    cause,
    retryable: true,
  });
}
