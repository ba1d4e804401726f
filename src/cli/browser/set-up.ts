import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { AppError } from '../../errors.ts';
import type { Config } from '../../settings/config.ts';
import type { Check } from '../../services/operating/inspection.ts';
import type { CommandContext } from '../context.ts';
import { ownCommand } from '../setup/local-server.ts';
import type { Machine } from '../setup/machine.ts';
import { readPublication, thisInstallation } from '../setup/program-location.ts';
import { tryProgram } from '../setup/trial.ts';
import {
  applyBrowser,
  type Browser,
  type BrowserChange,
  browsers,
  isBrowserHere,
  isRegistered,
  planBrowser,
  scriptPath,
  writeScript,
} from './browsers.ts';
import { messageBytes, readMessages } from './native-messages.ts';

export function browserLine({ browser, path, before, after }: BrowserChange): string {
  if (after === null) return `${browser.name}: nothing to change in ${path}`;
  if (after === '') return `${browser.name}: removes ${path}`;
  return `${browser.name}: ${before === null ? 'makes' : 'changes'} ${path}, so that the extension reaches your library`;
}

interface BrowserOutcome {
  browser: string;
  path: string;
  state: 'written' | 'removed' | 'unchanged' | 'refused';
  line: string;
}

/** Registers this program for browsers, or takes it away, and tries it. */
export async function applyBrowsers(
  rows: readonly BrowserChange[],
  machine: Machine,
  { config, signal }: Pick<CommandContext, 'config' | 'signal'>,
  isRemoval: boolean,
): Promise<BrowserOutcome[]> {
  if (rows.length === 0) return [];
  if (!isRemoval) {
    const server = ownCommand('browser-host', thisInstallation(machine), config, machine, readPublication());
    writeScript(server, machine, config);
  }
  const problem = isRemoval ? null : await tryScript(scriptPath(machine, config), machine, signal);
  const outcomes = rows.map((row): BrowserOutcome => {
    const { browser, path, after } = row;
    const outcome = { browser: browser.id, path };
    const refused = (why: string) => ({ ...outcome, state: 'refused' as const, line: `✗ ${browser.name}: ${why}` });
    try {
      applyBrowser(row, machine, isRemoval);
    } catch (error) {
      if (error instanceof AppError) return refused(error.message);
      throw error;
    }
    if (problem !== null) return refused(`${scriptPath(machine, config)}: ${problem}.`);
    if (after === null)
      return { ...outcome, state: 'unchanged', line: `✓ ${browser.name}: nothing to change in ${path}` };
    const state = isRemoval ? 'removed' : 'written';
    return { ...outcome, state, line: `✓ ${browser.name}: ${state === 'removed' ? 'removed' : 'written to'} ${path}` };
  });
  // Other browsers may still start it.
  if (!browsers.some((browser) => reaches(browser, machine, config))) writeScript(null, machine, config);
  return outcomes;
}

function reaches(browser: Browser, machine: Machine, config: Config): boolean {
  return isRegistered(planBrowser(browser, machine, config, false), machine);
}

/** Says for each browser on this machine whether the extension can reach the library. */
export async function checkBrowsers(machine: Machine, config: Config, signal: AbortSignal): Promise<Check[]> {
  const found = browsers.filter((browser) => isBrowserHere(browser, machine));
  const registered = found.filter((browser) => reaches(browser, machine, config));
  const problem = registered.length === 0 ? null : await tryScript(scriptPath(machine, config), machine, signal);
  return found.map((browser): Check => {
    const { id, name } = browser;
    const fix = `commonplace setup --host ${id}`;
    if (!registered.includes(browser))
      return {
        name,
        state: 'optional',
        detail: 'does not know Commonplace: the extension needs it to save here.',
        fix,
      };
    const script = scriptPath(machine, config);
    return problem === null
      ? { name, state: 'ok', detail: `the extension reaches this library by ${script}.` }
      : { name, state: 'error', detail: `the extension cannot use ${script}: ${problem}.`, fix };
  });
}

type Outcome = { ok: true } | { ok: false; problem: string };

/** Starts the script as a browser would, and greets it. @returns what is wrong; null when it answers */
async function tryScript(path: string, machine: Machine, signal: AbortSignal): Promise<string | null> {
  const greet = async (child: ChildProcessWithoutNullStreams): Promise<Outcome> => {
    child.stdin.write(messageBytes({ id: 1, call: 'hello', input: {} }));
    const { value } = await readMessages(child.stdout).next();
    // Without an answer it has ended, and how it did says more.
    if (value === undefined) return new Promise(() => undefined);
    const isAnswer = new TextDecoder().decode(value.take()).includes('"version"');
    return isAnswer ? { ok: true } : { ok: false, problem: 'its answer cannot be read' };
  };
  const script = { command: path, args: [] };
  const outcome = await tryProgram(script, {}, machine, signal, greet, machine.platform === 'win32');
  return outcome.ok ? null : outcome.problem;
}
