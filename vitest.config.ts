import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests start the sources some hundred times as threads and processes. With this, Node strips their types and compiles them once.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'commonplace', 'compiled');

/** What takes longest: whole journeys of the built program, conformance, and texts that are made to be slow. */
const secondStage = [
  'tests/conformance/**/*.test.ts',
  'tests/contracts/store.sqlite-threads.test.ts',
  'tests/injections/**/*.test.ts',
  'tests/journeys/**/*.test.ts',
  'tests/sources/hostile-texts.test.ts',
  'tests/sources/host/hostile-readings.test.ts',
  'tests/sources/large-pages.test.ts',
];

export default defineConfig({
  test: {
    setupFiles: ['tests/support/seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores are what CI has; more workers only make the spawned servers wait for each other.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary'],
      // What the first stage alone reaches, and a little less: what runs in processes of its own is not counted.
      thresholds: { lines: 87, functions: 84, branches: 76 },
    },
    projects: [
      { extends: true, test: { name: 'first', include: ['tests/**/*.test.ts'], exclude: secondStage } },
      { extends: true, test: { name: 'second', include: secondStage } },
    ],
  },
});
