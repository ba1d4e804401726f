import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isoTime } from '../../domain/clock.ts';
import { type Account, localAccountId, type Plan } from '../../domain/records/account.ts';
import { cleanLine, maskText } from '../../domain/text/clean-text.ts';
import { invalidInput } from '../../errors.ts';
import type { Config } from '../../settings/config.ts';
import type { Backups, CommandContext, RunCommand } from '../context.ts';
import { linkAddress } from './serve.ts';

const plans = ['pro', 'free'] as const;

export function addAccountCommands(account: Command, run: RunCommand): void {
  account
    .command('add')
    .description('Add an account, with its own library')
    .argument('<name>', 'the name of its person', parseName)
    .addOption(
      new Option('--plan <plan>', 'only Pro accounts may use REST and remote MCP').choices(plans).default('pro'),
    )
    .action((name: string, { plan }: { plan: Plan }) => run((context) => addAccount(context, name, plan)));
  account
    .command('invite')
    .description('Print a link with which a person chooses a name and a password, for a new or existing account')
    .argument('<name>', 'the name of its person, or the id of an existing account', parseName)
    .addOption(new Option('--plan <plan>', 'of a new account').choices(plans).default('pro'))
    .action((name: string, { plan }: { plan: Plan }) => run((context) => invite(context, name, plan)));
  account
    .command('reset')
    .description('Print a link with which the person of an account chooses a new password')
    .argument('[id]', 'the account', localAccountId)
    .action((id: string) => run((context) => resetPassword(context, id)));
  account
    .command('identity')
    .description('Set the name that a proxy or your own authorization server gives the person of an account')
    .argument('<id>', 'the account')
    .argument('<name>', 'as in the header or the claim')
    .action((id: string, name: string) => run((context) => setIdentity(context, id, name)));
  account
    .command('list')
    .description('List the accounts')
    .action(() => run(listAccounts));
  account
    .command('set-plan')
    .description("Change an account's plan; tokens of a free one stop working at once")
    .argument('<id>')
    .argument('<plan>', plans.join(' or '))
    .action((id: string, plan: string) => run((context) => setPlan(context, id, plan)));
  account
    .command('remove')
    .description('Remove an account with everything it saved; it can be restored for 30 days')
    .argument('<id>')
    .option('--now', 'permanently and at once')
    .option('--yes', 'do not ask')
    .action((id: string, flags: RemoveFlags) => run((context) => removeAccount(context, id, flags)));
  account
    .command('restore')
    .description('Restore an account that was removed less than 30 days ago')
    .argument('<id>')
    .action((id: string) => run((context) => restoreAccount(context, id)));
  account
    .command('adopt')
    .description('Make a library file an account: one that `doctor` found, or a backup')
    .argument('<file>', 'its path, or its name in the folder accounts')
    .option('--name <name>', 'the name of its person, if unknown', parseName, 'Adopted')
    .addOption(new Option('--plan <plan>', 'if that is not known').choices(plans).default('pro'))
    .action((file: string, as: { name: string; plan: Plan }) => run((context) => adoptLibrary(context, file, as)));
  account
    .command('start-empty')
    .description('Let an account whose library is missing begin again with an empty one')
    .argument('<id>')
    .action((id: string) => run((context) => startEmpty(context, id)));
}

function renderAccount(account: Account): string {
  return `${account.id}  ${account.name}  ${account.plan}  since ${account.createdAt.slice(0, 10)}`;
}

interface ListedAccount extends Account {
  /** The name that its person signs in with; null: they cannot sign in. */
  signInName: string | null;
  /** Of its tokens and browsers; null: never. */
  lastUsedAt: string | null;
  /** When its invitation link expires; null if there is none or it was used. */
  invitedUntil: string | null;
}

