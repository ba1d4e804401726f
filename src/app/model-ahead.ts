import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstWord } from '../cli/arguments/first-word.ts';
import { dataFolderOf } from '../settings/default-data-folder.ts';
import { packagedModelFolder, startMiniLm } from '../models/embedding/start-minilm.ts';

/** The model's process that was started ahead. Null for another model, or when it was taken or has ended. */
export type TakeModelAhead = (folder: string) => ChildProcess | null;

/**
 * Starts the process of the sentence model early, when a command line asks a question of a local library and the built-in model is
 * selected. It loads while this process loads the program, which takes as long. If unused, it ends with this process.
 */
export function startModelAhead(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): TakeModelAhead {
  let child = asksPackagedModel(argv, environment) ? startMiniLm(packagedModelFolder) : null;
  // Whoever takes it learns that it has no process.
  child?.on('error', () => undefined);
  return (folder) => {
    if (folder !== packagedModelFolder) return null;
    const taken = child;
    child = null;
    return taken?.pid !== undefined && taken.exitCode === null && taken.signalCode === null ? taken : null;
  };
}

/** Setting `embedder`, in each of the places that it is read from. */
const setting = { flag: '--embedder', variable: 'COMMONPLACE_EMBEDDER', key: '"embedder"' };

function asksPackagedModel(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const answersItself = ['--help', '-h', setting.flag];
  if (firstWord(argv) !== 'search' || argv.some((word) => answersItself.includes(word.split('=', 1)[0] ?? '')))
    return false;
  if (environment[setting.variable] !== undefined) return false;
  const folder = dataFolderOf(argv, environment);
  if (folder === null || !existsSync(join(folder, 'control.db'))) return false;
  const settings = join(folder, 'config.json');
  try {
    return !existsSync(settings) || !readFileSync(settings, 'utf8').includes(setting.key);
  } catch {
    // The command that reads the file reports its errors.
    return false;
  }
}
