import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../settings/config.ts';
import { HttpRefusal } from '../problem.ts';

const windowSeconds = 60;
/** Requests with a wrong token per minute and address: enough to answer a client with an old token, while guessing takes forever. */
const failedAuthPerMinute = 20;

/** Maximum request body, unless the operation sets its own limit. */
export const standardBodyBytes = 64 * 1024;

/**
 * Maximum bytes of request bodies in memory at once, for all accounts and for one account. One account may hold two of
 * the largest messages. If three accounts use all they may, a machine with 1 GB still has enough memory.
 */
export const bodyBytes = { maxBytes: 96 * 2 ** 20, maxOwnerBytes: 40 * 2 ** 20 };

/** The values of the two RateLimit header fields of the IETF draft. */
export interface LimitState {
  /** `RateLimit`. */
  state: string;
  /** `RateLimit-Policy`. */
  policy: string;
}

export type Limits = ReturnType<typeof createLimits>;

/**
 * Rounds up to whole seconds, from 1 to the window: the limiter uses the wall clock, which may have been set back
 * since.
 */
function seconds(ms: number): number {
  return Math.min(windowSeconds, Math.max(1, Math.ceil(ms / 1_000)));
}

type CountedRequests = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;

function describe(name: string, quota: number, result: CountedRequests): LimitState {
  return {
    policy: `"${name}";q=${quota};w=${windowSeconds}`,
    state: `"${name}";r=${Math.max(0, result.remainingPoints)};t=${seconds(result.msBeforeNext)}`,
  };
}

function tooMany(name: string, quota: number, result: CountedRequests, detail: string): HttpRefusal {
  const { policy, state } = describe(name, quota, result);
  const wait = seconds(result.msBeforeNext);
  return new HttpRefusal('rate_limited', `${detail} Try again in ${wait} s.`, {
    headers: { 'Retry-After': String(wait), RateLimit: state, 'RateLimit-Policy': policy },
  });
}

/** @param name no other limit has it: nodes that share a counter find it by its name */
export type MakeLimiter = (limit: { name: string; points: number; duration: number }) => RateLimiterAbstract;

/** Counts in the memory of this process; a restart resets it. */
export const limitersInMemory: MakeLimiter = ({ name, points, duration }) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration });

export function createLimits(
  config: Pick<Config, 'rateLimitPerMinute'>,
  makeLimiter: MakeLimiter,
  failures = failedAuthPerMinute,
) {
  const { rateLimitPerMinute: requests } = config;
  const limitOf = (name: string, points: number) => makeLimiter({ name, points, duration: windowSeconds });
  const byToken = limitOf('token', requests);
  const byAddress = limitOf('failed-auth', failures);
  // Only counts: each key has another limit.
  const byKey = limitOf('key', 0);

  const countOwn = async (keyId: string, quota: number): Promise<LimitState> => {
    const { consumedPoints, msBeforeNext } = await byKey.penalty(keyId);
    const result = { remainingPoints: quota - consumedPoints, msBeforeNext };
    if (consumedPoints <= quota) return describe('key', quota, result);
    throw tooMany('key', quota, result, 'This key has asked for too much at once.');
  };

  return {
    /**
     * Counts a request against the limit of this token or key.
     * @param own its own limit, per minute, used where it is lower than that of the settings
     * @throws {HttpRefusal} `rate_limited`
     */
    async countRequest(tokenId: string, own: number | null): Promise<LimitState | null> {
      if (own !== null && (requests === 0 || own < requests)) return countOwn(tokenId, own);
      if (requests === 0) return null;
      try {
        return describe('token', requests, await byToken.consume(tokenId));
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw tooMany('token', requests, refused, 'This token has asked for too much at once.');
      }
    },
    /**
     * Called before an unknown token is looked up.
     * @throws {HttpRefusal} `rate_limited` when this address has sent too many invalid tokens
     */
    async checkAddress(address: string): Promise<void> {
      if (failures === 0) return;
      const state = await byAddress.get(address);
      if (state === null || state.consumedPoints < failures || state.msBeforeNext <= 0) return;
      throw tooMany('failed-auth', failures, state, 'Too many wrong tokens came from this address.');
    },
    async countFailure(address: string): Promise<void> {
      if (failures > 0) await byAddress.penalty(address);
    },
  };
}
