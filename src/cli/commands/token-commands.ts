import { type Command, InvalidArgumentError } from 'commander';
import {
  type Caller,
  localAccountId,
  localCaller,
  type Scope,
  scopes as allScopes,
} from '../../domain/records/account.ts';
import { shownTime } from '../../operations/answers/printed.ts';
import type { TokenInfo } from '../../services/access.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { addAccountCommands, parseLifetime, parseName } from './account-commands.ts';
import { type Key, requestsPerMinute } from '../../domain/access/key.ts';
import { inOrder, permission, type Permission, permissions as allPermissions } from '../../domain/access/permission.ts';

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

/** `account …` and `token …`: who may use the HTTP server. */
export function addAccessCommands(program: Command, run: RunCommand): void {
  addAccountCommands(program.command('account').description('Manage the accounts of this data folder'), run);
  addTokenCommands(program.command('token').description('Manage the tokens with which clients come in over HTTP'), run);
}

function parsePermissions(text: string): Permission[] {
  const named = text.split(',').map((part) => permission.safeParse(part.trim()));
  if (named.some(({ success }) => !success))
    throw new InvalidArgumentError(`The permissions are ${allPermissions.join(', ')}.`);
  return inOrder(named.flatMap(({ data }) => data ?? []));
}

function parseLimit(text: string): number {
  const limit = requestsPerMinute.safeParse(Number(text));
  if (!limit.success) throw new InvalidArgumentError('It must be a number of requests a minute, such as 60.');
  return limit.data;
}

/** `key …`: tokens with permissions of their own, as /api/v1/keys has them. */
export function addKeyCommands(program: Command, run: RunCommand): void {
  const key = program.command('key').description('Manage keys: tokens with permissions of their own');
  key
    .command('create')
    .description('Make a key; its secret is shown once')
    .argument('[name]', 'what it is for', parseName, 'key')
    .requiredOption(
      '--permissions <permissions>',
      'what it may do, separated by commas: content:read,search:read',
      parsePermissions,
    )
    .option('--account <id>', 'whose it is', localAccountId)
    .option('--expires <time>', 'when it ends: 12h, 90d, 1y (default: never)', parseLifetime)
    .option(
      '--limit <requests>',
      'how many requests it may make a minute (default: the limit of the server)',
      parseLimit,
    )
    .action((name: string, flags: KeyFlags) => run((context) => createKey(context, name, flags)));
  key
    .command('list')
    .description('List keys and tokens with their permissions, without their secrets')
    .option('--account <id>', 'whose', localAccountId)
    .action(({ account }: { account: string }) => run((context) => listKeys(context, account)));
  key
    .command('rotate')
    .description('Give a key another secret; the one before works for another hour')
    .argument('<id>', 'as `key list` shows it: k_…')
    .action((id: string) => run((context) => rotateKey(context, id)));
  key
    .command('revoke')
    .description('End a key at once, and all keys that it made')
    .argument('<id>', 'as `key list` shows it: k_…')
    .action((id: string) => run((context) => revokeKey(context, id)));
}

interface KeyFlags {
  account: string;
  permissions: Permission[];
  expires?: number;
  limit?: number;
}

/** Who works on this machine may do everything with every account. */
function callerFor(accountId: string): Caller {
  return { ...localCaller(), accountId };
}

async function createKey(context: CommandContext, name: string, flags: KeyFlags): Promise<void> {
  const app = await context.open();
  const { plan } = await app.access.getAccount(flags.account);
  const made = await app.services.keys.create(callerFor(flags.account), {
    name,
    permissions: flags.permissions,
    lifetimeMs: flags.expires,
    requestsPerMinute: flags.limit,
  });
  // Print only the secret, so that scripts can use the output as it is.
  context.print(made, () => made.secret);
  context.tell(`Keep it now: it is not shown again. \`commonplace key revoke ${made.id}\` ends it.`);
  if (plan !== 'pro')
    context.tell(
      `It lets nobody in yet: the account is not Pro. \`commonplace account set-plan ${flags.account} pro\` changes that.`,
    );
}

function renderKey(key: Key): string {
  const state =
    key.revokedAt !== null
      ? `revoked ${shownTime(key.revokedAt)}`
      : key.expiresAt === null
        ? 'never expires'
        : `expires ${shownTime(key.expiresAt)}`;
  const limit = key.requestsPerMinute === null ? [] : [`${key.requestsPerMinute} requests a minute`];
  const use =
    key.lastUsedOn === null
      ? 'never used'
      : `last used ${key.lastUsedOn}${key.lastUsedFrom === null ? '' : ` from ${key.lastUsedFrom}`}`;
  return `${key.id}  ${key.name}\n    ${key.permissions.join(' ')}\n    ${[state, ...limit, use].join(' · ')}`;
}

async function listKeys(context: CommandContext, account: string): Promise<void> {
  const app = await context.open();
  const { id } = await app.access.getAccount(account);
  const { items, total } = await app.services.keys.list(id, { limit: Number.MAX_SAFE_INTEGER, offset: 0 });
  context.print({ items, total }, () =>
    items.length === 0
      ? 'No keys yet. Make one: commonplace key create --permissions content:read,search:read'
      : items.map(renderKey).join('\n'),
  );
}

async function rotateKey(context: CommandContext, id: string): Promise<void> {
  const { keys } = (await context.open()).services;
  const made = await keys.rotate(callerFor(await keys.accountOf(id)), id);
  context.print(made, () => made.secret);
  context.tell(
    `Keep it now: it is not shown again. The one before works until ${made.oldSecretUntil === null ? 'now' : shownTime(made.oldSecretUntil)}.`,
  );
}

async function revokeKey(context: CommandContext, id: string): Promise<void> {
  const { keys } = (await context.open()).services;
  const revoked = await keys.revoke(await keys.accountOf(id), id);
  context.print(revoked, () => `Revoked ${id}. Nobody comes in with it any more.`);
}
