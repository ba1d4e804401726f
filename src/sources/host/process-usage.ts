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

/** `/proc/<pid>/stat` counts in these on every system that Node runs on (USER_HZ). */
const millisecondsPerTick = 10;

/**
 * Milliseconds that a process has had of the processor; null as for `processMemory`.
 * @param pid of a process whose name holds no line end
 */
export async function processorTime(pid: number, platform: NodeJS.Platform = process.platform): Promise<number | null> {
  if (platform === 'win32') return null;
  try {
    if (platform === 'linux') {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8');
      // The name stands in parentheses, and may hold some itself. The times are the 14th and 15th field, the state behind the name the third.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
    }
    const { stdout } = await run('ps', ['-o', 'time=', '-p', String(pid)]);
    return secondsOf(stdout.trim()) * 1_000;
  } catch {
    return null;
  }
}

/** `[[days-]hours:]minutes:seconds[.hundredths]`, as the kinds of `ps` print it. */
function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed();
  return Number(days) * 86_400 + clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
