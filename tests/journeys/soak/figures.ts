import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { anonymousMemoryOfTree } from '../hostile/attacked-server.ts';
import type { Times } from './load.ts';

/** What the server is at one moment. */
export interface Sample {
  /** Seconds since the beginning. */
  at: number;
  /** Anonymous memory of all its processes, in megabytes. */
  memory: number;
  /** Files, sockets and pipes that all its processes have open. */
  handles: number;
  /** Write-ahead logs of all databases, in megabytes. */
  logs: number;
  /** The middle answer time since the last sample, in milliseconds. */
  latency: number;
  /** The middle answer time of the control, which does the same work all the time: only the machine changes it. */
  control: number;
  /** The middle answer time, as a multiple of that of the control. */
  ratio: number;
}

/** What is judged. Answer times are judged by their ratio, and only their limit by themselves. */
export type Figure = Exclude<keyof Sample, 'at'>;

const megabyte = 1024 ** 2;

/** Of a process and all its descendants. A process that ends meanwhile has none. */
function countHandles(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return (
      readdirSync(`/proc/${pid}/fd`).length + children.reduce((sum, child) => sum + countHandles(Number(child)), 0)
    );
  } catch {
    return 0;
  }
}

function logBytes(folder: string): number {
  const logs = ['control.db-wal', ...readdirSync(join(folder, 'accounts')).map((name) => join('accounts', name))];
  return logs
    .filter((name) => name.endsWith('-wal'))
    .reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

export function takeSample(pid: number, folder: string, at: number, { answers, control }: Times): Sample {
  return {
    at,
    memory: (anonymousMemoryOfTree(pid) ?? 0) / megabyte,
    handles: countHandles(pid),
    logs: logBytes(folder) / megabyte,
    latency: median(answers),
    control: median(control),
    ratio: median(answers) / median(control),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Growth that is taken for none: of the middle value, or this much where that is more. */
const allowed: Record<Exclude<Figure, 'latency' | 'control'>, { share: number; least: number }> = {
  memory: { share: 0.1, least: 30 },
  handles: { share: 0.1, least: 10 },
  logs: { share: 0.25, least: 8 },
  ratio: { share: 0.25, least: 0.5 },
};

const maxGrowth = (figure: keyof typeof allowed, middle: number): number =>
  Math.max(allowed[figure].least, allowed[figure].share * middle);

/** What no sample may pass, however short the run. */
export const limits: Record<Figure, number> = {
  memory: 1_024,
  handles: 400,
  logs: 96,
  latency: 30_000,
  control: Infinity,
  ratio: Infinity,
};

export interface Growth {
  figure: Figure;
  middle: number;
  highest: number;
  /** By how much the line through the second half of the run rises from its begin to its end; of logs, by how much their highest rises from the first half to the second. */
  growth: number;
  /** Null: it is not judged by its growth, because the load of the machine changes it. */
  isFlat: boolean | null;
}

/**
 * The line is Theil and Sen's, the median of the slopes between all pairs of samples: single peaks, such as a backup, do not bend it.
 * The first half does not count, because caches fill and models load.
 * Logs grow until they are cut back, which may take as long as half a run: their highest is compared with that of the first half.
 */
export function growthOf(figure: Figure, samples: readonly Sample[]): Growth {
  const middleAt = Math.floor(samples.length / 2);
  const highestOf = (part: readonly Sample[]) => Math.max(...part.map((sample) => sample[figure]));
  const half = samples.slice(middleAt).filter((_, at, { length }) => at % Math.ceil(length / 300) === 0);
  const slopes = half.flatMap((a, index) => half.slice(index + 1).map((b) => (b[figure] - a[figure]) / (b.at - a.at)));
  const growth =
    figure === 'logs'
      ? highestOf(samples.slice(middleAt)) - highestOf(samples.slice(0, middleAt))
      : median(slopes) * ((half.at(-1)?.at ?? 0) - (half[0]?.at ?? 0));
  const middle = median(half.map((sample) => sample[figure]));
  return {
    figure,
    middle,
    highest: highestOf(samples),
    growth,
    isFlat: figure === 'latency' || figure === 'control' ? null : growth <= maxGrowth(figure, middle),
  };
}
