import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TextDecoder } from 'node:util';
import { AppError, invalidInput } from '../../../errors.ts';

/** Larger files are no configuration of a host. */
const maxConfigBytes = 64 << 20;

/** Null when there is no file. @throws {AppError} `invalid_input` when it cannot be read, or is not text */
export function readConfigFile(path: string): string | null {
  if (!existsSync(path)) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
    throw invalidInput(`${path} is a link to a file that is not there: mend the link or remove it.`);
  }
  try {
    if (statSync(path).size > maxConfigBytes) throw invalidInput(`${path} is too large to be edited.`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidInput(`${path} cannot be read as text: check the file and its permissions.`, {
      cause: error,
    });
  }
}

/**
 * Replaces a configuration file as a whole. A symbolic link stays; the file that it points to is replaced. Permissions
 * stay, a new file is for its owner alone.
 * @param before what the change was made from; null for a new file
 * @param leavesCopy whether a copy of the old file is left beside it
 * @returns the path of the copy, or null without one
 * @throws {AppError} `invalid_input` when the file cannot be written, or was changed meanwhile
 */
export function replaceConfigFile(path: string, before: string | null, text: string, leavesCopy = true): string | null {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const target = before === null ? path : realpathSync(path);
    if (before !== null && (statSync(target).mode & 0o222) === 0) throw notWritable(path);
    const copy = before === null || !leavesCopy ? null : leaveCopy(target);
    writeBeside(target, before, text);
    return copy;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw notWritable(path, error);
  }
}

function notWritable(path: string, cause?: unknown): AppError {
  return invalidInput(`${path} cannot be written: check its permissions. Nothing was changed.`, {
    cause,
  });
}

/** Copies the file to the first free name, so that no earlier copy is lost. */
function leaveCopy(target: string): string {
  for (let number = 1; ; number += 1) {
    const copy = `${target}.commonplace-backup${number === 1 ? '' : `-${number}`}`;
    if (existsSync(copy)) continue;
    copyFileSync(target, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, statSync(target).mode & 0o777);
    return copy;
  }
}

/** Writes a file beside the target and moves it into its place: the host sees the old text or the new one. */
function writeBeside(target: string, before: string | null, text: string): void {
  const mode = before === null ? 0o600 : statSync(target).mode & 0o777;
  const temporary = join(dirname(target), `.${basename(target)}.commonplace-${process.pid}`);
  const file = openSync(temporary, 'wx', mode);
  try {
    try {
      writeFileSync(file, text);
      // With sudo the file stays its owner's.
      if (before !== null && process.getuid?.() === 0) fchownSync(file, statSync(target).uid, statSync(target).gid);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // The umask may have narrowed the mode.
    chmodSync(temporary, mode);
    if (readConfigFile(target) !== before) {
      throw invalidInput(
        `${target} was changed by another program at the same moment, so it was left alone. Run the command again.`,
      );
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
