import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { shortened } from '../../domain/text/shortened.ts';
import { AppError, invalidInput, unavailable } from '../../errors.ts';
import { addGoal, listGoals } from '../../operations/goals.ts';
import { callLocally } from '../call-locally.ts';
import { exitCodes, type CommandContext, type RunCommand } from '../context.ts';
import { collectList } from '../arguments/flags.ts';
import { type BrowserChange, browsers, isBrowserHere, planBrowser } from '../browser/browsers.ts';
import { applyBrowsers, browserLine } from '../browser/set-up.ts';
import { environmentNote, localBlock, localServer, remoteBlock, serverNote } from '../setup/local-server.ts';
import { type EntryTarget, type HostChange, lineDiff, planChange } from '../setup/changes.ts';
import { replaceConfigFile } from '../setup/config-files/config-file.ts';
import { hostById, hostIds, hosts, isInstalled, type Entry, type Host, type RemoteServer } from '../setup/hosts.ts';
import { readPublication, thisInstallation } from '../setup/program-location.ts';
import { type Machine, thisMachine } from '../setup/machine.ts';
import { askGoals, askWhich, askYesOrNo, openQuestions, type Questions } from '../setup/ask-person.ts';
import { presentEntry, shownTarget, type Trial, tryRemote, tryTarget } from '../setup/trial.ts';
import { firstLine } from '../piped-input.ts';

interface SetupFlags extends RemoteFlags {
  host?: string[];
  yes?: boolean;
  dryRun?: boolean;
  remove?: boolean;
  print?: boolean;
}

const browserIds = browsers.map(({ id }) => id);
const knownIds = [...hostIds, ...browserIds];

export function addSetupCommand(program: Command, run: RunCommand): void {
  const command = program
    .command('setup')
    .description('Connect the assistants and browsers on this machine: write their configuration, and try it')
    .option('--host <hosts>', `those alone, with commas between them: ${knownIds.join(', ')}`, collectList)
    .option('--yes', 'write without asking; without --host for all that are found')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--remove', 'take Commonplace out of the configuration again')
    .option('--print', 'print the block to paste into the settings of an assistant (default: claude-desktop) instead');
  for (const option of remoteFlags()) command.addOption(option);
  command.action((flags: SetupFlags) => run((context) => setup(context, flags)));
}

async function setup(context: CommandContext, flags: SetupFlags): Promise<number> {
  const machine = thisMachine();
  const remote = await readRemote(context, flags);
  if (flags.print === true) return printBlock(context, machine, knownHost(flags.host?.[0] ?? 'claude-desktop'), remote);
  if (remote !== null && flags.remove === true) throw invalidInput('--remove takes no --remote.');
  if (remote !== null && remote.token === null)
    throw invalidInput('--remote needs a token: --token <token>, or --token - to read it from stdin.');
  const entryFor = flags.remove === true ? () => undefined : entryMaker(context, machine, remote);
  const named = flags.host?.filter((id) => !browserIds.includes(id)).map(knownHost);
  // The extension itself knows the address of a server elsewhere.
  const wanted = browsers.filter(
    (one) => remote === null && (flags.host?.includes(one.id) ?? isBrowserHere(one, machine)),
  );
  const browserRows = wanted.map((one) => planBrowser(one, machine, context.config, flags.remove === true));
  const questions = flags.yes === true || flags.dryRun === true ? null : openQuestions(context);
  try {
    const chosen = named ?? (await chooseHosts(context, machine, questions, remote !== null, wanted.length > 0));
    const changes = chosen.map((host) => planFor(host, machine, entryFor));
    if (flags.dryRun === true) return showPlan(context, changes, browserRows, remote);
    const open = [...changes, ...browserRows].filter(({ after }) => after !== null);
    if (open.length > 0 && flags.yes !== true) {
      if (questions === null) {
        showPlan(context, changes, browserRows, remote);
        context.tell('Nothing was changed: there is no terminal to ask on. Say --yes to write this.');
        return exitCodes.usage;
      }
      context.tell([...changes.map(planned), ...browserRows.map(browserLine)].join('\n'));
      if (!(await askYesOrNo(questions, 'Write this?'))) {
        context.tell('Nothing was changed.');
        return exitCodes.ok;
      }
    }
    if (remote !== null && open.length > 0) await requireAnswer(remote, context);
    return await apply(context, changes, browserRows, machine, questions, flags.remove === true);
  } finally {
    questions?.close();
  }
}

