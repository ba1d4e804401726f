import { AppError } from '../../errors.ts';
import type { AccessService, TokenInfo } from '../access.ts';
import type { AssistantsService, GrantRecord } from './assistants.ts';
import type { SessionRecord, SignInService } from './sign-in.ts';

/* What a person sees of the access to their own library, and may end of it. */

export interface OwnAccess {
  /** The name with which the person signs in; null when nobody signs in here. */
  name: string | null;
  /** Browsers that are signed in. */
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
  if (!isOwn) throw new AppError('not_found', 'There is no such token.');
  await access.revokeToken(id);
}
