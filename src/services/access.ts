import { timingSafeEqual } from 'node:crypto';
import { scopes as allScopes, type Account, type Caller, type Plan, type Scope } from '../domain/records/account.ts';
import { isoTime, type Clock } from '../domain/clock.ts';
import { isAccessToken, recordKey } from '../domain/access/oauth.ts';
import { cleanLoginName, foldedLoginName } from '../domain/access/sign-in.ts';
import type { HeldTo } from '../domain/access/held.ts';
import { heldAccount } from '../domain/access/account-names.ts';
import { permissionsOfHeld, permissionsOfScopes, type Permission } from '../domain/access/permission.ts';
import { hashToken, isLastUseOld, isWellFormedToken, lastUseToNote, newToken } from '../domain/access/token.ts';
import { AppError, invalidInput, noSuchAccount, notFound } from '../errors.ts';
import { isWebToken, type OutsideTokens } from './sign-in/outside-tokens.ts';
import type { Stores } from '../store/store.ts';
import type { TokenCredential, TokenRecord } from '../store/records/control-records.ts';

export interface TokenCaller extends Caller {
  /** The id of the token, or of an assistant's grant. */
  tokenId: string;
}

/** A token's record, without the token itself, which cannot be shown again. */
export interface TokenInfo {
  id: string;
  account: string;
  name: string;
  scopes: Scope[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The lists and tags that it is restricted to; null: it reads and changes everything. */
  heldTo: HeldTo | null;
}

interface TokenRequest {
  account: string;
  name: string;
  scopes: readonly Scope[];
  /** Absent: it never expires. */
  lifetimeMs?: number | undefined;
  /** Absent: it is not restricted. */
  heldTo?: HeldTo | undefined;
}

export type AccessService = ReturnType<typeof createAccessService>;

const notPro =
  'Access is for Pro accounts, and the account of this token is not one. `commonplace account set-plan` changes that.';

function describe(token: TokenRecord): TokenInfo {
  const time = (ms: number | null) => (ms === null ? null : isoTime(ms));
  return {
    id: token.id,
    account: token.accountId,
    name: token.name,
    scopes: token.scopes,
    createdAt: isoTime(token.createdAt),
    expiresAt: time(token.expiresAt),
    lastUsedAt: time(token.lastUsedAt),
    revokedAt: time(token.revokedAt),
    heldTo: token.heldTo,
  };
}

/** Between two writes of the last use of a key. */
const minNoteMs = 60_000;
const maxNoted = 1_000;

export function permissionsOf({ permissions, scopes, heldTo }: TokenRecord): Set<Permission> {
  const given = permissions === null ? permissionsOfScopes(scopes) : new Set(permissions);
  return heldTo === null ? given : permissionsOfHeld(given);
}

/** A replaced secret cannot create keys: a thief of the secret would keep them. */
function withoutKeys(some: ReadonlySet<Permission>): Set<Permission> {
  return new Set([...some].filter((one) => !one.startsWith('keys:')));
}

/** Which of its secrets was shown; null: none. */
function secretOf({ hash, oldHash }: TokenCredential, shown: Uint8Array): 'present' | 'old' | null {
  if (timingSafeEqual(hash, shown)) return 'present';
  return oldHash !== null && timingSafeEqual(oldHash, shown) ? 'old' : null;
}

/** @throws {AppError} `unauthorized` */
function refuseEnded({ permissions, revokedAt, expiresAt }: TokenRecord, now: number): void {
  const [what, command] =
    permissions === null
      ? ['token', 'commonplace token create laptop']
      : ['key', 'commonplace token create --permissions content:read'];
  if (revokedAt !== null) throw refused(`This ${what} was revoked. \`${command}\` makes a new one.`);
  if (expiresAt !== null && expiresAt <= now)
    throw refused(`This ${what} has expired. \`${command}\` makes a new one.`);
}

/** @throws {AppError} `invalid_input` for a list that never holds anything */
export async function refuseEmptyLists(stores: Stores, account: string, held: HeldTo | undefined): Promise<void> {
  if (held === undefined || held.lists.length === 0) return;
  const [name] = await (await stores.open(account)).listEmptyHeldLists(held);
  if (name !== undefined)
    throw invalidInput(
      `A token or key that is restricted to the list "${name}" would see nothing: its query has words, or names a list that is gone. Take a list by hand, or one whose query has operators alone, such as tag:health.`,
    );
}

function refused(why: string): AppError {
  return new AppError('unauthorized', why);
}

/**
 * @param onTrouble called when the last use of a token could not be written; the token is accepted all the same
 * @param outside checks tokens of an authorization server elsewhere; null without one
 */
export function createAccessService(
  stores: Stores,
  clock: Clock,
  onTrouble: (error: unknown) => void,
  outside: OutsideTokens | null,
) {
  const { control } = stores;

  const existing = async (id: string): Promise<Account> => {
    const account = await control.getAccount(id);
    if (account === null) throw noSuchAccount();
    return account;
  };

  /** For a token that an assistant got by signing in. */
  const authenticateAssistant = async (token: string): Promise<TokenCaller> => {
    const found = await control.oauth.findAccess(recordKey('AccessToken', token));
    if (found === null) throw refused('This access has ended or expired. Sign in again.');
    const { grant, scopes, plan } = found;
    if (plan !== 'pro') throw refused(notPro);
    if (isLastUseOld(grant.lastUsedAt, clock.now())) control.oauth.touchGrant(grant.id).catch(onTrouble);
    return {
      tokenId: grant.id,
      accountId: grant.accountId,
      name: grant.name,
      permissions: permissionsOfScopes(scopes),
    };
  };

  /** For a token of an authorization server elsewhere. */
  const authenticateOutside = async (token: string, { read }: OutsideTokens): Promise<TokenCaller> => {
    const { name, scopes, client } = await read(token);
    const login = await control.signIn.findLogin(foldedLoginName(cleanLoginName(name)));
    // The names must match in case, too: the other server may have two people whose names differ only in case. An account
    // with a password chose its name here, so the name says nothing about the other server.
    if (login === null || login.name !== name || login.passwordHash !== null) {
      throw refused(
        'The authorization server knows you, but no library here belongs to your name. Whoever runs this server can change that: `commonplace account identity`.',
      );
    }
    if (login.plan !== 'pro') throw refused(notPro);
    return {
      tokenId: `${login.accountId} ${client.slice(0, 200)}`,
      accountId: login.accountId,
      name: client.slice(0, 200),
      permissions: permissionsOfScopes(scopes),
    };
  };

  /** When the last use of each key was last written, on the monotonic clock: two networks in turn make no write each. */
  const noted = new Map<string, number>();
  const noteUse = (token: TokenRecord, network: string | null): void => {
    if (lastUseToNote(token, network, clock.now()) === null) return;
    const since = clock.elapsed() - (noted.get(token.id) ?? Number.NEGATIVE_INFINITY);
    if (token.permissions !== null && since < minNoteMs) return;
    if (noted.size >= maxNoted) noted.clear();
    noted.set(token.id, clock.elapsed());
    // Not awaited: another process may be writing, and the caller does not need the result.
    control.tokens.touchToken(token.id, network).catch(onTrouble);
  };

  return {
    /**
     * Finds the caller to whom this token or key belongs.
     * @param network a part of the address that it came from, which is noted
     * @throws {AppError} `unauthorized`, saying why
     */
    async authenticate(token: string, network: string | null = null): Promise<TokenCaller> {
      if (outside !== null && isWebToken(token)) return authenticateOutside(token, outside);
      if (isAccessToken(token)) return authenticateAssistant(token);
      if (!isWellFormedToken(token)) {
        throw refused(
          'This is not a token of Commonplace, or it was not copied whole. `commonplace token create laptop` makes one.',
        );
      }
      // Found by its hash, so the time that it takes does not reveal how much of a guess was right.
      const shown = hashToken(token);
      const found = await control.tokens.findCredential(shown);
      const secret = found === null ? null : secretOf(found, shown);
      if (found === null || secret === null)
        throw refused('There is no such token. `commonplace token create laptop` makes one.');
      const now = clock.now();
      const { token: record, plan } = found;
      const isKey = record.permissions !== null;
      refuseEnded(record, now);
      if (secret === 'old' && (record.oldUntil ?? 0) <= now)
        throw refused(`This ${isKey ? 'key' : 'token'} was rotated more than an hour ago. Use the new one.`);
      if (plan !== 'pro') {
        throw refused(notPro);
      }
      noteUse(record, network);
      const { id, accountId, name, expiresAt, oldUntil, requestsPerMinute, heldTo } = record;
      const ends = [expiresAt, secret === 'old' ? oldUntil : null].filter((at) => at !== null);
      return {
        tokenId: id,
        accountId: heldAccount(accountId, heldTo),
        name,
        permissions: secret === 'old' ? withoutKeys(permissionsOf(record)) : permissionsOf(record),
        credential: { id, isKey, endsAt: ends.length === 0 ? null : Math.min(...ends), requestsPerMinute },
      };
    },
    /** Only this answer contains the token itself. */
    async createToken({
      account,
      name,
      scopes,
      lifetimeMs,
      heldTo,
    }: TokenRequest): Promise<TokenInfo & { token: string }> {
      await existing(account);
      await refuseEmptyLists(stores, account, heldTo);
      const token = newToken();
      const record = await control.tokens.createToken({
        accountId: account,
        name,
        hash: hashToken(token),
        scopes: allScopes.filter((scope) => scopes.includes(scope)),
        permissions: null,
        requestsPerMinute: null,
        expiresAt: lifetimeMs === undefined ? null : clock.now() + lifetimeMs,
        madeBy: null,
        heldTo: heldTo ?? null,
      });
      return { ...describe(record), token };
    },
    /** Tokens, without keys. Newest first; those of all accounts by default. */
    async listTokens(account?: string): Promise<TokenInfo[]> {
      if (account !== undefined) await existing(account);
      const tokens = await control.tokens.listTokens(account);
      return tokens.filter(({ permissions }) => permissions === null).map(describe);
    },
    /** Of any account. @throws {AppError} `not_found` when there is none, or it was already revoked */
    async revokeToken(id: string): Promise<void> {
      if (await control.tokens.revokeToken(id)) return;
      throw notFound('There is no token with this id that could be revoked. `commonplace token list` shows them.');
    },
    addAccount: (name: string, plan: Plan): Promise<Account> => control.createAccount({ name, plan }),
    listAccounts: (): Promise<Account[]> => control.listAccounts(),
    getAccount: existing,
    findAccount: (id: string): Promise<Account | null> => control.getAccount(id),
    async setPlan(id: string, plan: Plan): Promise<Account> {
      await existing(id);
      await control.setPlan(id, plan);
      return existing(id);
    },
    /** It can be restored for 30 days, unless it is removed `now`. `now` also works for one that was removed before. */
    async removeAccount(id: string, { now }: { now: boolean } = { now: false }): Promise<void> {
      const isAside = now && (await stores.listSetAside()).some((account) => account.id === id);
      if (!isAside) await existing(id);
      await (now ? stores.removeAccount(id) : stores.setAsideAccount(id));
    },
    /** @throws {AppError} `not_found` when no account with this id can be restored */
    async restoreAccount(id: string): Promise<Account> {
      const account = await stores.bringBackAccount(id);
      if (account === null)
        throw notFound(
          'There is no removed account with this id that could be restored. `commonplace account list` shows them, for 30 days.',
        );
      // It may have items that wait to be processed.
      await control.announceWork(id);
      return account;
    },
    /** Removed accounts that can be restored. */
    listRemovedAccounts: (): Promise<(Account & { removedAt: string })[]> => stores.listSetAside(),
    /** Purges accounts whose restoration period is over. */
    removeExpiredAccounts: (): Promise<void> => stores.removeExpiredAccounts(),
    /** Whole copies of the data folder within it, which may hold a removed account. */
    copiesPutAside: (): string[] => stores.copiesPutAside(),
    /** Gives a library file to an account: in place of a missing library, or as a new account. */
    async adoptLibrary(path: string, account: { name: string; plan: Plan }): Promise<Account> {
      const adopted = await stores.adoptLibrary(path, account);
      // Its library may have items that wait to be processed.
      await control.announceWork(adopted.id);
      return adopted;
    },
    /** Lets an account whose library is missing begin again with an empty one. */
    async startEmpty(id: string): Promise<Account> {
      const account = await existing(id);
      await stores.startEmpty(id);
      return account;
    },
  };
}
