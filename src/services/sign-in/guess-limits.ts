import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors.ts';

/** Counts wrong passwords in the memory of this process; a restart resets them. */
export interface GuessLimits {
  /** Counts before the password is checked, so that parallel attempts cannot pass. @throws {AppError} `rate_limited` */
  count(address: string, name: string): void;
  /** The password was right: the attempt does not count, and this address is known for this name from now on. */
  forgive(address: string, name: string): void;
}

const windowMs = 15 * 60_000;
const maxByAddress = 20;
/** Of all addresses together. An address from which this name has signed in is not held up by what others try. */
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
