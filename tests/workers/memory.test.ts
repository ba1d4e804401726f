import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const file = new URL('../../src/workers/memory.ts', import.meta.url).href;
const program = `
  const { returnMemory } = await import(${JSON.stringify(file)});
  // Nearly all of it is garbage, in pages that each keep something.
  const kept = [];
  for (let at = 0; at < 400_000; at += 1) {
    const one = { at, text: 'x'.repeat(10) + at, more: [at, at + 1, at + 2, at + 3] };
    if (at % 400 === 0) kept.push(one);
    else globalThis['garbage' + (at % 50_000)] = one;
  }
  for (const name of Object.keys(globalThis)) if (name.startsWith('garbage')) delete globalThis[name];
  const before = process.memoryUsage().heapTotal;
  returnMemory();
  console.log(JSON.stringify({ before, after: process.memoryUsage().heapTotal, kept: kept.length }));
`;

it('unused memory of a process is returned', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const { before, after, kept } = JSON.parse(stdout) as Record<string, number>;
  expect(kept).toBe(1_000);
  expect(after).toBeLessThan((before ?? 0) / 2);
});
