import type { Clock } from '../../domain/clock.ts';
import { cleanLine } from '../../domain/text/clean-text.ts';
import { localAccountId, type Plan } from '../../domain/records/account.ts';
import {
  cleanLoginName,
  foldedLoginName,
  hashSecret,
  isSecret,
  linkLifetimesMs,
  type LinkPurpose,
  newSecret,
  passwordProblem,
  sessionIdleMs,
  sessionMaxMs,
  sessionSecretMs,
} from '../../domain/access/sign-in.ts';
import { AppError, invalidInput, notFound } from '../../errors.ts';
import type {
  GrantRecord,
  LinkRecord,
  LoginRecord,
  OAuthRecord,
  SessionRecord,
} from '../../store/records/control-records.ts';
import type { Stores } from '../../store/store.ts';
import { createGuessLimits, type Passwords } from './passwords.ts';
import type { AccessService, TokenInfo } from '../access.ts';

export type { LinkRecord, SessionRecord };

export interface Person {
  accountId: string;
  accountName: string;
  plan: Plan;
  sessionId: string;
}

export interface Visit {
  /** The client's address, as limits count it. */
  address: string;
  browser: string;
}

/** The secret goes to the browser, which shows it with every request. */
export interface NewSession {
  secret: string;
  person: Person;
}

export type SignInService = ReturnType<typeof createSignInService>;

const lastUseStepMs = 60_000;
const wrong = 'The name or the password is not right.';

function personOf(session: Pick<SessionRecord, 'accountId' | 'accountName' | 'plan'>, sessionId: string): Person {
  const { accountId, accountName, plan } = session;
  return { accountId, accountName, plan, sessionId };
}

function usedUp(): AppError {
  return notFound(
    'This link has been used, has expired, or was not copied whole. Ask whoever runs this server for a new one.',
  );
}

function nameTaken(): AppError {
  return invalidInput('Somebody else on this server has this name. Choose another.');
}

function usableName(text: string): string {
  const name = cleanLoginName(text);
  if (name === '') throw invalidInput('Choose a name of 1 to 100 characters.');
  return name;
}

