import { type Config, proxiesOf } from '../settings/config.ts';
import type { Clock } from '../domain/clock.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';
import type { FetchProcess } from '../fetching/fetch-process.ts';
import type { HostTurns } from '../fetching/host-turns.ts';
import type { Log } from '../log.ts';
import { createIssuerKeys } from '../services/sign-in/issuer-keys.ts';
import { createOutsideTokens, type OutsideTokens } from '../services/sign-in/outside-tokens.ts';
import { createDocumentFetch } from './document-fetch.ts';

/** Keys of a server have a few kilobytes. */
const maxBytes = 64 * 1024;
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
  const own = createDocumentFetch(fetching, clock, version, hosts, { maxBytes, allowPrivateAddresses: true, proxies });
  const others = createDocumentFetch(fetching, clock, version, hosts, { maxBytes, proxies });
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