function renderListed(account: ListedAccount): string {
  const { signInName, lastUsedAt, invitedUntil } = account;
  return [
    renderAccount(account),
    signInName === null ? 'no sign-in' : `signs in as ${maskText(signInName)}`,
    lastUsedAt === null ? 'never used' : `last used ${lastUsedAt.slice(0, 10)}`,
    ...(invitedUntil === null ? [] : [`invited until ${invitedUntil.slice(0, 10)}`]),
  ].join('  ');
}

async function addAccount(context: CommandContext, name: string, plan: Plan): Promise<void> {
  const account = await (await context.open()).access.addAccount(name, plan);
  context.print(account, () => renderAccount(account));
  context.tell(`A token for it: commonplace token create laptop --account ${account.id}`);
}

async function invite(context: CommandContext, name: string, plan: Plan): Promise<void> {
  const app = await context.open();
  const known = (await app.access.listAccounts()).find(({ id }) => id === name);
  if (known !== undefined && (await app.signIn.findName(known.id)) !== null) {
    throw invalidInput(
      `Somebody signs in to this account already. \`commonplace account reset ${known.id}\` makes a link for a new password.`,
    );
  }
  const account = known ?? (await app.access.addAccount(name, plan));
  const link = linkAddress(app.config, await app.signIn.createLink(account.id, 'invitation'));
  context.print({ account, link }, () => link);
  context.tell(`Send it to ${maskText(account.name)} alone. It works once, for seven days.${switchedOff(app)}`);
}

async function resetPassword(context: CommandContext, id: string): Promise<void> {
  const app = await context.open();
  const account = await app.access.getAccount(id);
  const link = linkAddress(app.config, await app.signIn.createLink(account.id, 'reset'));
  context.print({ account, link }, () => link);
  context.tell(`Send it to ${maskText(account.name)} alone. It works once, for an hour.${switchedOff(app)}`);
}

async function setIdentity(context: CommandContext, id: string, identity: string): Promise<void> {
  const app = await context.open();
  if (app.config.signIn === 'password') {
    throw invalidInput(
      'People sign in to this server with passwords (signIn password), and this name would replace the password of the account. `commonplace account invite` and `account reset` make links.',
    );
  }
  const account = await app.access.getAccount(id);
  const name = await app.signIn.setIdentity(account.id, identity);
  context.print({ account, name }, () => `${account.id}  ${account.name}  is ${name}`);
}

function switchedOff({ config }: { config: Pick<Config, 'signIn'> }): string {
  return config.signIn === 'off' ? ' The server has to run with --sign-in password or proxy.' : '';
}

async function listAccounts(context: CommandContext): Promise<void> {
  const { access, signIn } = await context.open();
  const [tokens, invitations] = await Promise.all([access.listTokens(), signIn.openInvitations()]);
  const items: ListedAccount[] = [];
  for (const account of await access.listAccounts()) {
    const sessions = await signIn.listSessions(account.id);
    const uses = [
      ...sessions.map(({ lastUsedAt }) => isoTime(lastUsedAt)),
      ...tokens.flatMap((token) =>
        token.account === account.id && token.lastUsedAt !== null ? [token.lastUsedAt] : [],
      ),
    ];
    const invitedUntil = invitations.get(account.id);
    items.push({
      ...account,
      signInName: await signIn.findName(account.id),
      lastUsedAt: uses.toSorted().at(-1) ?? null,
      invitedUntil: invitedUntil === undefined ? null : isoTime(invitedUntil),
    });
  }
  const removed = await access.listRemovedAccounts();
  context.print({ items, total: items.length, ...(removed.length > 0 && { removed }) }, () =>
    [
      ...items.map(renderListed),
      ...removed.map(
        (account) =>
          `${renderAccount(account)}  removed ${account.removedAt.slice(0, 10)}: commonplace account restore ${account.id}`,
      ),
    ].join('\n'),
  );
}

async function setPlan(context: CommandContext, id: string, plan: string): Promise<void> {
  const known = plans.find((one) => one === plan);
  if (known === undefined) throw invalidInput(`The plan is ${plans.join(' or ')}.`);
  const account = await (await context.open()).access.setPlan(id, known);
  context.print(account, () => renderAccount(account));
}

