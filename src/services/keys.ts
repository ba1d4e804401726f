import type { Caller } from '../domain/records/account.ts';
import { isoTime, type Clock } from '../domain/clock.ts';
import { oldSecretMs, type Key } from '../domain/access/key.ts';
import type { HeldTo } from '../domain/access/held.ts';
import { accountIdOf, heldToOf, isWithinHeld } from '../domain/access/account-names.ts';
import { inOrder, type Permission } from '../domain/access/permission.ts';
import { hashToken, newToken } from '../domain/access/token.ts';
import { AppError, notFound } from '../errors.ts';
import type { Page, PageRequest } from '../store/records.ts';
import type { Stores } from '../store/store.ts';
import type { TokenRecord } from '../store/records/control-records.ts';
import { permissionsOf, refuseEmptyLists } from './access.ts';

/** A key with its secret, which only the answer to making or rotating it contains. */
export interface KeyWithSecret extends Key {
  secret: string;
}

export interface NewKey {
  name: string;
  permissions: readonly Permission[];
  /** Absent: it never expires, or when its maker does. */
  lifetimeMs?: number | undefined;
  /** Absent: the limit of its maker, or of the server. */
  requestsPerMinute?: number | undefined;
  /** Absent: as its maker. */
  heldTo?: HeldTo | undefined;
}

/** Keys: tokens with individual permissions. Tokens are listed, rotated and revoked like keys. */
export type KeysService = ReturnType<typeof createKeysService>;

function describe(token: TokenRecord): Key {
  const time = (ms: number | null) => (ms === null ? null : isoTime(ms));
  return {
    id: token.id,
    name: token.name,
    permissions: inOrder(permissionsOf(token)),
    requestsPerMinute: token.requestsPerMinute,
    createdAt: isoTime(token.createdAt),
    madeBy: token.madeBy,
    expiresAt: time(token.expiresAt),
    rotatedAt: time(token.rotatedAt),
    oldSecretUntil: time(token.oldUntil),
    lastUsedOn: time(token.lastUsedAt)?.slice(0, 10) ?? null,
    lastUsedFrom: token.lastNetwork,
    revokedAt: time(token.revokedAt),
    heldTo: token.heldTo,
  };
}

function noSuchKey(what = ''): AppError {
  return notFound(`There is no key with this id${what}. The list of keys shows the ids.`);
}

function tooMuch(why: string): AppError {
  return new AppError('insufficient_scope', why);
}

export function createKeysService(stores: Stores, clock: Clock) {
  const { control } = stores;
  const find = async (account: string, id: string): Promise<TokenRecord> => {
    const token = await control.tokens.getToken(id);
    if (token === null || token.accountId !== account) throw noSuchKey();
    return token;
  };

  return {
    /** Newest first. */
    async list(account: string, { limit, offset }: PageRequest): Promise<Page<Key>> {
      const tokens = await control.tokens.listTokens(account);
      return { items: tokens.slice(offset, offset + limit).map(describe), total: tokens.length };
    },
    /** @throws {AppError} `not_found` */
    get: async (account: string, id: string): Promise<Key> => describe(await find(account, id)),
    /** A key may not exceed its creator's permissions, lifetime and limit. @throws {AppError} `insufficient_scope`, `invalid_input` */
    async create(
      maker: Caller,
      { name, permissions, lifetimeMs, requestsPerMinute, heldTo }: NewKey,
    ): Promise<KeyWithSecret> {
      const { credential } = maker;
      const missing = permissions.filter((one) => !maker.permissions.has(one));
      if (missing.length > 0)
        throw tooMuch(`A key may do no more than the one that makes it, which lacks ${inOrder(missing).join(', ')}.`);
      const ownLimit = credential?.requestsPerMinute ?? null;
      if (ownLimit !== null && requestsPerMinute !== undefined && requestsPerMinute > ownLimit)
        throw tooMuch(`A key has no higher limit than the one that makes it: ${ownLimit} requests a minute.`);
      const wanted = lifetimeMs === undefined ? null : clock.now() + lifetimeMs;
      const ownEnd = credential?.endsAt ?? null;
      if (ownEnd !== null && wanted !== null && wanted > ownEnd)
        throw tooMuch(`A key expires no later than the one that makes it: ${isoTime(ownEnd)}.`);
      const makersHeldTo = heldToOf(maker.accountId);
      const held = heldTo ?? makersHeldTo;
      if (!isWithinHeld(held, makersHeldTo))
        throw tooMuch('A key is restricted to no other lists and tags than the one that makes it.');
      await refuseEmptyLists(stores, accountIdOf(maker.accountId), heldTo);
      const secret = newToken();
      const record = await control.tokens.createToken({
        accountId: accountIdOf(maker.accountId),
        name,
        hash: hashToken(secret),
        scopes: [],
        permissions: inOrder(permissions),
        requestsPerMinute: requestsPerMinute ?? ownLimit,
        expiresAt: wanted ?? ownEnd,
        madeBy: credential?.id ?? null,
        heldTo: held,
      });
      return { ...describe(record), secret };
    },
    /**
     * Gives a key another secret. The one before works for an hour.
     * @throws {AppError} `not_found`; `insufficient_scope` for a key that may do less than the one that is rotated
     */
    async rotate(caller: Caller, id: string): Promise<KeyWithSecret> {
      const { credential } = caller;
      const token = await find(accountIdOf(caller.accountId), id);
      if (!isWithinHeld(token.heldTo, heldToOf(caller.accountId))) throw noSuchKey();
      if (credential !== undefined && credential.id !== id) refuseStronger(token, caller);
      const now = clock.now();
      const secret = newToken();
      const record = await control.tokens.rotateToken({
        id,
        hash: hashToken(secret),
        oldUntil: now + oldSecretMs,
        by: credential?.id ?? null,
      });
      if (record === null) throw noSuchKey(' that works');
      return { ...describe(record), secret };
    },
    /** Ends a key and all keys that it made. Revoking again answers the same. @throws {AppError} `not_found` */
    async revoke(account: string, id: string): Promise<Key> {
      const { id: known } = await find(account, id);
      await control.tokens.revokeToken(known);
      return describe(await find(account, id));
    },
    /** The account of a key; for the command line, which knows ids alone. @throws {AppError} `not_found` */
    accountOf: async (id: string): Promise<string> => {
      const token = await control.tokens.getToken(id);
      if (token === null) throw noSuchKey();
      return token.accountId;
    },
  };
}

/** Rotating reveals the new secret, which allows all that the key may do. @throws {AppError} `insufficient_scope` */
function refuseStronger(token: TokenRecord, { permissions, credential }: Caller): void {
  const ownLimit = credential?.requestsPerMinute ?? null;
  const ownEnd = credential?.endsAt ?? null;
  const isStronger =
    [...permissionsOf(token)].some((one) => !permissions.has(one)) ||
    (ownLimit !== null && (token.requestsPerMinute ?? Number.POSITIVE_INFINITY) > ownLimit) ||
    (ownEnd !== null && (token.expiresAt ?? Number.POSITIVE_INFINITY) > ownEnd);
  if (isStronger)
    throw tooMuch(
      'This key may do less than the one that it would rotate. Rotate it on the server: `commonplace token rotate`.',
    );
}
