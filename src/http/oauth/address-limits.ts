import { RateLimiterRes } from 'rate-limiter-flexible';
import type { MakeLimiter } from '../incoming/limits.ts';
import { HttpRefusal } from '../problem.ts';

/** Requests of one address in one minute, by what they ask for. All of them come from people who are not signed in. */
const perMinute = { authorize: 60, token: 300, register: 10, document: 20 };

export interface AddressLimits {
  /** @throws {HttpRefusal} `rate_limited` */
  count(what: keyof typeof perMinute, address: string): Promise<void>;
}

export function createAddressLimits(makeLimiter: MakeLimiter): AddressLimits {
  const limiters = Object.fromEntries(
    Object.entries(perMinute).map(([what, points]) => [
      what,
      makeLimiter({ name: `oauth-${what}`, points, duration: 60 }),
    ]),
  );
  return {
    async count(what, address) {
      try {
        await limiters[what]?.consume(address);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const seconds = Math.min(60, Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)));
        throw new HttpRefusal('rate_limited', `Too many requests came from this address. Try again in ${seconds} s.`, {
          headers: { 'Retry-After': String(seconds) },
        });
      }
    },
  };
}
