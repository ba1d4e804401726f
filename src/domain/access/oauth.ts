import { hash } from 'node:crypto';

/*
 * Records of the authorization server are found by the SHA-256 hash of their id, which for a token is the token itself: reading the
 * database gives no usable token.
 */

/** The records of the authorization server, by the names that its library gives them. */
export type OAuthKind =
  | 'AccessToken'
  | 'AuthorizationCode'
  | 'Client'
  | 'Grant'
  | 'Interaction'
  | 'RefreshToken'
  | 'Session';

export const oauthKinds: readonly OAuthKind[] = [
  'AccessToken',
  'AuthorizationCode',
  'Client',
  'Grant',
  'Interaction',
  'RefreshToken',
  'Session',
];

export function recordKey(kind: OAuthKind, id: string): Uint8Array {
  return hash('sha256', `${kind}:${id}`, 'buffer');
}

const accessTokenForm = /^[\w-]{43}$/;

/** Whether a text has the form of an access token that an assistant gets by signing in. */
export function isAccessToken(text: string): boolean {
  return accessTokenForm.test(text);
}

const secondsOf = { minute: 60, hour: 3_600, day: 86_400 };
/** How long each record lives, in seconds. */
export const oauthLifetimes = {
  AccessToken: secondsOf.hour,
  AuthorizationCode: secondsOf.minute,
  /** A person's consent ends after a year. Then the person is asked again. */
  Grant: 365 * secondsOf.day,
  Interaction: 30 * secondsOf.minute,
  /** Each use replaces the token with a new one, which lives this long again. */
  RefreshToken: 60 * secondsOf.day,
  Session: secondsOf.hour,
};

/**
 * A used refresh token works for this long once more, because assistants refresh in parallel. Used later, it was
 * stolen: everything of its grant ends.
 */
export const usedRefreshTokenMs = 120_000;
/** Connected assistants of an account. Connecting one more disconnects the one that was unused longest. */
export const maxGrants = 100;
/** A registered assistant without access is deleted after this time. */
export const unusedClientMs = 86_400_000;
/**
 * Beyond these numbers, the oldest are deleted at once: registered assistants without consent, and requests that wait for an
 * answer. Anyone can create them.
 */
export const maxUnanswered: Readonly<Partial<Record<OAuthKind, number>>> = {
  Client: 1_000,
  Interaction: 2_000,
  Session: 2_000,
};
