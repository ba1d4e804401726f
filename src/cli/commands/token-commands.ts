import { type Command, InvalidArgumentError } from 'commander';
import {
  type Caller,
  localAccountId,
  localCaller,
  type Scope,
  scopes as allScopes,
} from '../../domain/records/account.ts';
import { shownTime } from '../../operations/answers/printed.ts';
import { parseInput } from '../../operations/call.ts';
import { invalidInput } from '../../errors.ts';
import type { TokenInfo } from '../../services/access.ts';
import type { CommandApp, CommandContext, RunCommand } from '../context.ts';
import { withTypedNames } from '../arguments/flags.ts';
import { addAccountCommands, parseLifetime, parseName } from './account-commands.ts';
import { heldTo, heldWords, type HeldTo } from '../../domain/access/held.ts';
import { maxLists } from '../../domain/records/limits.ts';
import { type Key, requestsPerMinute } from '../../domain/access/key.ts';
import { inOrder, permission, type Permission, permissions as allPermissions } from '../../domain/access/permission.ts';

function parseScopes(text: string): Scope[] {
  const named = text.split(',').map((part) => part.trim());
  const unknown = named.filter((name) => !(allScopes as readonly string[]).includes(name));
  if (unknown.length > 0) throw new InvalidArgumentError(`The scopes are ${allScopes.join(', ')}.`);
  return named as Scope[];
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

export function addAccessCommands(program: Command, run: RunCommand): void {
  addAccountCommands(program.command('account').description('Manage the accounts of this data folder'), run);
  const token = program.command('token').description('Manage the tokens and keys with which clients come in over HTTP');
  token
    .command('create')
    .description('Make a token, or with --permissions a key; it is shown once')
    .argument('[name]', 'what it is for', parseName, 'token')
    .option('--account <id>', 'its account', localAccountId)
    .option('--scopes <scopes>', 'what it may do, separated by commas (default: everything)', parseScopes)
    .option('--permissions <permissions>', 'of a key, in place of scopes: content:read,search:read', parsePermissions)
    .option('--expires <time>', 'when it ends: 12h, 90d, 1y (default: never)', parseLifetime)
    .option('--limit <requests>', 'how many requests a key may make a minute (default: as the server says)', parseLimit)
    .option('--tag <tag>', 'hold it to items with this tag; may be repeated', collect, [])
    .option('--list <list>', 'hold it to items in this list, by its name or id; may be repeated', collect, [])
    .action((name: string, options: TokenFlags) => run((context) => createToken(context, name, options)));
  token
    .command('list')
    .description('List tokens and keys, without their secrets')
    .option('--account <id>', 'only those of this account (default: all)')
    .action(({ account }: { account?: string }) => run((context) => listTokens(context, account)));
  token
    .command('rotate')
    .description('Give a token or key another secret; the one before works for another hour')
    .argument('<id>', 'as `token list` shows it')
    .action((id: string) => run((context) => rotate(context, id)));
  token
    .command('revoke')
    .description('End a token or key at once, and all keys that it made')
    .argument('<id>', 'as `token list` shows it')
    .action((id: string) => run((context) => revoke(context, id)));
}

interface TokenFlags {
  account: string;
  scopes?: Scope[];
  permissions?: Permission[];
  expires?: number;
  limit?: number;
  tag: string[];
  list: string[];
}

const collect = (value: string, before: string[]): string[] => [...before, value];

function heldBy(tags: readonly string[], lists: readonly string[]): HeldTo | undefined {
  if (tags.length + lists.length === 0) return undefined;
  try {
    return parseInput(heldTo, 'token create', { tags, lists });
  } catch (error) {
    const names = new Map([
      ['tags', '--tag'],
      ['lists', '--list'],
    ]);
    throw withTypedNames(error, { words: ['token', 'create'], names });
  }
}

/** Who works on this machine may do everything with every account. */
function callerFor(accountId: string): Caller {
  return { ...localCaller(), accountId };
}

async function createToken(context: CommandContext, name: string, flags: TokenFlags): Promise<void> {
  const { account, scopes, permissions, expires: lifetimeMs, limit } = flags;
  if (permissions === undefined ? limit !== undefined : scopes !== undefined)
    throw invalidInput('A key has --permissions and may have a --limit; a token has --scopes.');
  const { access, services } = await context.open();
  const lists = await Promise.all(flags.list.map((named) => services.lists.get(account, named)));
  const held = heldBy(
    flags.tag,
    lists.map(({ id }) => id),
  );
  const { plan } = await access.getAccount(account);
  const created =
    permissions === undefined
      ? await access.createToken({ account, name, scopes: scopes ?? allScopes, lifetimeMs, heldTo: held })
      : await services.keys.create(callerFor(account), {
          name,
          permissions,
          lifetimeMs,
          requestsPerMinute: limit,
          heldTo: held,
        });
  // Print only the secret, so that scripts can use the output as it is.
  context.print(created, () => ('token' in created ? created.token : created.secret));
  context.tell(`Keep it now: it is not shown again. \`commonplace token revoke ${created.id}\` ends it.`);
  if (held !== undefined)
    context.tell(`It is ${heldWords({ tags: held.tags, lists: lists.map(({ name: list }) => list) })}.`);
  if (plan !== 'pro')
    context.tell(
      `It does not work yet: the account is not Pro. \`commonplace account set-plan ${account} pro\` changes that.`,
    );
}

function stateOf({ revokedAt, expiresAt }: Pick<TokenInfo, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt !== null) return `revoked ${shownTime(revokedAt)}`;
  return expiresAt === null ? 'never expires' : `expires ${shownTime(expiresAt)}`;
}

