import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';

/** Hashes passwords with scrypt, in Node's thread pool: one hash takes some 75 ms of a processor and 32 MB. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a stored hash, so that the time does not tell whether a name is known. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

const defaultLogN = 15;
const blockSize = 8;
const parallelism = 1;
const keyBytes = 32;
const saltBytes = 16;
const maxMemoryBytes = 64 * 2 ** 20;
/** Hashes at once: the thread pool has four threads, which files and name lookups need as well. */
const maxAtOnce = 2;
const maxWaiting = 64;

function format(logN: number, salt: Buffer, key: Buffer): string {
  return ['scrypt', logN, blockSize, parallelism, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** @param logN binary logarithm of what a new hash costs; those that are stored keep theirs */
export function createPasswords(logN = defaultLogN): Passwords {
  /** What a password is compared with when there is no stored hash. */
  const noHash = format(logN, Buffer.alloc(saltBytes), Buffer.alloc(keyBytes));
  let running = 0;
  const waiting: (() => void)[] = [];

  const derive = async (password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> => {
    if (running >= maxAtOnce) {
      if (waiting.length >= maxWaiting)
        throw new AppError('rate_limited', 'Too many people are signing in at this moment. Try again in a minute.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await new Promise<Buffer>((resolve, reject) =>
        // One text may be written in several ways in Unicode; keyboards differ.
        scrypt(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem: maxMemoryBytes }, (error, key) =>
          error === null ? resolve(key) : reject(error),
        ),
      );
    } finally {
      // The place passes on to the one who waited longest.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };

  return {
    async hash(password) {
      const salt = randomBytes(saltBytes);
      return format(logN, salt, await derive(password, salt, { N: 2 ** logN, r: blockSize, p: parallelism }));
    },
    async verify(password, stored) {
      const [kind, log, r, p, salt = '', key = ''] = (stored ?? noHash).split('$');
      if (kind !== 'scrypt') throw new Error('a stored password has an unknown form');
      const cost = { N: 2 ** Number(log), r: Number(r), p: Number(p) };
      const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
      return timingSafeEqual(derived, Buffer.from(key, 'base64url')) && stored !== null;
    },
  };
}
