import type { JSONWebKeySet, CryptoKey, FlattenedJWSInput, JWTHeaderParameters, JWTPayload } from 'jose';
import type { Clock } from '../../domain/clock.ts';
import { AppError, unavailable } from '../../errors.ts';
import { scopes as allScopes, type Scope } from '../../domain/records/account.ts';

/** The keys with which an authorization server elsewhere signs its tokens. */
interface IssuerKeys {
  /** @throws {AppError} `unavailable` when there are none and they cannot be fetched */
  current(): Promise<JSONWebKeySet>;
  /** The keys after refetching; unchanged when that was less than a minute ago. */
  renewed(): Promise<JSONWebKeySet>;
}

/** A document of the authorization server, parsed. Its size and the addresses that it may come from are limited. */
export type FetchDocument = (url: string) => Promise<unknown>;

const maxAgeMs = 10 * 60_000;
/** Keys older than this are refetched in the background. */
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
    throw unavailable(
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

interface OutsideToken {
  /** The person, as the claim of the settings names them. */
  name: string;
  scopes: Scope[];
  /** The assistant; empty when the token does not say it. */
  client: string;
}

/** Checks access tokens of an authorization server elsewhere: JSON web tokens (RFC 9068). */
export interface OutsideTokens {
  /** @throws {AppError} `unauthorized`, saying why; `unavailable` */
  read(token: string): Promise<OutsideToken>;
}

interface OutsideTokenSettings {
  issuer: string;
  /** One of these has to be in the token's audience (RFC 8707). */
  audiences: readonly string[];
  claim: string;
}

const maxTokenLength = 8_192;
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Signatures that only the holder of a private key can make. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const accessTokenTypes = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
const clockToleranceSeconds = 30;

export function isWebToken(text: string): boolean {
  return text.length <= maxTokenLength && tokenForm.test(text);
}

/** The scopes of a token: `scope` (RFC 8693), or the lists that some servers write. */
function scopesIn(payload: JWTPayload): string[] {
  return ['scope', 'scp', 'permissions'].flatMap((claim) => {
    const value = payload[claim];
    if (typeof value === 'string') return value.split(' ');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  });
}

function refused(why: string, cause?: unknown): AppError {
  return new AppError('unauthorized', why, { cause });
}

export function createOutsideTokens(settings: OutsideTokenSettings, keys: IssuerKeys, clock: Clock): OutsideTokens {
  const keyOf = async (header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    const { createLocalJWKSet, errors } = await import('jose');
    try {
      return await createLocalJWKSet(await keys.current())(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // Keys change, so they are fetched again: once a minute at most, however many unknown keys tokens name.
      return createLocalJWKSet(await keys.renewed())(header, token);
    }
  };

  return {
    async read(token) {
      const { jwtVerify, errors } = await import('jose');
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
          issuer: settings.issuer,
          audience: [...settings.audiences],
          algorithms,
          requiredClaims: ['exp', settings.claim],
          clockTolerance: clockToleranceSeconds,
          currentDate: new Date(clock.now()),
        });
        if (!accessTokenTypes.has(protectedHeader.typ?.toLowerCase())) throw refused('This is not an access token.');
        const name = payload[settings.claim];
        if (typeof name !== 'string' || name === '')
          throw refused(`The claim ${settings.claim} of this token is no text.`);
        const client = payload['client_id'] ?? payload['azp'];
        const scopes = scopesIn(payload);
        return {
          name,
          scopes: allScopes.filter((scope) => scopes.includes(scope)),
          client: typeof client === 'string' ? client : '',
        };
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (error instanceof errors.JWTExpired) throw refused('This token has expired. Sign in again.', error);
        if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
          throw refused('This token was made for another server. Sign in again, with the address of this one.', error);
        throw refused('This token was not made by the authorization server of this library, or is not valid.', error);
      }
    },
  };
}
