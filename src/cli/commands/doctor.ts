import type { Command } from 'commander';
import { invalidInput } from '../../errors.ts';
import { createProgressBar } from '../call-locally.ts';
import { type CommandContext, exitCodes, requireDataFolder, type RunCommand } from '../context.ts';
import { checkBrowsers } from '../browser/set-up.ts';
import { checkHosts } from '../setup/host-checks.ts';
import { thisMachine } from '../setup/machine.ts';

export function addDoctorCommand(program: Command, run: RunCommand): void {
  program
    .command('doctor')
    .description('Check the setup: what works, what is missing and what that means')
    .option('--check', 'look through every file for damage instead')
    .option('--account <id>', 'with --check: one account alone')
    .action((options: DoctorOptions) =>
      run((context) => (options.check === true ? check(context, options) : doctor(context, options))),
    );
}

const marks = { ok: '✓', optional: '·', warning: '!', error: '✗' } as const;

interface DoctorOptions {
  check?: boolean;
  account?: string;
}

async function doctor(context: CommandContext, options: DoctorOptions): Promise<number> {
  if (options.account !== undefined) throw invalidInput('--account goes with --check.');
  const app = await context.open();
  const machine = thisMachine();
  const checks = [
    ...(await app.inspect()),
    ...(await checkHosts(machine, context.version, context.signal)),
    ...(await checkBrowsers(machine, context.config, context.signal)),
  ];
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

/** Opens all files read-only, so that damaged files stay as they are. */
async function check(context: CommandContext, { account }: DoctorOptions): Promise<number> {
  requireDataFolder(
    context.config,
    'PostgreSQL checks its own files: data checksums, and pg_amcheck. `commonplace doctor` says whether the database answers.',
  );
  const bar = createProgressBar(context.streams.stderr, context.json);
  const { files, findings } = await context
    .checkLibrary(account, (done, of) => bar.update(done, of, 'files checked'))
    .finally(() => bar.stop());
  context.print({ files, findings }, () =>
    findings.length === 0
      ? `${marks.ok} ${files} files checked: all rows, texts, originals and indexes are as they were written.`
      : findings.map(({ file, problem, fix }) => `${marks.error} ${file}: ${problem}.\n    ${fix}`).join('\n'),
  );
  return findings.length === 0 ? exitCodes.ok : exitCodes.failed;
}
