import type { CryptoKey, FlattenedJWSInput, JWTHeaderParameters, JWTPayload } from 'jose';
import type { Clock } from '../../domain/clock.ts';
import { scopes as allScopes, type Scope } from '../../domain/records/account.ts';
import { AppError } from '../../errors.ts';
import type { IssuerKeys } from './issuer-keys.ts';

export interface OutsideToken {
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

export interface OutsideTokenSettings {
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
