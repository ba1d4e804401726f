import { readdirSync, readFileSync } from 'node:fs';

/** A file of `/proc`; empty when its process has ended. */
export const readProc = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** A process and those that it has started, with theirs (Linux). */
export function descendants(pid: number): number[] {
  let tasks: string[] = [];
  try {
    tasks = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const children = tasks.flatMap((task) =>
    readProc(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(descendants)];
}

/** Milliseconds of processor time that the threads of some processes have taken which still run. */
export function processorMs(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const task of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readProc(`/proc/${pid}/task/${task}/schedstat`).split(' ', 1)[0]);
  }
  return nanoseconds / 1e6;
}
