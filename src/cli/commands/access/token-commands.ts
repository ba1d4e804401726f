import { type Command, InvalidArgumentError } from 'commander';
import { localAccountId, scopes as allScopes, type Scope } from '../../../domain/records/account.ts';
import { shownTime } from '../../../operations/answers/printed.ts';
import type { TokenInfo } from '../../../services/access.ts';
import type { CommandContext, RunCommand } from '../../context.ts';
import { parseLifetime, parseName } from './access-flags.ts';

function parseScopes(text: string): Scope[] {
  const named = text.split(',').map((part) => part.trim());
  const unknown = named.filter((name) => !(allScopes as readonly string[]).includes(name));
  if (unknown.length > 0) throw new InvalidArgumentError(`The scopes are ${allScopes.join(', ')}.`);
  return named as Scope[];
}

/** `token …`: the tokens of clients that connect over HTTP. */
export function addTokenCommands(token: Command, run: RunCommand): void {
  token
    .command('create')
    .description('Make a token; it is shown once')
    .argument('[name]', 'what it is for', parseName, 'token')
    .option('--account <id>', 'whose it is', localAccountId)
    .option('--scopes <scopes>', 'what it may do, separated by commas (default: everything)', parseScopes)
    .option('--expires <time>', 'when it ends: 12h, 90d, 1y (default: never)', parseLifetime)
    .action((name: string, options: TokenFlags) => run((context) => createToken(context, name, options)));
  token
    .command('list')
    .description('List tokens, without the tokens themselves')
    .option('--account <id>', 'whose (default: those of every account)')
    .action(({ account }: { account?: string }) => run((context) => listTokens(context, account)));
  token
    .command('revoke')
    .description('End a token at once')
    .argument('<id>', 'as `token list` shows it: t_…')
    .action((id: string) => run((context) => revokeToken(context, id)));
}

interface TokenFlags {
  account: string;
  scopes?: Scope[];
  expires?: number;
}

async function createToken(context: CommandContext, name: string, flags: TokenFlags): Promise<void> {
  const { access } = await context.open();
  const { plan } = await access.getAccount(flags.account);
  const created = await access.createToken({
    account: flags.account,
    name,
    scopes: flags.scopes ?? allScopes,
    lifetimeMs: flags.expires,
  });
  // Print only the token, so that scripts can use the output as it is.
  context.print(created, () => created.token);
  context.tell(`Keep it now: it is not shown again. \`commonplace token revoke ${created.id}\` ends it.`);
  if (plan !== 'pro') {
    context.tell(
      `It lets nobody in yet: the account is not Pro. \`commonplace account set-plan ${flags.account} pro\` changes that.`,
    );
  }
}

function renderToken(token: TokenInfo): string {
  const state =
    token.revokedAt !== null
      ? `revoked ${shownTime(token.revokedAt)}`
      : token.expiresAt === null
        ? 'never expires'
        : `expires ${shownTime(token.expiresAt)}`;
  const what = token.scopes.length === allScopes.length ? 'may do everything' : token.scopes.join(' ');
  return `${token.id}  ${token.name}  ${token.account}\n    ${what} · ${state} · ${token.lastUsedAt === null ? 'never used' : `last used ${shownTime(token.lastUsedAt)}`}`;
}

async function listTokens(context: CommandContext, account: string | undefined): Promise<void> {
  const items = await (await context.open()).access.listTokens(account);
  context.print({ items, total: items.length }, () =>
    items.length === 0 ? 'No tokens yet. Make one: commonplace token create laptop' : items.map(renderToken).join('\n'),
  );
}

async function revokeToken(context: CommandContext, id: string): Promise<void> {
  await (await context.open()).access.revokeToken(id);
  context.print({ revoked: id }, () => `Revoked ${id}. Nobody comes in with it any more.`);
}
