import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Bytes of memory that belong to a process alone: on Linux the anonymous memory, since mapped files are no burden; elsewhere
 * all that is resident; null where the system does not say (Windows), or for a process that has ended.
 */
export async function processMemory(pid: number, platform: NodeJS.Platform = process.platform): Promise<number | null> {
  if (platform === 'win32') return null;
  try {
    const [text, pattern] =
      platform === 'linux'
        ? [await readFile(`/proc/${pid}/status`, 'utf8'), /^RssAnon:\s*(\d+) kB/m]
        : [(await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout, /^\s*(\d+)/];
    const kilobytes = pattern.exec(text)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    // It ended while it was being looked at.
    return null;
  }
}
