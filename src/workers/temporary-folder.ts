import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isRunning } from './running-process.ts';

/**
 * Makes a folder `<prefix><host>-<pid>-<random>`, readable by this user only, and removes those of killed processes. The host is in
 * the name because containers may share a folder, but not their process ids.
 * @param prefix path and beginning of the name
 */
export function makeTemporaryFolder(prefix: string): string {
  const ofHost = `${prefix}${hostname()}-`;
  for (const name of readdirSync(dirname(prefix))) {
    if (!name.startsWith(basename(ofHost))) continue;
    // The whole rest: the name of another host may begin with this one's.
    const pid = Number(/^(\d+)-[A-Za-z0-9]{6}$/.exec(name.slice(basename(ofHost).length))?.[1]);
    const path = join(dirname(prefix), name);
    if (pid > 0 && isLeft(path, pid)) rmSync(path, { recursive: true, force: true });
  }
  return mkdtempSync(`${ofHost}${process.pid}-`);
}

function isLeft(path: string, pid: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // Others may write to the system's temporary folder.
  if (found?.isDirectory() !== true || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  // In a container that starts again, the process before had the same id. The threads of one process share no set of folders.
  return pid === process.pid ? found.mtimeMs < Date.now() - process.uptime() * 1_000 : !isRunning(pid);
}
