import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type Listening } from '../../../src/http/listen.ts';
import { addMcpRoutes } from '../../../src/http/mcp.ts';
import { openHttpServer, type HttpTestServer } from '../../support/http.ts';
import { createFixtureServer } from './fixture-server.ts';
import { addTokenBefore } from './with-token.ts';

/*
 * The official conformance suites against the HTTP server as it is: its gate, its tokens, its limits. Only the
 * suites' own tools, resources and prompts are added to what the server shows.
 */

let testServer: HttpTestServer;
let listening: Listening;
let front: Awaited<ReturnType<typeof addTokenBefore>>;

beforeAll(async () => {
  testServer = await openHttpServer(
    { embedder: 'none', httpPort: 0, shutdownGraceSeconds: 0 },
    { mounts: [(app, parts) => addMcpRoutes(app, parts, createFixtureServer)] },
  );
  listening = await listen(testServer.server, testServer.app.config, testServer.app.log);
  front = await addTokenBefore(listening.url, testServer.token);
});
afterAll(async () => {
  await front.close();
  await listening.close(AbortSignal.abort());
  await testServer.close();
});

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Outcome {
  exitCode: number;
  passed: string[];
  failed: string[];
  output: string;
}

function run(suite: 'conformance-2025' | 'conformance-2026', ...options: string[]): Promise<Outcome> {
  const program = at(`../../../node_modules/${suite}/dist/index.js`);
  const command = [program, 'server', '--url', `${front.url}/mcp`, ...options];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const output = stdout + stderr;
      const scenarios = (mark: string) =>
        [...output.matchAll(new RegExp(`^${mark} ([\\w-]+): `, 'gm'))].map(([, name]) => name ?? '');
      const exitCode = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
      resolve({ exitCode, passed: scenarios('✓'), failed: scenarios('✗'), output });
    });
  });
}

const asking = [
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'tools-call-elicitation',
  'tools-call-sampling',
];

test('suite 0.1.16 passes for 2025-11-25, except for the four scenarios in which a server calls its client', async () => {
  const outcome = await run('conformance-2025', '--expected-failures', at('expected-failures-2025.yml'));
  expect(outcome.failed.sort(), outcome.output).toEqual(asking);
  expect(outcome.passed.length).toBe(26);
  expect(outcome.exitCode, outcome.output).toBe(0);
});

test('suite 0.2.0-alpha.12 passes for 2026-07-28', async () => {
  const outcome = await run('conformance-2026', '--requirements', '2026-07-28');
  expect(outcome.exitCode, outcome.output).toBe(0);
  // What failed is none of what is required: tasks are an extension that is not offered.
  expect(outcome.failed.filter((name) => !name.startsWith('tasks-'))).toEqual([]);
  expect(outcome.passed.length).toBeGreaterThanOrEqual(40);
});

test('suite 0.2.0-alpha.12 passes for 2025-11-25, except for the same four scenarios', async () => {
  const outcome = await run('conformance-2026', '--requirements', '2025-11-25');
  expect(outcome.failed.sort(), outcome.output).toEqual(asking);
});