/** A restricted token's permissions end at its lists and tags. */
function renderToken(token: TokenInfo): string {
  const everything = token.heldTo === null ? 'may do everything' : '';
  const what = token.scopes.length === allScopes.length ? everything : token.scopes.join(' ');
  const use = token.lastUsedAt === null ? 'never used' : `last used ${shownTime(token.lastUsedAt)}`;
  return `${token.id}  ${token.name}  ${token.account}\n    ${[what, heldWords(token.heldTo), stateOf(token), use].filter(Boolean).join(' · ')}`;
}

function renderKey(key: Key & { account: string }): string {
  const limit = key.requestsPerMinute === null ? [] : [`${key.requestsPerMinute} requests a minute`];
  const from = key.lastUsedFrom === null ? '' : ` from ${key.lastUsedFrom}`;
  const use = key.lastUsedOn === null ? 'never used' : `last used ${key.lastUsedOn}${from}`;
  return `${key.id}  ${key.name}  ${key.account}\n    ${[key.permissions.join(' '), heldWords(key.heldTo), stateOf(key), ...limit, use].filter(Boolean).join(' · ')}`;
}

async function listTokens(context: CommandContext, account: string | undefined): Promise<void> {
  const { access, services } = await context.open();
  const tokens = await access.listTokens(account);
  const accounts = account === undefined ? await access.listAccounts() : [await access.getAccount(account)];
  const keys: (Key & { account: string })[] = [];
  for (const { id } of accounts) {
    const { items } = await services.keys.list(id, { limit: Number.MAX_SAFE_INTEGER, offset: 0 });
    keys.push(...items.filter((key) => isKey(key.id)).map((key) => ({ ...key, account: id })));
  }
  const items = [...tokens, ...keys];
  const names = context.json ? new Map<string, string>() : await namesOfLists(services, items);
  const named = <T extends { heldTo: HeldTo | null }>(one: T): T =>
    one.heldTo === null
      ? one
      : { ...one, heldTo: { ...one.heldTo, lists: one.heldTo.lists.map((id) => names.get(id) ?? id) } };
  context.print({ items, total: items.length }, () =>
    items.length === 0
      ? 'No tokens yet. Make one: commonplace token create laptop'
      : [...tokens.map((one) => renderToken(named(one))), ...keys.map((one) => renderKey(named(one)))].join('\n'),
  );
}

/** The names by id of the lists that these tokens are restricted to, without missing ones. */
async function namesOfLists(
  { lists }: CommandApp['services'],
  held: readonly { account: string; heldTo: HeldTo | null }[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const accounts = new Set(held.flatMap(({ account, heldTo: to }) => (to?.lists.length ? [account] : [])));
  for (const account of accounts)
    for (const { id, name } of (await lists.list(account, { limit: maxLists, offset: 0 })).items) names.set(id, name);
  return names;
}

const isKey = (id: string): boolean => id.startsWith('k_');

async function rotate(context: CommandContext, id: string): Promise<void> {
  const { keys } = (await context.open()).services;
  const made = await keys.rotate(callerFor(await keys.accountOf(id)), id);
  context.print(made, () => made.secret);
  context.tell(
    `Keep it now: it is not shown again. The one before works until ${made.oldSecretUntil === null ? 'now' : shownTime(made.oldSecretUntil)}.`,
  );
}

async function revoke(context: CommandContext, id: string): Promise<void> {
  const { access, services } = await context.open();
  const revoked = isKey(id) ? await services.keys.revoke(await services.keys.accountOf(id), id) : { revoked: id };
  if (!isKey(id)) await access.revokeToken(id);
  context.print(revoked, () => `Revoked ${id}. It no longer works.`);
}
