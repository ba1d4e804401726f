import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * A token is `cpl_`, 256 random bits in base62 (43 characters) and a checksum of those (CRC-32 in base62, 6
 * characters): a mistyped or made-up one is recognised without looking anything up, and scanners of leaked secrets
 * can tell a token from other text.
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

/** A new token: shown once to whoever asked for it, and kept by nobody else. */
export function newToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  return `${prefix}${secret}${checksum(secret)}`;
}

/** Whether a text could be one of our tokens. */
export function isWellFormedToken(text: string): boolean {
  const [, secret, check] = pattern.exec(text) ?? [];
  return secret !== undefined && check === checksum(secret);
}

/**
 * What is stored of a token. A plain SHA-256 is enough: 256 random bits cannot be guessed from it, however fast it is.
 */
export function hashToken(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

const lastUseStepMs = 60_000;

/** Whether a new use is worth writing down: the last one is for people to read, who are content with the minute. One in the future was written while the clock was wrong. */
export function isLastUseOld(lastUsedAt: number | null, now: number): boolean {
  return lastUsedAt === null || Math.abs(now - lastUsedAt) >= lastUseStepMs;
}
