import { AppError } from '../errors.ts';
import type { AccessService, TokenCaller } from '../services/access.ts';
import type { HttpContext } from './context.ts';
import type { Limits } from './incoming/limits.ts';
import { HttpRefusal } from './problem.ts';
import type { Turns } from './incoming/turns.ts';
import type { RequestsUnderWay } from './incoming/under-way.ts';

/**
 * Who is calling. Counts the request against the token's limit and remembers the caller in the context; every way in
 * (REST, MCP) goes through it.
 * @throws {HttpRefusal} `unauthorized` or `rate_limited`, with the headers that belong to it
 */
export type Authenticate = (context: HttpContext) => Promise<TokenCaller>;

export interface AuthParts {
  access: AccessService;
  limits: Limits;
  underWay: RequestsUnderWay;
  turns: Turns;
  /** The client's address as the limits count it. */
  addressOf: (context: HttpContext) => string;
}

/** Tokens seen to be good, so that the failures of others behind the same address do not lock their owners out. */
const maxKnownTokens = 1_000;

const howTo = 'Send the header Authorization: Bearer <token>. `commonplace token create laptop` makes a token.';

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The value of WWW-Authenticate (RFC 6750). */
function challenge(...parameters: string[]): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer ${['realm="commonplace"', ...parameters].join(', ')}` };
}

/** The header that tells a client which scope it lacks. */
export function scopeChallenge(scope: string): Record<string, string> {
  return challenge('error="insufficient_scope"', `scope=${quoted(scope)}`);
}

export function createAuthenticate(parts: AuthParts): Authenticate {
  const { access, limits, underWay, turns, addressOf } = parts;
  const known = new Set<string>();
  // Made once: noting where each of them was made would cost more than all the rest of the answer.
  let missing: HttpRefusal | undefined;

  return async (context) => {
    // Before anything is done for it: to look a token up for hundreds of requests in one turn takes a quarter of a second.
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