function printBlock(context: CommandContext, machine: Machine, host: Host, remote: RemoteServer | null): number {
  if (remote !== null) {
    const block = remoteBlock(host, remote);
    if (block === null) throw invalidInput(remoteRefusal(host));
    context.print({ host: host.id, url: remote.url, block }, () => `${host.name}: ${host.place}:\n\n${block}`);
    return exitCodes.ok;
  }
  const installation = thisInstallation(machine);
  const server = localServer(installation, context.config, machine, readPublication());
  const block = localBlock(host, server);
  context.print({ host: host.id, ...server, block }, () => `${host.name}: ${host.place}:\n\n${block}`);
  for (const note of [serverNote(installation), environmentNote(context.config)])
    if (note !== null) context.tell(`\n${note}`);
  return exitCodes.ok;
}

/** A mistyped address or token must not replace one that works. @throws {AppError} `unavailable` */
async function requireAnswer(remote: RemoteServer, { signal }: CommandContext): Promise<void> {
  const trial = await tryRemote(remote, signal);
  if (!trial.ok) throw unavailable(`${remote.url}: ${trial.problem}. Nothing was written.`);
}

function knownHost(id: string): Host {
  if (hostIds.includes(id)) return hostById(id);
  throw invalidInput(`--host knows no "${shortened(id, 60)}". There are ${knownIds.join(', ')}.`);
}

/** Makes the entry of each host for this program, or for the server elsewhere. */
function entryMaker(
  context: CommandContext,
  machine: Machine,
  remote: RemoteServer | null,
): (host: Host) => Entry | null {
  if (remote !== null) return (host) => host.remote?.(remote) ?? null;
  const installation = thisInstallation(machine);
  const server = localServer(installation, context.config, machine, readPublication());
  for (const note of [serverNote(installation), environmentNote(context.config)]) if (note !== null) context.tell(note);
  return (host) => host.local(server);
}

function planFor(host: Host, machine: Machine, entryFor: (host: Host) => Entry | null | undefined): HostChange {
  const entry = entryFor(host);
  if (entry !== null) return planChange(host, machine, entry);
  return { ...planChange(host, machine, undefined), after: null, problem: remoteRefusal(host) };
}

async function chooseHosts(
  context: CommandContext,
  machine: Machine,
  questions: Questions | null,
  isRemote: boolean,
  hasBrowser: boolean,
): Promise<Host[]> {
  const installed = hosts.filter((host) => isInstalled(host, machine));
  const found = installed.filter(({ remote }) => !isRemote || remote !== null);
  for (const host of installed) if (!found.includes(host)) context.tell(`Left out: ${remoteRefusal(host)}`);
  if (found.length === 0 && hasBrowser) return [];
  if (found.length === 0) {
    throw invalidInput(
      `No assistant was found on this machine. Name one with --host (${hostIds.join(', ')}), or print a block to paste: commonplace setup --print --host <name>`,
    );
  }
  if (questions === null) return found;
  context.tell(`Assistants on this machine:\n${found.map((host, index) => `  ${index + 1}. ${host.name}`).join('\n')}`);
  const names = found.map(({ id, name }) => [name, id]);
  const chosen = await askWhich(questions, 'Which of them? (1,2 …; nothing for all) ', names);
  return chosen.flatMap((index) => found[index] ?? []);
}