/** @param onTrouble called when the last use of a session could not be written; the session is valid all the same */
export function createSignInService(
  stores: Stores,
  clock: Clock,
  passwords: Passwords,
  onTrouble: (error: unknown) => void,
) {
  const records = stores.control.signIn;
  const guesses = createGuessLimits(clock);

  const begin = async (accountId: string, { browser }: Visit): Promise<NewSession> => {
    const secret = newSecret();
    const session = await records.createSession({
      accountId,
      hash: hashSecret(secret),
      browser: cleanLine(browser.slice(0, 200)),
      expiresAt: clock.now() + sessionIdleMs,
    });
    return { secret, person: personOf(session, session.id) };
  };

  const findLink = async (code: string): Promise<LinkRecord> => {
    const link = isSecret(code) ? await records.findLink(hashSecret(code)) : null;
    if (link === null) throw usedUp();
    return link;
  };

  const createLink = async (accountId: string, purpose: LinkPurpose): Promise<string> => {
    const code = newSecret();
    const expiresAt = clock.now() + linkLifetimesMs[purpose];
    await records.createLink({ accountId, purpose, hash: hashSecret(code), expiresAt });
    return code;
  };

  const verify = async (login: LoginRecord | null, password: string, visit: Visit, folded: string): Promise<void> => {
    guesses.count(visit.address, folded);
    const isRight = await passwords.verify(password.slice(0, 1_000), login?.passwordHash ?? null);
    if (!isRight) throw new AppError('unauthorized', wrong);
    guesses.forgive(visit.address, folded);
  };

  return {
    /** @throws {AppError} `unauthorized`, without saying whether name or password was wrong; `rate_limited` */
    async signIn(name: string, password: string, visit: Visit): Promise<NewSession> {
      const folded = foldedLoginName(cleanLoginName(name));
      const login = await records.findLogin(folded);
      await verify(login, password, visit, folded);
      if (login === null) throw new AppError('unauthorized', wrong);
      return begin(login.accountId, visit);
    },

    /** Null without a session. `newSecret` replaces a secret that is a day old. */
    async findSession(secret: string): Promise<{ person: Person; newSecret: string | null } | null> {
      if (!isSecret(secret)) return null;
      const oldHash = hashSecret(secret);
      const session = await records.findSession(oldHash);
      const now = clock.now();
      if (session === null || session.createdAt + sessionMaxMs <= now) return null;
      if (Math.abs(now - session.lastUsedAt) >= lastUseStepMs) {
        const expiresAt = Math.min(now + sessionIdleMs, session.createdAt + sessionMaxMs);
        records.touchSession(session.id, expiresAt).catch(onTrouble);
      }
      const person = personOf(session, session.id);
      if (now - session.secretSince < sessionSecretMs) return { person, newSecret: null };
      const next = newSecret();
      const isRenewed = await records.renewSession(session.id, oldHash, hashSecret(next));
      return { person, newSecret: isRenewed ? next : null };
    },

    /** The person of a name that a trusted proxy has signed in; null when the name is not known here. */
    async findByIdentity(name: string): Promise<Person | null> {
      const login = await records.findLogin(foldedLoginName(cleanLoginName(name)));
      return login === null || cleanLoginName(name) === '' ? null : personOf(login, `proxy ${login.accountId}`);
    },

    listSessions: (accountId: string): Promise<SessionRecord[]> => records.listSessions(accountId),

    async endSession(accountId: string, id: string): Promise<void> {
      await records.endSession(accountId, id);
    },

    /** @throws {AppError} `unauthorized` when the present password is wrong; `invalid_input`; `rate_limited` */
    async changePassword({ accountId, sessionId }: Person, present: string, next: string, visit: Visit): Promise<void> {
      const login = await records.findLoginOf(accountId);
      const name = login?.name ?? '';
      const problem = passwordProblem(next, name);
      if (problem !== null) throw invalidInput(problem);
      await verify(login, present, visit, foldedLoginName(name));
      await records.setPassword(accountId, await passwords.hash(next), sessionId);
    },

    /** The code of a new link. */
    createLink,

    /** The code of a link by which the first person becomes the owner; null when somebody can sign in already. */
    async createOwnerLink(): Promise<string | null> {
      return (await records.hasLogins()) ? null : createLink(localAccountId, 'owner');
    },

    /** @throws {AppError} `not_found` when the link is used up or has expired */
    findLink,

    /** Sets name and password, except for a link with the purpose `open`, and signs in. @throws {AppError} `not_found`, `invalid_input` */
    async useLink(code: string, chosen: { name: string; password: string } | null, visit: Visit): Promise<NewSession> {
      const link = await findLink(code);
      const hash = hashSecret(code);
      if (link.purpose === 'open') {
        if (!(await records.takeLink(hash))) throw usedUp();
        return begin(link.accountId, visit);
      }
      const name = usableName(chosen?.name ?? '');
      const password = chosen?.password ?? '';
      const problem = passwordProblem(password, name);
      if (problem !== null) throw invalidInput(problem);
      const login = { name, folded: foldedLoginName(name), passwordHash: await passwords.hash(password) };
      const outcome = await records.setLoginByLink(hash, login);
      if (outcome === 'used') throw usedUp();
      if (outcome === 'taken') throw nameTaken();
      return begin(link.accountId, visit);
    },

    /** Uses a link up for somebody whom a trusted proxy has signed in under this name. */
    async useLinkAs(code: string, identity: string): Promise<void> {
      await findLink(code);
      const name = usableName(identity);
      const login = { name, folded: foldedLoginName(name), passwordHash: null };
      const outcome = await records.setLoginByLink(hashSecret(code), login);
      if (outcome === 'used') throw usedUp();
      if (outcome === 'taken') throw nameTaken();
    },

    /** Names the person as a proxy or authorization server does, in place of name and password. @throws {AppError} `not_found`, `invalid_input` */
    async setIdentity(accountId: string, identity: string): Promise<string> {
      const name = usableName(identity);
      const login = { name, folded: foldedLoginName(name), passwordHash: null };
      if (!(await records.setLogin(accountId, login))) throw nameTaken();
      return name;
    },

    /** A random secret of this server, the same at each call with its name. */
    serverSecret: (name: string): Promise<string> => records.serverSecret(name),

    /** The last second of the open invitation of each account that has one. */
    openInvitations: async (): Promise<Map<string, number>> =>
      new Map(
        (await records.listLinks())
          .filter(({ purpose }) => purpose === 'invitation' || purpose === 'owner')
          .map(({ accountId, expiresAt }) => [accountId, expiresAt]),
      ),

    /** The sign-in name of an account's person; null without one. */
    findName: async (accountId: string): Promise<string | null> => (await records.findLoginOf(accountId))?.name ?? null,
  };
}

export type { GrantRecord, OAuthRecord };
export type OAuthRecords = Stores['control']['oauth'];

export type AssistantsService = ReturnType<typeof createAssistantsService>;

/** The assistants that people have let in. */
export function createAssistantsService({ control }: Pick<Stores, 'control'>) {
  return {
    list: (accountId: string) => control.oauth.listGrants(accountId),
    /** Ends what an assistant may do, from the next request on. @throws {AppError} `not_found` */
    async cutOff(accountId: string, id: string): Promise<void> {
      if (!(await control.oauth.endGrant(accountId, id))) throw notFound('This assistant is not connected any more.');
    },
    /** Where the authorization server keeps its records. */
    records: control.oauth,
  };
}

/* Access to a person's own library, as they can list and revoke it. */

export interface OwnAccess {
  /** The person's sign-in name; null while sign-in is off. */
  name: string | null;
  sessions: SessionRecord[];
  /** Tokens that were not revoked, newest first. */
  tokens: TokenInfo[];
  assistants: GrantRecord[];
}

export interface AccessParts {
  access: AccessService;
  signIn: SignInService;
  assistants: AssistantsService;
}

export async function readOwnAccess(parts: AccessParts, accountId: string): Promise<OwnAccess> {
  const { access, signIn, assistants } = parts;
  const [name, sessions, tokens, connected] = await Promise.all([
    signIn.findName(accountId),
    signIn.listSessions(accountId),
    access.listTokens(accountId),
    assistants.list(accountId),
  ]);
  return { name, sessions, tokens: tokens.filter(({ revokedAt }) => revokedAt === null), assistants: connected };
}

/** @throws {AppError} `not_found` for a token of another account, as for one that does not exist */
export async function endOwnToken(access: AccessService, accountId: string, id: string): Promise<void> {
  const isOwn = (await access.listTokens(accountId)).some((token) => token.id === id);
  if (!isOwn) throw notFound('There is no such token.');
  await access.revokeToken(id);
}
