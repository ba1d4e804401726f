import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { builtWorkers } from './tests/support/built-workers.ts';
import './tests/support/compile-cache.ts';

/**
 * What takes longest: journeys of the built program, pages in a browser, other clients, conformance, models against what they were measured at, large texts, and texts and requests
 * that are made to be slow. Coverage, which makes long loops up to three times slower, is not measured here.
 */
const secondStage = [
  'tests/cli/backup.test.ts',
  'tests/cli/doctor-check.test.ts',
  'tests/cli/locked-files.test.ts',
  'tests/clients/**/*.test.ts',
  'tests/conformance/**/*.test.ts',
  'tests/contracts/store.sqlite-threads.test.ts',
  'tests/domain/grounding.test.ts',
  'tests/http/keys/attacked.test.ts',
  'tests/injections/**/*.test.ts',
  'tests/journeys/**/*.test.ts',
  'tests/pages/**/*.test.ts',
  'tests/pipeline/split-laws.test.ts',
  'tests/services/models.test.ts',
  'tests/store/history-kill.test.ts',
];

/**
 * Of the second stage, what compares processor times, or takes much memory: each file has a process of its own, because collecting
 * much other memory would count.
 */
const secondStageAlone = [
  'tests/domain/captions.test.ts',
  'tests/domain/fair-queue.test.ts',
  'tests/domain/large-texts.test.ts',
  'tests/domain/link-end.test.ts',
  'tests/sources/hostile-texts.test.ts',
  'tests/sources/host/hostile-readings.test.ts',
  'tests/sources/large-pages.test.ts',
  'tests/sources/linear-readers.test.ts',
  'tests/sources/long-prose.test.ts',
];

/** The browser extension in a full Chromium, which the gate has not: `npm run test:extension`. */
const inFullChromium = ['tests/extension/**/*.test.ts'];

/** What needs a PostgreSQL server: one of its own, from a wheel of PyPI, over a Unix socket. Part of the second stage, but on Windows. */
const onPostgres = ['tests/contracts/*.postgres.test.ts', 'tests/store/postgres/**/*.test.ts'];

/**
 * What takes longest comes first, so that neither worker is left with it in the end. Vitest knows that by itself of what it has run before,
 * and in a fresh clone begins with the largest files.
 */
const longestFirst = [
  // The second stage.
  'tests/contracts/store.postgres.test.ts',
  'tests/contracts/store.sqlite-threads.test.ts',
  'tests/sources/hostile-texts.test.ts',
  'tests/journeys/torture.test.ts',
  'tests/store/postgres/servers.test.ts',
  'tests/journeys/carry-kills.test.ts',
  'tests/journeys/import.test.ts',
  'tests/journeys/kill.test.ts',
  'tests/journeys/stdio.test.ts',
  'tests/domain/grounding.test.ts',
  'tests/injections/claude.test.ts',
  'tests/pages/todo.test.ts',
  'tests/pages/saving.test.ts',
  'tests/journeys/network.test.ts',
  'tests/journeys/data-folder.test.ts',
  'tests/sources/host/hostile-readings.test.ts',
  'tests/sources/large-pages.test.ts',
  'tests/injections/tools.test.ts',
  'tests/journeys/serve.test.ts',
  // The first.
  'tests/cli/commands.test.ts',
  'tests/contracts/store.sqlite.test.ts',
  'tests/sources/files/documents.test.ts',
  'tests/sources/host/reader-process.test.ts',
  'tests/services/importing.test.ts',
  'tests/operations/parity.test.ts',
  'tests/store/backup.test.ts',
  'tests/store/full-text.test.ts',
  'tests/store/search-threads.test.ts',
  'tests/http/oauth/oauth.test.ts',
  'tests/pipeline/queue-worker.test.ts',
  'tests/pipeline/fairness.test.ts',
  'tests/regex-gate/verdict.test.ts',
];

/** Files with a process of their own come before all others: between files that share processes, each would end a shared one. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      if (project.config.isolate) return -1;
      const place = longestFirst.indexOf(relative(import.meta.dirname, moduleId).replaceAll('\\', '/'));
      return place === -1 ? longestFirst.length : place;
    };
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  plugins: [builtWorkers()],
  test: {
    setupFiles: ['tests/support/compile-cache.ts', 'tests/support/seed.ts', 'tests/support/costs.ts'],
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
      // Runs on a server, in the second stage.
      exclude: ['src/store/postgres/**'],
      reporter: ['text-summary'],
      // What the first stage alone reaches, and a little less: what runs in processes of its own is not counted.
      thresholds: { lines: 86, functions: 84, branches: 76 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'first',
          include: ['tests/**/*.test.ts'],
          exclude: [...secondStage, ...secondStageAlone, ...onPostgres, ...inFullChromium],
          // Files share the workers' processes: to load the sources anew for each of some two hundred took a quarter of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'second',
          include: [...secondStage, ...(process.platform === 'win32' ? [] : onPostgres)],
          // Loading the sources and Vitest anew took half a second of a processor for each file, and more.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'second-alone', include: secondStageAlone } },
      { extends: true, test: { name: 'extension', include: inFullChromium } },
    ],
  },
});
