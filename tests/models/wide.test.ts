import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasTestedWideInstructions } from '../../src/models/embedding/minilm/kernel.ts';

const stub = fileURLToPath(new URL('wide-stub.ts', import.meta.url));

/** Runs the kernel in a process of its own, all of it compiled by the engine's second tier, the one that widens. */
function run(width: 'wide' | 'narrow') {
  const flags = ['--no-liftoff', '--trace-wasm-revectorize', stub, width];
  const { stdout } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  const { vectors, functions }: { vectors: string[]; functions: [string, string][] } = JSON.parse(
    stdout.trim().split('\n').at(-1)!,
  );
  const widened = stdout
    .split('Begin revec function wasm-function#')
    .slice(1)
    .filter((part) => part.includes('Decide to vectorize'))
    .map((part) => String(Number.parseInt(part, 10)));
  return { vectors, widened: functions.filter(([, index]) => widened.includes(index)).map(([name]) => name) };
}

test('wide instructions are asked only of the engine and the processors that the tests below see', () => {
  expect(hasTestedWideInstructions('13.6.233.17-node.53', 'x64')).toBe(true);
  expect(hasTestedWideInstructions('13.6.233.17-node.53', 'arm64')).toBe(false);
  expect(hasTestedWideInstructions('12.4.254.21-node.33', 'x64')).toBe(false);
  expect(hasTestedWideInstructions('14.1.0', 'x64')).toBe(false);
});

describe.runIf(hasTestedWideInstructions())('instructions of 256 bits', () => {
  let [narrow, wide]: ReturnType<typeof run>[] = [];
  beforeAll(() => {
    [narrow, wide] = [run('narrow'), run('wide')];
  });

  test('give the same vectors as those of 128 bits, bit for bit', () => {
    expect(narrow?.vectors).toHaveLength(11);
    expect(wide?.vectors).toEqual(narrow?.vectors);
  });

  test('are what the engine makes of the functions that take the time', () => {
    expect(narrow?.widened).toEqual([]);
    expect(wide?.widened).toEqual(['quantise', 'linear', 'addAndNorm', 'gelu', 'attend']);
  });
});
