import { readFile } from 'node:fs/promises';

/**
 * Measures the peak of the anonymous memory of this process and its child processes, such as the model's, in megabytes.
 * Linux only; null elsewhere.
 */
export function watchMemory(): { stop: () => Promise<number | null> } {
  let peak: number | null = null;
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const look = async () => {
    const children = (await read(`/proc/self/task/${process.pid}/children`)).split(' ').filter(Boolean);
    let total = 0;
    for (const pid of ['self', ...children]) {
      total += Number(/^RssAnon:\s+(\d+) kB/m.exec(await read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;
    }
    if (total > 0) peak = Math.max(peak ?? 0, total);
  };
  const timer = setInterval(() => void look(), 50).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await look();
      return peak;
    },
  };
}
