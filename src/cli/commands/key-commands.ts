import { type Command, InvalidArgumentError } from 'commander';
import { localAccountId, localCaller, type Caller } from '../../domain/records/account.ts';
import { requestsPerMinute, type Key } from '../../domain/access/key.ts';
import { inOrder, permission, permissions as allPermissions, type Permission } from '../../domain/access/permission.ts';
import { shownTime } from '../../operations/answers/printed.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { parseLifetime, parseName } from './access/access-flags.ts';

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
