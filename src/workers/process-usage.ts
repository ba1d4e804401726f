import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

// Files of /proc are read without waiting: they are in memory, and the thread pool would take ten times as long.

/**
 * Memory that belongs to one process alone, in bytes. On Linux this is the anonymous memory, without mapped files,
 * which are no burden; elsewhere it is all resident memory. Null where the system cannot report it (Windows), or for a
 * process that has ended.
 */
export async function processMemory(pid: number, platform: NodeJS.Platform = process.platform): Promise<number | null> {
  if (platform === 'win32') return null;
  try {
    const [text, pattern] =
      platform === 'linux'
        ? [readFileSync(`/proc/${pid}/status`, 'utf8'), /^RssAnon:\s*(\d+) kB/m]
        : [(await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout, /^\s*(\d+)/];
    const kilobytes = pattern.exec(text)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    // The process ended during the measurement.
    return null;
  }
}

/** `/proc/<pid>/stat` counts in ticks of this length on every system that Node runs on (USER_HZ). */
const millisecondsPerTick = 10;

/**
 * Processor time that a process has used, in milliseconds. Null in the same cases as for `processMemory`.
 * @param pid of a process whose name contains no line break
 */
export async function processorTime(pid: number, platform: NodeJS.Platform = process.platform): Promise<number | null> {
  if (platform === 'win32') return null;
  try {
    if (platform === 'linux') {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The process name is in parentheses, and may contain parentheses itself. The state after the name is the 3rd
      // field; user and system time are the 14th and 15th.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
    }
    const { stdout } = await run('ps', ['-o', 'time=', '-p', String(pid)]);
    return secondsOf(stdout.trim()) * 1_000;
  } catch {
    return null;
  }
}

/** `[[days-]hours:]minutes:seconds[.hundredths]`: covers the formats of the different versions of `ps`. */
function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed();
  return Number(days) * 86_400 + clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
