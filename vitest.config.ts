import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { builtWorkers } from './tests/support/vitest/built-workers.ts';
import './tests/support/vitest/compile-cache.ts';

/**
 * The stage of a test file, by its folder or its first line:
 *
 * - `first` is what `npm test` runs.
 * - `second` is what takes longest: journeys of the built program, pages in a browser, other clients, conformance, models against what they were
 *   measured at, large texts, and texts and requests that are made to be slow. Coverage, which makes long loops up to three times slower, is not
 *   measured there. A file outside of its folders begins with `// Second stage.`
 * - `alone` compares processor times, or takes much memory: each file has a process of its own, because collecting much other memory would count.
 *   Such a file begins with `// Second stage, alone.`
 * - `postgres` needs a PostgreSQL server: one of its own, from a wheel of PyPI, over a Unix socket. Part of the second stage, but on Windows.
 * - `extension` is the browser extension in a full Chromium, which the gate has not: `npm run test:extension`.
 */
function stageOf(file: string): string {
  if (file.startsWith('clients/extension/')) return 'extension';
  if (/^store\/postgres\/|\.postgres\.test\.ts$/.test(file)) return 'postgres';
  if (/^(?:clients\/(?!web\/)|journeys\/)/.test(file)) return 'second';
  const [line = ''] = readFileSync(join(import.meta.dirname, 'tests', file), 'utf8').split('\n', 1);
  if (line === '// Second stage, alone.') return 'alone';
  return line === '// Second stage.' ? 'second' : 'first';
}

const testFiles = readdirSync(join(import.meta.dirname, 'tests'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.test.ts'));
const stage = (name: string) => testFiles.filter((file) => stageOf(file) === name).map((file) => `tests/${file}`);

/**
 * Files with a process of their own come first: between files that share processes, each would end a shared one. Contracts, which take longest, are
 * next, so that no worker is left with one in the end. Vitest orders the others by how long they took before, or by their size.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      if (project.config.isolate) return 0;
      return /[\\/]contracts[\\/]/.test(moduleId) ? 1 : 2;
    };
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  plugins: [builtWorkers()],
  test: {
    setupFiles: [
      'tests/support/vitest/compile-cache.ts',
      'tests/support/vitest/seed.ts',
      'tests/support/vitest/costs.ts',
    ],
    sequence: { sequencer: LongestFirst },
    // These find what hangs. A busy machine is no reason to fail, so tests have no shorter limits of their own.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // CI has two cores. Tests wait for processes and timers often enough for a third worker to be of use, and in the second stage for
    // a fourth and a fifth (`npm run test:second`).
    maxWorkers: 3,
    // Tests make much that is soon thrown away. With room for it, the first stage took 304 processor seconds instead of 332.
    execArgv: ['--max-semi-space-size=64'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // The first runs on a server, in the second stage. The others begin processes and threads, in which nothing is counted.
      exclude: ['src/store/postgres/**', 'src/**/!(queue)-worker.ts'],
      reporter: ['text-summary'],
      // What the first stage alone reaches, and a little less: what runs in processes of its own is not counted.
      thresholds: { lines: 86, functions: 84, branches: 76 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'first',
          include: stage('first'),
          // Files share the workers' processes: to load the sources anew for each of some two hundred took a quarter of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'second',
          include: [...stage('second'), ...(process.platform === 'win32' ? [] : stage('postgres'))],
          // Loading the sources and Vitest anew took half a second of a processor for each file, and more.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'second-alone', include: stage('alone') } },
      { extends: true, test: { name: 'extension', include: stage('extension') } },
    ],
  },
});