interface RemoveFlags {
  now?: boolean;
  yes?: boolean;
}

async function removeAccount(
  context: CommandContext,
  id: string,
  { now = false, yes = false }: RemoveFlags,
): Promise<void> {
  const app = await context.open();
  const removed = (await app.access.listRemovedAccounts()).find((account) => account.id === id);
  const account = now && removed !== undefined ? removed : await app.access.getAccount(id);
  if (!yes) await confirm(context, account, now);
  await app.access.removeAccount(id, { now });
  const backups = [...(await holdingBackups(await context.backups(), app.config, id)), ...app.access.copiesPutAside()];
  context.print({ removed: id, backups, ...(!now && { restorableForDays: 30 }) }, () =>
    [
      now
        ? `Removed ${id} with everything it had saved, for good.`
        : `Removed ${id} with everything it had saved. For 30 days, commonplace account restore ${id} brings it back.`,
      ...(backups.length > 0 ? ['Still in these backups:', ...backups.map((path) => `  ${path}`)] : []),
      'Backups in other places are not looked at.',
    ].join('\n'),
  );
}

/** The backups that hold the account, in the folder of the settings and in `backups/` of the data folder. */
async function holdingBackups(
  backups: Backups,
  { backupTo, data }: Pick<Config, 'backupTo' | 'data'>,
  id: string,
): Promise<string[]> {
  const folders = new Set([join(data, 'backups'), ...(backupTo === '' ? [] : [resolve(backupTo)])]);
  return (await Promise.all([...folders].map((folder) => backups.holding(folder, id)))).flat();
}

async function restoreAccount(context: CommandContext, id: string): Promise<void> {
  const account = await (await context.open()).access.restoreAccount(id);
  context.print(account, () => renderAccount(account));
  context.tell('Its tokens and sign-ins work again.');
}

async function adoptLibrary(context: CommandContext, file: string, as: { name: string; plan: Plan }): Promise<void> {
  const inFolder = join(context.config.data, 'accounts', basename(file));
  const path = existsSync(file) || !existsSync(inFolder) ? file : inFolder;
  const app = await context.open({ adopting: path });
  const account = await app.access.adoptLibrary(path, as);
  context.print(account, () => renderAccount(account));
  context.tell('`commonplace doctor` says whether other libraries belong to no account.');
}

async function startEmpty(context: CommandContext, id: string): Promise<void> {
  const account = await (await context.open()).access.startEmpty(id);
  context.print(account, () => renderAccount(account));
}

async function confirm({ streams, json, signal }: CommandContext, account: Account, now: boolean): Promise<void> {
  if (json || !streams.stdin.isTTY) {
    throw invalidInput(
      now
        ? 'This removes everything the account saved, for good. Confirm with --yes.'
        : 'This removes everything the account saved. Confirm with --yes.',
    );
  }
  const question = createInterface({ input: streams.stdin, output: streams.stderr });
  try {
    const answer = await question.question(
      `Everything that ${maskText(account.name)} (${account.id}) saved will be gone${now ? ' for good' : ', for good in 30 days'}. Type the id to remove it: `,
      { signal },
    );
    if (answer.trim() !== account.id)
      throw invalidInput(`That is not ${account.id}: nothing was removed. Run the command again to remove it.`);
  } finally {
    question.close();
  }
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 } as const;

/** `90d` → milliseconds. */
export function parseLifetime(text: string): number {
  const [, count, unit] = /^(\d{1,4})([mhdwy])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (!(ms > 0)) throw new InvalidArgumentError('It must be a length of time such as 12h, 90d or 1y.');
  return ms;
}

export function parseName(text: string): string {
  const name = cleanLine(text);
  if (name === '' || name.length > 100) throw new InvalidArgumentError('A name has 1 to 100 characters.');
  return name;
}