function planned({ host, path, before, after, problem }: HostChange): string {
  if (problem !== undefined) return `${host.name}: ${problem}`;
  if (after === null) return `${host.name}: nothing to change in ${path}`;
  return `${host.name}: ${before === null ? 'makes' : 'changes'} ${path}`;
}

function showPlan(
  context: CommandContext,
  changes: readonly HostChange[],
  browserRows: readonly BrowserChange[],
  remote: RemoteServer | null,
): number {
  const hidden = (text: string) =>
    remote === null || remote.token === null ? text : text.replaceAll(remote.token, 'cpl_…');
  const rows = changes.map((change) => ({
    host: change.host.id,
    path: change.path,
    line: planned(change),
    state: change.problem !== undefined ? 'refused' : change.after === null ? 'unchanged' : 'planned',
    ...(change.problem === undefined ? {} : { problem: change.problem }),
    ...(change.after === null ? {} : { diff: hidden(lineDiff(change.before ?? '', change.after)) }),
  }));
  const shown = browserRows.map((row) => ({ browser: row.browser.id, path: row.path, line: browserLine(row) }));
  context.print({ dryRun: true, hosts: rows, ...(shown.length > 0 && { browsers: shown }) }, () =>
    [
      ...rows.map(({ line, diff }) => (diff === undefined ? line : `${line}\n${diff}`)),
      ...shown.map(({ line }) => line),
    ].join('\n\n'),
  );
  return rows.some(({ state }) => state === 'refused') ? exitCodes.failed : exitCodes.ok;
}

interface HostOutcome {
  host: string;
  path: string;
  state: 'written' | 'removed' | 'unchanged' | 'refused';
  copy?: string;
  problem?: string;
}

async function apply(
  context: CommandContext,
  changes: readonly HostChange[],
  browserRows: readonly BrowserChange[],
  machine: Machine,
  questions: Questions | null,
  isRemoval: boolean,
): Promise<number> {
  const outcomes = changes.map((change) => write(change, isRemoval));
  const standing = changes.filter((_, index) => outcomes[index]?.state !== 'refused');
  const targets = isRemoval ? [] : distinctTargets(standing);
  const trials: (Trial & { command: string })[] = [];
  for (const target of targets) {
    context.tell(`Trying ${shownTarget(target)} …`);
    trials.push({ command: shownTarget(target), ...(await tryTarget(target, machine, context.signal)) });
  }
  const ofBrowsers = await applyBrowsers(browserRows, machine, context, isRemoval);
  const failed =
    outcomes.some(({ state }) => state === 'refused') ||
    trials.some(({ ok }) => !ok) ||
    ofBrowsers.some(({ state }) => state === 'refused');
  context.print({ hosts: outcomes, trials, ...(ofBrowsers.length > 0 && { browsers: ofBrowsers }) }, () =>
    [
      ...ofBrowsers.map(({ line }) => line),
      ...outcomes.map((outcome, index) => outcomeLine(outcome, changes[index])),
      ...trials.map((trial) => trialLine(trial)),
      ...changes.flatMap(({ host, path }, index) =>
        outcomes[index]?.state === 'written' ? [`${host.name}: ${host.reload}.`, ...openToOthers(path, targets)] : [],
      ),
    ].join('\n'),
  );
  if (!failed && !isRemoval && questions !== null && targets.some(({ kind }) => kind === 'local'))
    await offerGoals(context, questions);
  return failed ? exitCodes.failed : exitCodes.ok;
}

function write({ host, path, before, after, problem }: HostChange, isRemoval: boolean): HostOutcome {
  if (problem !== undefined) return { host: host.id, path, state: 'refused', problem };
  if (after === null) return { host: host.id, path, state: 'unchanged' };
  try {
    const copy = replaceConfigFile(path, before, after);
    return { host: host.id, path, state: isRemoval ? 'removed' : 'written', ...(copy === null ? {} : { copy }) };
  } catch (error) {
    if (error instanceof AppError) return { host: host.id, path, state: 'refused', problem: error.message };
    throw error;
  }
}

