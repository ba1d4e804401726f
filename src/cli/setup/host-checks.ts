import { AppError } from '../../errors.ts';
import type { Check } from '../../services/operating/inspection.ts';
import { ConfigSyntaxError } from './config-files/config-entry.ts';
import type { EntryTarget } from './changes.ts';
import { configPath, hosts, isInstalled, type Host } from './hosts.ts';
import type { Machine } from './machine.ts';
import { missingFile, presentEntry, shownTarget, type Trial, tryTarget } from './trial.ts';

/** Checks each host on this machine, starting each server once. @param version this program's own */
export async function checkHosts(machine: Machine, version: string, signal: AbortSignal): Promise<Check[]> {
  const trials = new Map<string, Promise<Trial>>();
  const tryOnce = (target: EntryTarget) => {
    const key = JSON.stringify(target);
    const trial = trials.get(key) ?? tryTarget(target, machine, signal);
    trials.set(key, trial);
    return trial;
  };
  const checks: Check[] = [];
  for (const host of hosts)
    if (isInstalled(host, machine)) checks.push(await checkHost(host, configPath(host, machine), version, tryOnce));
  return checks;
}

async function checkHost(
  host: Host,
  path: string,
  version: string,
  tryOnce: (target: EntryTarget) => Promise<Trial>,
): Promise<Check> {
  const { name } = host;
  const again = `commonplace setup --host ${host.id}`;
  const present = readPresent(host, path);
  if (present instanceof Error) {
    const line =
      present instanceof ConfigSyntaxError
        ? `${path} is not valid: line ${present.line}, ${present.message}.`
        : present.message;
    return { name, state: 'warning', detail: line, fix: 'Correct the file: only you know what it should say.' };
  }
  const { isThere, isSwitchedOff, target } = present;
  if (!isThere) return { name, state: 'optional', detail: `is installed, and does not know Commonplace.`, fix: again };
  if (target === null)
    return { name, state: 'error', detail: `its entry in ${path} names no command and no address.`, fix: again };
  const missing = target.kind === 'local' ? missingFile(target.server) : null;
  if (missing !== null)
    return { name, state: 'error', detail: `${path} names ${missing}, which is not there.`, fix: again };
  if (target.kind === 'remote' && target.server.token === null)
    return { name, state: 'ok', detail: `uses ${target.server.url} with a token that it keeps itself (${path}).` };

  const trial = await tryOnce(target);
  const shown = `${shownTarget(target)} (${path})`;
  if (!trial.ok)
    return {
      name,
      state: 'error',
      detail: `cannot use ${shown}: ${trial.problem}.`,
      fix: target.kind === 'local' ? again : 'Look at the server, and at the token: commonplace token list',
    };
  const seen = `${trial.tools.length} tools after ${(trial.milliseconds / 1_000).toFixed(1)} s from ${shown}`;
  if (isSwitchedOff)
    return { name, state: 'warning', detail: `would see ${seen}, but the server is switched off there.`, fix: again };
  if (target.kind === 'local' && trial.version !== version)
    return {
      name,
      state: 'warning',
      detail: `sees ${seen}. That is version ${trial.version}; this is ${version}.`,
      fix: again,
    };
  return { name, state: 'ok', detail: `sees ${seen}.` };
}

function readPresent(host: Host, path: string): ReturnType<typeof presentEntry> | ConfigSyntaxError | AppError {
  try {
    return presentEntry(host, path);
  } catch (error) {
    if (error instanceof ConfigSyntaxError || error instanceof AppError) return error;
    throw error;
  }
}
