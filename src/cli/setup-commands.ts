import type { Command } from 'commander';
import { environmentName, flagName, type Config } from '../config.ts';
import { shownUrl } from '../domain/shown-url.ts';
import { secretSettings, settings, type SettingName } from '../settings.ts';
import { exitCodes, type CommandContext, type RunCommand } from './context.ts';

/** `doctor` and `config`: what is set up, and how. */
export function addSetupCommands(program: Command, run: RunCommand): void {
  program
    .command('doctor')
    .description('Say what is set up, what is missing and what that costs')
    .action(() => run(doctor));
  program
    .command('config')
    .description('Show every setting, its value and where it comes from')
    .action(() => run(showConfig));
}

const marks = { ok: '✓', optional: '·', warning: '!', error: '✗' } as const;

async function doctor(context: CommandContext): Promise<number> {
  const app = await context.open();
  const checks = await app.inspect();
  context.print({ checks }, () =>
    checks
      .map(
        ({ name, state, detail, fix }) =>
          `${marks[state]} ${name}: ${detail}${fix === undefined ? '' : `\n    ${fix}`}`,
      )
      .join('\n'),
  );
  return checks.some((check) => check.state === 'error') ? exitCodes.failed : exitCodes.ok;
}

function shownValue(name: SettingName, value: Config[SettingName]): Config[SettingName] {
  if (secretSettings.has(name) && value !== '') return '(set, not shown)';
  if (Array.isArray(value)) return value.map(shownUrl);
  return typeof value === 'string' ? shownUrl(value) : value;
}

async function showConfig({ config, print }: CommandContext): Promise<void> {
  const names = Object.keys(settings.shape) as SettingName[];
  const rows = [
    {
      name: 'data',
      value: config.data,
      origin: config.origins.data,
      about: 'Folder that holds everything.',
      environment: environmentName('data'),
      flag: flagName('data'),
    },
    ...names.map((name) => ({
      name,
      value: shownValue(name, config[name]),
      origin: config.origins[name],
      about: settings.shape[name].description ?? '',
      environment: environmentName(name),
      // Command lines are public: a secret has none.
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
}
