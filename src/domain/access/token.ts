import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * A token is `cpl_`, 256 random bits in base62 (43 characters) and a checksum of those (CRC-32 in base62, 6
 * characters). The checksum detects mistyped and invented tokens without a lookup, and lets secret scanners
 * recognise a token in other text.
 */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'cpl_';
const secretLength = 43;
const checksumLength = 6;
const pattern = new RegExp(`^${prefix}([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`);

function base62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest /= 62n) text = (alphabet[Number(rest % 62n)] ?? '') + text;
  return text;
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), checksumLength);
}

/** A new token. It is shown once, to the person who created it, and only its hash is stored. */
export function newToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  return `${prefix}${secret}${checksum(secret)}`;
}

/** Whether a text has the form of a token and a correct checksum. */
export function isWellFormedToken(text: string): boolean {
  const [, secret, check] = pattern.exec(text) ?? [];
  return secret !== undefined && check === checksum(secret);
}

/**
 * The stored hash of a token. A plain SHA-256 is enough: 256 random bits cannot be guessed, however fast the hash is.
 */
export function hashToken(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

const lastUseStepMs = 60_000;
const dayMs = 24 * 60 * 60_000;

/**
 * Whether to store a new time of last use. People read it, so a resolution of a minute is enough. A time in the future
 * was written while the clock was wrong.
 */
export function isLastUseOld(lastUsedAt: number | null, now: number): boolean {
  return lastUsedAt === null || Math.abs(now - lastUsedAt) >= lastUseStepMs;
}

interface LastUse {
  lastUsedAt: number | null;
  lastNetwork: string | null;
}

/** The use to record from this network; null when it is recorded already. A key stores the day, a token the time. */
export function lastUseToNote(
  before: LastUse & { permissions: readonly unknown[] | null },
  network: string | null,
  now: number,
): { at: number; network: string | null } | null {
  const use = { at: now, network: network ?? before.lastNetwork };
  if (before.permissions === null) return isLastUseOld(before.lastUsedAt, now) ? use : null;
  const day = now - (now % dayMs);
  return before.lastUsedAt === day && before.lastNetwork === use.network ? null : { ...use, at: day };
}