function outcomeLine(outcome: HostOutcome, change: HostChange | undefined): string {
  const name = change?.host.name ?? outcome.host;
  if (outcome.state === 'refused') return `✗ ${name}: ${outcome.problem ?? ''}`;
  if (outcome.state === 'unchanged') return `✓ ${name}: nothing to change in ${outcome.path}`;
  const copy = outcome.copy === undefined ? '' : ` (a copy of it as it was: ${outcome.copy})`;
  return `✓ ${name}: ${outcome.state === 'removed' ? 'taken out of' : 'written to'} ${outcome.path}${copy}`;
}

/** The current state of the files, each server once. */
function distinctTargets(changes: readonly HostChange[]): EntryTarget[] {
  const targets = new Map<string, EntryTarget>();
  for (const { host, path } of changes) {
    const target = presentEntry(host, path).target;
    if (target !== null) targets.set(JSON.stringify(target), target);
  }
  return [...targets.values()];
}

function trialLine(trial: Trial & { command: string }): string {
  return trial.ok
    ? `✓ It works: ${trial.tools.length} tools after ${(trial.milliseconds / 1_000).toFixed(1)} s.`
    : `✗ ${trial.command}: ${trial.problem}.`;
}

/** Warns when other users can read a file with the token. Windows has no such permission bits. */
function openToOthers(path: string, targets: readonly EntryTarget[]): string[] {
  if (process.platform === 'win32' || !targets.some(({ kind }) => kind === 'remote')) return [];
  return (statSync(path).mode & 0o044) === 0
    ? []
    : [`! Other users of this machine can read the token in ${path}: chmod 600 ${path}`];
}

/** Asks for goals now: a new library has none, and people rarely add them later. */
async function offerGoals(context: CommandContext, questions: Questions): Promise<void> {
  const app = await context.open();
  const { total } = (await callLocally(context, app, listGoals, { limit: 1 })) as { total: number };
  if (total > 0) return;
  for (const goal of await askGoals(questions, context.tell)) await callLocally(context, app, addGoal, goal);
}

/** The flags that name a server elsewhere, as commander stores them. */
interface RemoteFlags {
  remote?: string;
  token?: string;
}

function remoteFlags(): Option[] {
  return [
    new Option('--remote <url>', 'use a server elsewhere: its address; /mcp is added where no path is given'),
    new Option('--token <token>', 'with --remote: a token of that server; - reads it from stdin'),
  ];
}

/** Reports that a host cannot use a remote server, with an alternative. */
function remoteRefusal({ name }: Host): string {
  return `${name} takes no address with a token. docs/remote-assistants.md says how to go through a small program on its machine.`;
}

/** The server that `--remote` names; null without it. @throws {AppError} `invalid_input` */
async function readRemote(context: CommandContext, { remote, token }: RemoteFlags): Promise<RemoteServer | null> {
  if (remote === undefined) {
    if (token !== undefined) throw invalidInput('--token goes with --remote.');
    return null;
  }
  const url = URL.parse(remote);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidInput(
      '--remote takes the address of a server, such as https://library.example.com/mcp; a token goes into --token.',
    );
  }
  // People usually give the address of the server itself.
  if (url.pathname === '/') url.pathname = '/mcp';
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isLocal)
    context.tell('Over http:// everybody on the way can read the token. Put the server behind TLS (docs/hosting.md).');
  return { url: url.href, token: await readToken(context, token) };
}

async function readToken({ streams }: CommandContext, given: string | undefined): Promise<string | null> {
  if (given === undefined) return null;
  const token = (given === '-' ? await firstLine(streams.stdin) : given)?.trim() ?? '';
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw invalidInput('--token takes a token as `commonplace token create` prints it.');
}
