import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/*
 * `TEST_COSTS=<file> npm test` writes a line of JSON for each test file there: the seconds of processor time that loading it and running it took, with the
 * processes that it started and waited for (the latter on Linux alone). The clock tells little of that on a machine that does other things as well.
 */

/** What Linux counts in a second. */
const ticks = 100;

function processorSeconds(): { own: number; children: number } {
  const { user, system } = process.cpuUsage();
  let children = 0;
  if (process.platform === 'linux') {
    // After the name of the program, which is in brackets and may have blanks: state, …; the 14th and 15th are those of children.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    children = (Number(fields[13]) + Number(fields[14])) / ticks;
  }
  return { own: (user + system) / 1e6, children };
}

const into = process.env['TEST_COSTS'];
if (into) {
  const began = processorSeconds();
  let loaded = began;
  beforeAll(() => {
    loaded = processorSeconds();
  });
  afterAll(() => {
    const ended = processorSeconds();
    const file = relative(process.cwd(), expect.getState().testPath ?? '');
    const rounded = (seconds: number): number => Math.round(seconds * 100) / 100;
    const cost = {
      file,
      loading: rounded(loaded.own - began.own),
      running: rounded(ended.own - loaded.own),
      children: rounded(ended.children - began.children),
      pid: process.pid,
    };
    appendFileSync(into, JSON.stringify(cost) + '\n');
  });
}
