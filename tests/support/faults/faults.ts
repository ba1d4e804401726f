/** Points of the program's work at which it can be killed. */
export type FaultPoint =
  | 'fetched'
  | 'statement'
  | 'before-commit'
  | 'after-commit'
  /** Before any call that changes a file or a folder. */
  | 'file-call'
  | 'file-written'
  | 'file-renamed';

/** What `faults.mjs` does in the process that it is loaded into. */
export interface Faults {
  /** Kills the process when it comes to a point for the n-th time, counted from 1. */
  kill?: {
    point: FaultPoint;
    /** How the name of the file ends that the program works on there. Absent: any. */
    file?: string;
    /** Words of the statement. Absent: any. */
    sql?: string;
    /** 0: never, only counted. */
    at: number;
  };
  /** A file that is written before that kill: it tells it from a crash. */
  killedNote?: string;
  /** A file that is written when the process ends by itself: how many times it came to the point. */
  countNote?: string;
  /** The disk is full when a database has grown by so many pages since the process opened it. */
  pagesLeft?: number;
  /** What is wrong with the time of day. */
  clock?: {
    /** From the start. Negative: behind. */
    aheadMs?: number;
    /** From the n-th commit on. */
    jump?: { ms: number; atCommit: number };
  };
}

/** The environment in which the built program meets these faults. */
export function withFaults(faults: Faults): NodeJS.ProcessEnv {
  const module = new URL('./faults.mjs', import.meta.url).href;
  return { ...process.env, NODE_OPTIONS: `--import ${module}`, COMMONPLACE_TEST_FAULTS: JSON.stringify(faults) };
}
