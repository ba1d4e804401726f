import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../domain/clock.ts';

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

/** @param logN binary logarithm of the cost of new hashes; stored ones keep theirs */
export function createPasswords(logN = defaultLogN): Passwords {
  /** A password is compared with this when there is no stored hash. */
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

/** Counts wrong passwords in the memory of this process; a restart resets them. */
interface GuessLimits {
  /** Counts before the password is checked, so that parallel attempts cannot pass. @throws {AppError} `rate_limited` */
  count(address: string, name: string): void;
  /** The password was right: the attempt does not count, and this address is known for this name from now on. */
  forgive(address: string, name: string): void;
}

const windowMs = 15 * 60_000;
const maxByAddress = 20;
/** For all addresses together. An address from which this name has signed in is not affected by other addresses' attempts. */
const maxByName = 50;
/** Beyond this, the oldest count is forgotten. */
const maxCounts = 20_000;

class Counter {
  readonly #counts = new Map<string, { attempts: number; endsAt: number }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The attempts of this window, and the milliseconds that are left of it. */
  state(key: string): { attempts: number; leftMs: number } {
    const now = this.#clock.elapsed();
    const count = this.#counts.get(key);
    if (count === undefined || count.endsAt <= now) return { attempts: 0, leftMs: windowMs };
    return { attempts: count.attempts, leftMs: count.endsAt - now };
  }

  add(key: string, attempts: number): void {
    const state = this.state(key);
    this.#counts.delete(key);
    const sum = Math.max(0, state.attempts + attempts);
    if (sum > 0) this.#counts.set(key, { attempts: sum, endsAt: this.#clock.elapsed() + state.leftMs });
    const [oldest] = this.#counts.size > maxCounts ? this.#counts.keys() : [];
    if (oldest !== undefined) this.#counts.delete(oldest);
  }
}

export function createGuessLimits(clock: Clock): GuessLimits {
  const byAddress = new Counter(clock);
  const byName = new Counter(clock);
  const known = new Set<string>();
  const pair = (address: string, name: string) => `${address} ${name}`;

  return {
    count(address, name) {
      const isKnown = known.has(pair(address, name));
      const full = [
        { max: maxByAddress, ...byAddress.state(address) },
        ...(isKnown ? [] : [{ max: maxByName, ...byName.state(name) }]),
      ].filter(({ attempts, max }) => attempts >= max);
      if (full.length > 0) {
        const minutes = Math.ceil(Math.max(...full.map(({ leftMs }) => leftMs)) / 60_000);
        throw new AppError(
          'rate_limited',
          `Too many wrong names or passwords. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
        );
      }
      byAddress.add(address, 1);
      if (!isKnown) byName.add(name, 1);
    },
    forgive(address, name) {
      byAddress.add(address, -1);
      if (!known.has(pair(address, name))) byName.add(name, -1);
      if (known.size >= maxCounts) known.clear();
      known.add(pair(address, name));
    },
  };
}
