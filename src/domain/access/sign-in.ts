import { createHmac, hash, randomBytes } from 'node:crypto';
import { cleanLine } from '../text/clean-text.ts';

/*
 * Secrets of signing in (sessions, links) are 256 random bits. Only their SHA-256 hash is stored: it cannot be turned
 * back, and needs no slow hash, because 256 random bits cannot be guessed.
 */

/** The purpose of a link, which works once. */
export type LinkPurpose =
  /** Choose the name and the password of the first account. */
  | 'owner'
  /** Choose the name and the password of an account that somebody else made. */
  | 'invitation'
  /** Choose another password. */
  | 'reset'
  /** Sign in, from the command line of the machine itself. */
  | 'open';

const hourMs = 3_600_000;
/** For how long a link works. */
export const linkLifetimesMs: Readonly<Record<LinkPurpose, number>> = {
  owner: 24 * hourMs,
  invitation: 7 * 24 * hourMs,
  reset: hourMs,
  open: hourMs / 12,
};

/** A session ends this long after its last use, and at the latest this long after its beginning. */
export const sessionIdleMs = 30 * 24 * hourMs;
export const sessionMaxMs = 180 * 24 * hourMs;
/** A session gets a new secret after this time. */
export const sessionSecretMs = 24 * hourMs;
/** For this long the secret before it is accepted too: a browser may have several requests under way. */
export const oldSecretMs = 2 * 60_000;

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

const secretForm = /^[\w-]{43}$/;

export function isSecret(text: string): boolean {
  return secretForm.test(text);
}

export function hashSecret(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}

/** Ties a form to the browser and the session that it was made for. */
export function formToken(browserSecret: string, sessionId: string): string {
  return createHmac('sha256', browserSecret).update(sessionId).digest('base64url');
}

const maxNameLength = 100;

/** The name that a person signs in with, as it is stored and shown; empty when the text has no usable name. */
export function cleanLoginName(text: string): string {
  const name = cleanLine(text.slice(0, 4 * maxNameLength).normalize('NFKC'));
  return name.length > maxNameLength ? '' : name;
}

/** The form in which names are compared: `Ann@Example.org` and `ann@example.org` are one name. */
export function foldedLoginName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

export const minPasswordLength = 10;
const maxPasswordLength = 200;

/** Why a password cannot be used; null when it can. Length is what prevents guessing, so no kinds of characters are required. */
export function passwordProblem(password: string, name: string): string | null {
  if (password.length < minPasswordLength) return `Choose a password of at least ${minPasswordLength} characters.`;
  if (password.length > maxPasswordLength) return `Choose a password of at most ${maxPasswordLength} characters.`;
  if (foldedLoginName(password) === foldedLoginName(name)) return 'Choose a password that is not your name.';
  if (new Set(password).size < 5) return 'Choose a password with more different characters.';
  return null;
}

/** Browsers in which an account is signed in at the same time. Signing in once more ends the session that was unused longest. */
export const maxSessions = 100;
