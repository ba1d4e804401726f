import type { Command } from 'commander';
import { chmodSync, mkdirSync } from 'node:fs';
import { type Config, environmentName, flagName, fromText, loadConfig, readConfigFile } from '../../settings/config.ts';
import { nearestSetting } from '../../settings/misspelt-variables.ts';
import { secretSettings, type SettingName, settings } from '../../settings/settings.ts';
import { shownUrl } from '../../domain/links/configured-addresses.ts';
import { fieldProblems, refusedInput } from '../../domain/refused-input.ts';
import { shortened } from '../../domain/text/shortened.ts';
import { AppError, invalidInput } from '../../errors.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { firstLine } from '../piped-input.ts';
import { replaceConfigFile } from '../setup/config-files/config-file.ts';

export function addConfigCommands(program: Command, run: RunCommand): void {
  const config = program
    .command('config')
    .description('Show every setting, its value and where it comes from')
    .action(() => run(listSettings));
  config
    .command('get <name>')
    .description('Print the value of a setting')
    .action((name: string) => run((context) => printSetting(context, name)));
  config
    .command('set <name> [value]')
    .description('Set a setting in config.json of the data folder; a secret can be piped in')
    .action((name: string, value?: string) => run((context) => setSetting(context, name, value), true));
  config
    .command('unset <name>')
    .description('Remove a setting from config.json of the data folder')
    .action((name: string) => run((context) => unsetSetting(context, name), true));
}

const allNames = Object.keys(settings.shape) as SettingName[];

/** Finds a setting by its name, flag or variable. @throws {AppError} `invalid_input` */
function settingNamed(typed: string): SettingName {
  const bare = (name: string) =>
    name
      .replace(/^COMMONPLACE_/i, '')
      .replaceAll(/[-_]/g, '')
      .toLowerCase();
  const found = allNames.find((name) => bare(name) === bare(typed));
  if (found !== undefined) return found;
  if (bare(typed) === 'data')
    throw invalidInput(
      `config.json lies in the data folder, so it cannot say where that is: use --data or ${environmentName('data')}.`,
    );
  const nearest = nearestSetting(typed);
  throw invalidInput(
    `There is no setting "${shortened(typed, 60)}". ${nearest === null ? '`commonplace config` lists all of them.' : `Did you mean ${nearest}?`}`,
  );
}

function shownValue(name: SettingName, value: unknown): unknown {
  if (secretSettings.has(name) && value !== '') return '(set, not shown)';
  if (Array.isArray(value)) return value.map((one) => shownUrl(String(one)));
  return typeof value === 'string' ? shownUrl(value) : value;
}

function listSettings({ config, print }: CommandContext): Promise<void> {
  const rows = [
    {
      name: 'data',
      value: config.data,
      origin: config.origins.data,
      about: 'Folder that holds everything.',
      environment: environmentName('data'),
      flag: flagName('data'),
    },
    ...allNames.map((name) => ({
      name,
      value: shownValue(name, config[name]),
      origin: config.origins[name],
      about: settings.shape[name].description ?? '',
      environment: environmentName(name),
      // Secrets have no flag: other users can see command lines.
      flag: secretSettings.has(name) ? null : flagName(name),
    })),
  ];
  print(rows, () =>
    rows
      .map(
        ({ name, value, origin, about, environment }) =>
          `${name} = ${String(value)}  (${origin})\n    ${about} ${environment}`,
      )
      .join('\n'),
  );
  return Promise.resolve();
}

function printSetting({ config, print }: CommandContext, typed: string): Promise<void> {
  const [name, known] = typed === 'data' ? (['data', config.data] as const) : namedValue(config, typed);
  print({ name, value: known, origin: config.origins[name] }, () => String(known));
  return Promise.resolve();
}

function namedValue(config: Config, typed: string): [SettingName, unknown] {
  const name = settingNamed(typed);
  return [name, shownValue(name, config[name])];
}

async function setSetting(context: CommandContext, typed: string, given?: string): Promise<void> {
  // `httpPort=8080` is one argument.
  const [first = '', ...rest] = typed.split('=');
  const name = settingNamed(first);
  const text = given ?? (rest.length > 0 ? rest.join('=') : undefined);
  const value = fromText(name, await valueFor(context, name, text));
  const parsed = settings.shape[name].safeParse(value, { jitless: true });
  if (!parsed.success)
    throw refusedInput(
      `${name} was not changed.`,
      parsed.error.issues.flatMap(fieldProblems).map(({ message }) => ({ path: name, message })),
    );
  const { path, text: before, values } = readConfigFile(context.config.data);
  writeSettings(context.config.data, path, before, { ...values, [name]: value });
  if (secretSettings.has(name) && process.platform !== 'win32') chmodSync(path, 0o600);
  if (secretSettings.has(name) && text !== undefined && text !== '-')
    context.tell(
      'Command lines are seen by other users of this machine and kept in the history of the shell. Next time leave the value out and pipe it in.',
    );
  await printChange(context, name, { value: shownValue(name, value), path });
}

/** A secret may be left out, or `-`: then it is the first line of stdin. */
async function valueFor({ streams }: CommandContext, name: SettingName, given?: string): Promise<string> {
  const isPiped = secretSettings.has(name) && (given === undefined || given === '-');
  if (!isPiped && given !== undefined) return given;
  const line = isPiped && !streams.stdin.isTTY ? (await firstLine(streams.stdin))?.trim() : undefined;
  if (line !== undefined && line !== '') return line;
  throw invalidInput(
    isPiped
      ? `There is no value on stdin. Pipe the secret in: commonplace config set ${name} < file.txt`
      : `Which value? commonplace config set ${name} <value>; \`commonplace config unset ${name}\` goes back to the default.`,
  );
}

async function unsetSetting(context: CommandContext, typed: string): Promise<void> {
  const { path, text, values } = readConfigFile(context.config.data);
  // Unknown keys can be removed as well, because they make the file invalid.
  const name = Object.hasOwn(values, typed) ? typed : settingNamed(typed);
  const wasSet = Object.hasOwn(values, name);
  if (wasSet) {
    const { [name]: _removed, ...rest } = values;
    writeSettings(context.config.data, path, text, rest);
  }
  await printChange(context, name as SettingName, { wasSet, path });
}

function writeSettings(
  folder: string,
  path: string,
  before: string | null,
  values: Readonly<Record<string, unknown>>,
): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  replaceConfigFile(path, before, `${JSON.stringify(values, null, 2)}\n`, false);
}

/** The answer of `set` and `unset`: the change, and what prevents it from taking effect. */
async function printChange(
  context: CommandContext,
  name: SettingName,
  change: { value?: unknown; wasSet?: boolean; path: string },
): Promise<void> {
  const { config, print, tell } = context;
  // The settings of the file were left out: these are of the command line and the environment.
  const origin = config.origins[name];
  const overriddenBy = origin === 'environment' ? environmentName(name) : origin === 'flag' ? flagName(name) : null;
  print({ name, ...change, overriddenBy }, () =>
    [
      change.wasSet === undefined
        ? `${name} = ${String(change.value)}, in ${change.path}`
        : `${name} ${change.wasSet ? 'was removed from' : 'is not in'} ${change.path}`,
      ...(overriddenBy === null ? [] : [`It has no effect while ${overriddenBy} is given, which takes precedence.`]),
      ...(change.wasSet === false
        ? []
        : ['Servers and assistants that run on this data folder keep their settings until you restart them.']),
    ].join('\n'),
  );
  try {
    loadConfig({ data: config.data }, {});
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    tell(error.message);
  }
}
