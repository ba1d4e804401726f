import { type Config, proxiesOf } from '../settings/config.ts';
import type { Clock } from '../domain/clock.ts';
import { withoutTrailing } from '../domain/text/shortened.ts';
import type { FetchProcess, FetchSettings } from '../fetching/fetch-process.ts';
import type { HostTurns } from '../fetching/host-turns.ts';
import type { Log } from '../workers/log.ts';
import { createIssuerKeys, createOutsideTokens, type OutsideTokens } from '../services/sign-in/outside-tokens.ts';
import type { Resource } from '../domain/records/resource.ts';

/** Keys of a server have a few kilobytes. */
const maxKeyBytes = 64 * 1024;
/** With the wait for others that ask the same server. */
const maxWaitMs = 15_000;

export interface OutsideTokensParts {
  fetching: FetchProcess;
  clock: Clock;
  version: string;
  hosts: HostTurns;
  log: Log;
}

/** The check of tokens of the authorization server that the settings name; null when they name none. */
export function chooseOutsideTokens(
  config: Config,
  { fetching, clock, version, hosts, log }: OutsideTokensParts,
): OutsideTokens | null {
  const { authorizationServer: issuer, authorizationAudience, publicUrl } = config;
  if (issuer === '') return null;
  const base = withoutTrailing(publicUrl, '/');
  const { origin } = new URL(issuer);
  // Whoever runs this server chose the issuer, which may be in a private network. Its metadata choose other addresses.
  const proxies = proxiesOf(config);
  const own = createDocumentFetch(fetching, clock, version, hosts, {
    maxBytes: maxKeyBytes,
    allowPrivateAddresses: true,
    proxies,
  });
  const others = createDocumentFetch(fetching, clock, version, hosts, { maxBytes: maxKeyBytes, proxies });
  const keys = createIssuerKeys(
    issuer,
    async (url) => {
      const { origin: asked, protocol } = new URL(url);
      if (asked !== origin && protocol !== 'https:') throw new Error('keys come over encrypted connections alone');
      const { bytes } = await (asked === origin ? own : others)(url, AbortSignal.timeout(maxWaitMs));
      return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
    },
    clock,
    (error) => log.warn({ err: error }, 'the keys of the authorization server could not be fetched'),
  );
  const audiences =
    authorizationAudience === '' ? [`${base}/mcp`, `${base}/mcp/`, base, `${base}/`] : [authorizationAudience];
  return createOutsideTokens({ issuer, audiences, claim: config.authorizationClaim }, keys, clock);
}

const usualMaxBytes = 16 * 1024;
const timeoutMs = 5_000;
/** These documents take turns like those of a separate account: strangers name them, and must not delay any account. */
const accountId = 'documents of assistants';

type FetchDocument = (url: string, signal: AbortSignal) => Promise<Resource>;

/**
 * Fetches the documents that describe assistants. Strangers choose their addresses, so private networks are refused
 * whatever the settings allow for saved pages, and no redirect is followed.
 * @param limits of documents of another kind
 */
export function createDocumentFetch(
  fetching: FetchProcess,
  clock: Clock,
  version: string,
  hosts: HostTurns,
  { maxBytes = usualMaxBytes, allowPrivateAddresses = false, proxies }: Partial<FetchSettings> = {},
): FetchDocument {
  const fetcher = fetching.createFetcher({
    allowPrivateAddresses,
    maxBytes,
    timeoutMs,
    maxRedirects: 0,
    proxies,
    userAgent: `Commonplace/${version}`,
    clock,
    hosts,
  });
  return (url, signal) => fetcher.fetch(url, signal, { headers: { accept: 'application/json' } }, accountId);
}
