import type { JSONWebKeySet } from 'jose';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors.ts';

/** The keys with which an authorization server elsewhere signs its tokens. */
export interface IssuerKeys {
  /** @throws {AppError} `unavailable` when there are none and they cannot be fetched */
  current(): Promise<JSONWebKeySet>;
  /** The keys after they were fetched anew; the same ones when that was less than a minute ago. */
  renewed(): Promise<JSONWebKeySet>;
}

/** A document of the authorization server, parsed. Its size and the addresses that it may come from are limited. */
export type FetchDocument = (url: string) => Promise<unknown>;

const maxAgeMs = 10 * 60_000;
/** From this age on, keys are fetched anew while they are in use. */
const renewalAgeMs = 5 * 60_000;
const minBetweenMs = 60_000;
/** Until there are keys, people wait: then it is tried more often. */
const minBetweenFirstMs = 5_000;
const maxKeys = 50;

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The addresses of an issuer's metadata: OpenID Connect Discovery, and RFC 8414 (3.1). */
function metadataAddresses(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

async function findKeysAddress(issuer: string, fetch: FetchDocument): Promise<string> {
  let cause: unknown;
  for (const address of metadataAddresses(issuer)) {
    try {
      const metadata = record(await fetch(address));
      // Exactly the issuer of the settings (RFC 8414, 3.3), so that no other one speaks for it.
      if (metadata['issuer'] !== issuer) throw new Error(`the metadata at ${address} names another issuer`);
      if (typeof metadata['jwks_uri'] !== 'string') throw new Error(`the metadata at ${address} has no jwks_uri`);
      return metadata['jwks_uri'];
    } catch (error) {
      cause ??= error;
    }
  }
  throw cause;
}

/** @param onTrouble called when the keys could not be fetched and older ones go on being used */
export function createIssuerKeys(
  issuer: string,
  fetch: FetchDocument,
  clock: Clock,
  onTrouble: (error: unknown) => void,
): IssuerKeys {
  let keys: JSONWebKeySet | undefined;
  let fetchedAt = 0;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;
  let isAway = false;

  const load = async (): Promise<void> => {
    triedAt = clock.elapsed();
    const given = record(await fetch(await findKeysAddress(issuer, fetch)))['keys'];
    if (!Array.isArray(given) || given.length > maxKeys)
      throw new Error('the keys of the authorization server are no list');
    // A secret key would let everybody sign who can read it here.
    keys = {
      keys: given.filter((key) => typeof record(key)['kty'] === 'string' && record(key)['kty'] !== 'oct') as never,
    };
    fetchedAt = clock.elapsed();
    isAway = false;
  };

  const tryLoading = async (minBetween: number): Promise<void> => {
    if (fetching === undefined && clock.elapsed() - triedAt < minBetween) return;
    fetching ??= load().finally(() => (fetching = undefined));
    try {
      await fetching;
    } catch (error) {
      isAway = true;
      onTrouble(error);
    }
  };

  const found = (): JSONWebKeySet => {
    if (keys !== undefined) return keys;
    throw new AppError(
      'unavailable',
      'The authorization server of this library cannot be reached, so its tokens cannot be checked. Try again in a minute.',
    );
  };

  return {
    async current() {
      if (keys === undefined) await tryLoading(minBetweenFirstMs);
      else {
        const ageMs = clock.elapsed() - fetchedAt;
        const renewal = ageMs < renewalAgeMs ? undefined : tryLoading(minBetweenMs);
        // A server that did not answer before holds up no further request.
        if (ageMs >= maxAgeMs && !isAway) await renewal;
      }
      return found();
    },
    async renewed() {
      await tryLoading(minBetweenMs);
      return found();
    },
  };
}
