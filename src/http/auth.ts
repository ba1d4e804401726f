import { accountIdOf } from '../domain/access/account-names.ts';
import { AppError } from '../errors.ts';
import type { AccessService, TokenCaller } from '../services/access.ts';
import type { HttpContext } from './context.ts';
import type { ClientAddress } from './addresses.ts';
import type { Limits } from './incoming/limits.ts';
import { challenge, HttpRefusal, quoted } from './problem.ts';
import type { RequestsUnderWay } from './incoming/requests-under-way.ts';
import { shownSession } from './sign-in/browser.ts';

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
  known: KnownTokens;
  clientOf: (context: HttpContext) => ClientAddress;
}

/** The accounts of tokens, and of the sessions of browsers, that were valid when they were last shown. */
export type KnownTokens = Map<string, string>;

/**
 * Maximum number of tokens and sessions remembered as valid. Tokens skip the failed-token limit of their address, so that
 * other clients behind the same address cannot lock them out. The requests of both take turns by account, not by address.
 */
const maxKnownTokens = 1_000;

const howTo = 'Send the header Authorization: Bearer <token>. `commonplace token create laptop` makes a token.';

/**
 * Lets a known caller in: counts the request against the caller's limit and stores the caller in the context.
 * @param shown the token or session that the caller was found by; null where it is neither
 * @throws {HttpRefusal} `rate_limited`
 */
export type Admit = (context: HttpContext, caller: TokenCaller, shown: string | null) => Promise<void>;

function remember(known: KnownTokens, shown: string, accountId: string): void {
  if (known.has(shown)) return;
  if (known.size >= maxKnownTokens) known.clear();
  known.set(shown, accountId);
}

/** The account of a request, as far as it is known before any lookup. */
export function accountShown(context: HttpContext, known: KnownTokens): string | undefined {
  return known.get(shownToken(context) ?? shownSession(context));
}

export function createAdmit({ limits, underWay, known }: Pick<AuthParts, 'limits' | 'underWay' | 'known'>): Admit {
  return async (context, caller, shown) => {
    if (shown !== null) remember(known, shown, accountIdOf(caller.accountId));
    context.set('caller', caller);
    const limit = await limits.countRequest(caller.tokenId, caller.credential?.requestsPerMinute ?? null);
    if (limit !== null) context.set('rateLimit', limit);
    underWay.begin(context);
  };
}

/** The token of a request; empty for one that is not whole, null without any. */
export function shownToken(context: HttpContext): string | null {
  const header = context.req.raw.headers.get('authorization') ?? '';
  const [, token] = /^Bearer +([^\s]+)\s*$/i.exec(header) ?? [];
  return token ?? (/^Bearer\b/i.test(header) ? '' : null);
}

export function createAuthenticate(parts: AuthParts): Authenticate {
  const { access, limits, known, clientOf } = parts;
  const admit = createAdmit(parts);
  // Created once and reused: capturing a stack trace each time costs more than the rest of the response.
  let missing: HttpRefusal | undefined;

  return async (context) => {
    const shown = shownToken(context);
    if (shown === null) {
      missing ??= new HttpRefusal('unauthorized', `This needs a token. ${howTo}`, { headers: challenge() });
      throw missing;
    }
    const { counted, network } = clientOf(context);
    if (!known.has(shown)) await limits.checkAddress(counted);
    let caller: TokenCaller;
    try {
      caller = await access.authenticate(shown, network);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
      known.delete(shown);
      await limits.countFailure(counted);
      throw new HttpRefusal('unauthorized', error.message, {
        headers: challenge('error="invalid_token"', `error_description=${quoted(error.message)}`),
      });
    }
    context.set('shownToken', { token: shown, check: () => access.authenticate(shown, network) });
    await admit(context, caller, shown);
    return caller;
  };
}
