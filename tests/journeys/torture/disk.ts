import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the order of `disk-faults.c`. */
const kinds = ['none', 'no space', 'write error', 'short write', 'sync error', 'read error'] as const;

export interface DiskFault {
  kind: Exclude<(typeof kinds)[number], 'none'>;
  /** Calls to the system that are done well before it begins. */
  after: number;
  /** Calls that meet it. Then the disk is well again. */
  lasts: number;
}

/** A disk that misbehaves for one process, below one folder. */
export interface Disk {
  /** What the process needs in its environment to meet the fault. */
  misbehaving(fault: DiskFault): NodeJS.ProcessEnv;
  /** How many calls have met the fault that was set last. */
  met(): number;
}

/** Makes disks that misbehave. Null where there is no C compiler, or no way to come between a program and the system. */
export function diskMaker(workFolder: string): ((dataFolder: string, control: string) => Disk) | null {
  if (process.platform !== 'linux') return null;
  const library = join(workFolder, 'disk-faults.so');
  const source = fileURLToPath(new URL('./disk-faults.c', import.meta.url));
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return (dataFolder, control) => ({
    misbehaving({ kind, after, lasts }) {
      writeFileSync(control, Buffer.from(Int32Array.of(kinds.indexOf(kind), after, lasts, 0).buffer));
      return { LD_PRELOAD: library, COMMONPLACE_TEST_DISK: control, COMMONPLACE_TEST_DISK_FOLDER: dataFolder };
    },
    met: () => (existsSync(control) ? readFileSync(control).readInt32LE(12) : 0),
  });
}
