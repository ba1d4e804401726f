import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a folder `<prefix><host>-<pid>-<random>`, for this user alone, and removes those that killed processes left
 * behind. The host is in the name because containers may share a folder, but not their process ids.
 * @param prefix path and beginning of the name
 */
export function makeTemporaryFolder(prefix: string): string {
  const ofHost = `${prefix}${hostname()}-`;
  for (const name of readdirSync(dirname(prefix))) {
    if (!name.startsWith(basename(ofHost))) continue;
    const pid = Number(/^\d+(?=-)/.exec(name.slice(basename(ofHost).length))?.[0]);
    const path = join(dirname(prefix), name);
    if (pid > 0 && !isRunning(pid) && isOwn(path)) rmSync(path, { recursive: true, force: true });
  }
  return mkdtempSync(`${ofHost}${process.pid}-`);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Others may write to the system's temporary folder. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}
