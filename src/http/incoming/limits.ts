import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.ts';
import { HttpRefusal } from '../problem.ts';

const windowSeconds = 60;

/** The largest body of a request where an operation says nothing else. */
export const standardBodyBytes = 64 * 1024;

/**
 * Bodies that are in memory at once, of all accounts and of one: twice the largest message is one account's share, and
 * three accounts that send all they may leave a machine of 1 GB its memory.
 */
export const bodyBytes = { maxBytes: 96 * 2 ** 20, maxOwnerBytes: 40 * 2 ** 20 };

/** One limit in the form of the IETF's draft on RateLimit header fields: what each of the two headers says. */
export interface LimitState {
  /** `RateLimit`. */
  state: string;
  /** `RateLimit-Policy`. */
  policy: string;
}

export interface Limits {
  /**
   * Counts a request of this token.
   * @throws {HttpRefusal} `rate_limited`
   */
  countRequest(tokenId: string): Promise<LimitState | null>;
  /**
   * Asked before anything is done with a token that was not seen to be good before.
   * @throws {HttpRefusal} `rate_limited` when this address has shown too many wrong ones
   */
  checkAddress(address: string): Promise<void>;
  countFailure(address: string): Promise<void>;
}

/** Never more than the window: the limiter reckons with the time of day, which may have been set back since. */
function seconds(ms: number): number {
  return Math.min(windowSeconds, Math.max(1, Math.ceil(ms / 1_000)));
}

function describe(name: string, quota: number, result: RateLimiterRes): LimitState {
  return {
    policy: `"${name}";q=${quota};w=${windowSeconds}`,
    state: `"${name}";r=${Math.max(0, result.remainingPoints)};t=${seconds(result.msBeforeNext)}`,
  };
}

function tooMany(name: string, quota: number, result: RateLimiterRes, detail: string): HttpRefusal {
  const { policy, state } = describe(name, quota, result);
  const wait = seconds(result.msBeforeNext);
  return new HttpRefusal('rate_limited', `${detail} Try again in ${wait} s.`, {
    headers: { 'Retry-After': String(wait), RateLimit: state, 'RateLimit-Policy': policy },
  });
}

/** Both limits count in the memory of this process; a restart forgets them. */
export function createLimits(config: Pick<Config, 'rateLimitPerMinute' | 'failedAuthPerMinute'>): Limits {
  const { rateLimitPerMinute: requests, failedAuthPerMinute: failures } = config;
  const byToken = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  const byAddress = new RateLimiterMemory({ points: failures, duration: windowSeconds });

  return {
    async countRequest(tokenId) {
      if (requests === 0) return null;
      try {
        return describe('token', requests, await byToken.consume(tokenId));
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw tooMany('token', requests, refused, 'This token has asked for too much at once.');
      }
    },
    async checkAddress(address) {
      if (failures === 0) return;
      const state = await byAddress.get(address);
      if (state === null || state.consumedPoints < failures || state.msBeforeNext <= 0) return;
      throw tooMany('failed-auth', failures, state, 'Too many wrong tokens came from this address.');
    },
    async countFailure(address) {
      if (failures > 0) await byAddress.penalty(address);
    },
  };
}
