import { AppError } from '../errors.ts';
import type { AccessService, TokenCaller } from '../services/access.ts';
import type { HttpContext } from './context.ts';
import type { Limits } from './incoming/limits.ts';
import { HttpRefusal } from './problem.ts';
import type { Turns } from './incoming/turns.ts';
import type { RequestsUnderWay } from './incoming/under-way.ts';

/**
 * Authenticates the caller. Counts the request against the token's limit and stores the caller in the context. REST and
 * MCP both use it.
 * @throws {HttpRefusal} `unauthorized` or `rate_limited`, with the matching headers
 */
export type Authenticate = (context: HttpContext) => Promise<TokenCaller>;

export interface AuthParts {
  access: AccessService;
  limits: Limits;
  underWay: RequestsUnderWay;
  turns: Turns;
  /** The client's address, in the form that the rate limits count. */
  addressOf: (context: HttpContext) => string;
}

/**
 * Maximum number of tokens remembered as valid. They skip the failed-token limit of their address, so that other
 * clients behind the same address cannot lock them out.
 */
const maxKnownTokens = 1_000;

const howTo = 'Send the header Authorization: Bearer <token>. `commonplace token create laptop` makes a token.';

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The value of WWW-Authenticate (RFC 6750). */
function challenge(...parameters: string[]): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer ${['realm="commonplace"', ...parameters].join(', ')}` };
}

/** The WWW-Authenticate header that names the missing scope. */
export function scopeChallenge(scope: string): Record<string, string> {
  return challenge('error="insufficient_scope"', `scope=${quoted(scope)}`);
}

export function createAuthenticate(parts: AuthParts): Authenticate {
  const { access, limits, underWay, turns, addressOf } = parts;
  const known = new Set<string>();
  // Created once and reused: capturing a stack trace each time costs more than the rest of the response.
  let missing: HttpRefusal | undefined;

  return async (context) => {
    // Wait first: looking up the tokens of hundreds of requests in one turn of the event loop takes a quarter of a
    // second.
    await turns.next();
    const header = context.req.raw.headers.get('authorization') ?? '';
    const [, token] = /^Bearer +([^\s]+)\s*$/i.exec(header) ?? [];
    if (token === undefined && !/^Bearer\b/i.test(header)) {
      missing ??= new HttpRefusal('unauthorized', `This needs a token. ${howTo}`, { headers: challenge() });
      throw missing;
    }
    const shown = token ?? '';
    if (!known.has(shown)) await limits.checkAddress(addressOf(context));
    let caller: TokenCaller;
    try {
      caller = await access.authenticate(shown);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
      known.delete(shown);
      await limits.countFailure(addressOf(context));
      throw new HttpRefusal('unauthorized', error.message, {
        headers: challenge('error="invalid_token"', `error_description=${quoted(error.message)}`),
      });
    }
    if (!known.has(shown)) {
      if (known.size >= maxKnownTokens) known.clear();
      known.add(shown);
    }
    context.set('caller', caller);
    const limit = await limits.countRequest(caller.tokenId);
    if (limit !== null) context.set('rateLimit', limit);
    underWay.begin(context);
    return caller;
  };
}
