/*
 * Puts requests that schemathesis (PyPI) makes from our OpenAPI documents to a server with two accounts, and holds every answer against
 * the document: `npm run test:schemathesis` sends at least 20,000 requests to both interfaces together, with `--gate` 1,000.
 * `--seed <n>` repeats a run, `--only /api/v1` tries one interface. It needs Python 3.10 or later with `venv` and pip, and PyPI; the server uses no network.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { localAccountId } from '../src/domain/records/account.ts';
import { permissions } from '../src/domain/access/permission.ts';
import { openTestServer } from '../tests/support/test-server.ts';
import { makeKey } from '../tests/support/access/keys.ts';
import { addSampleRecords } from '../tests/support/api/sample-records.ts';
import { createPythonEnvironment } from './python-environment.ts';

/** Pinned: a check must not change by itself. */
const tool = 'schemathesis==4.32.5';
const folder = fileURLToPath(new URL('schemathesis/', import.meta.url));

const { values: flags } = parseArgs({
  options: {
    gate: { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const firstSeed = Number(flags.seed);
const phases = ['examples', 'coverage', 'fuzzing', 'stateful'];
/**
 * Requests to each interface, and examples of each route in each phase of a round. /api/v1 has three times as many routes, so the gate leaves one
 * phase out there: that which tries each value at each of its limits. The fixed interface has the same parameters.
 */
const interfaces = [
  {
    name: 'the fixed interface',
    apiV1: false,
    document: '/openapi.json',
    requests: flags.gate ? 300 : 6_000,
    examples: flags.gate ? 3 : 40,
    phases,
  },
  {
    name: '/api/v1',
    apiV1: true,
    document: '/api/v1/openapi.json',
    requests: flags.gate ? 500 : 14_000,
    examples: flags.gate ? 8 : 40,
    phases: flags.gate ? phases.filter((phase) => phase !== 'coverage') : phases,
  },
];

/** A round with fewer has gone wrong. */
const minRequests = 100;

const environment = await mkdtemp(join(tmpdir(), 'commonplace-schemathesis-'));

/** @returns the exit code */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      code === null ? reject(new Error(`${program} was ended by ${signal}`)) : resolve(code),
    );
  });
}

/** How many requests the server answered, by status. */
async function countAnswers(url: string, token: string): Promise<Map<string, number>> {
  const metrics = await (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).text();
  const counts = new Map<string, number>();
  for (const line of metrics.split('\n')) {
    if (!line.startsWith('commonplace_http_request_duration_seconds_count{')) continue;
    const status = /status="(\d+)"/.exec(line)?.[1] ?? '';
    counts.set(status, (counts.get(status) ?? 0) + Number(line.slice(line.lastIndexOf(' '))));
  }
  return counts;
}

/** @returns the seeds with findings */
async function tryInterface({
  name,
  apiV1,
  document,
  requests,
  examples,
  phases,
}: (typeof interfaces)[number]): Promise<number[]> {
  const testServer = await openTestServer(
    {
      httpPort: 0,
      shutdownGraceSeconds: 0,
      embedder: 'none',
      apiV1,
      metrics: true,
      rateLimitPerMinute: 0,
    },
    { failedAuthPerMinute: 0 },
  );
  const { access, stores } = testServer.app;
  const other = await access.addAccount('Second', 'pro');
  const tokens: string[] = [];
  for (const account of [localAccountId, other.id]) {
    await addSampleRecords(await stores.open(account));
    // A key that revokes keys would end itself, and everything after that would be 401.
    const own = permissions.filter((one) => one !== 'keys:delete');
    tokens.push((await makeKey(testServer.app, own, { account })).secret);
  }
  const [first = '', second = ''] = tokens;
  const accounts = join(environment, 'accounts.json');
  const header = (token: string) => [{ name: 'Authorization', value: `Bearer ${token}` }];
  await writeFile(
    accounts,
    JSON.stringify({
      auth: [
        { name: 'first', fixedHeaders: header(first) },
        { name: 'second', fixedHeaders: header(second) },
      ],
    }),
  );
  // The worker is not started: nothing is fetched.
  const listening = await testServer.app.serve();
  const send = (seed: number): Promise<number> => {
    const chosen = [
      '--phases',
      phases.join(','),
      '--seed',
      String(seed),
      '--max-examples',
      String(examples),
      '--no-color',
    ];
    return run(join(environment, 'bin', 'schemathesis'), ['run', `${listening.url}${document}`, ...chosen], {
      SCHEMATHESIS_ACCOUNTS: accounts,
    });
  };
  const failed: number[] = [];
  try {
    let sent = 0;
    for (let seed = firstSeed; sent < requests; seed += 1) {
      process.stdout.write(`\n${name}, seed ${seed}\n`);
      const code = await send(seed);
      // 1: it has findings. All else: it could not run.
      if (code > 1) throw new Error(`schemathesis ended with ${code}`);
      if (code === 1) failed.push(seed);
      const before = sent;
      const counts = await countAnswers(listening.url, first);
      sent = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const byStatus = [...counts].map(([status, count]) => `${count} × ${status}`);
      process.stdout.write(`${sent} requests: ${byStatus.join(', ')}\n`);
      if (counts.has('500')) failed.push(seed);
      if (sent - before < minRequests) throw new Error('schemathesis sent hardly any requests: see above');
    }
    return failed;
  } finally {
    await listening.close(AbortSignal.abort());
    await testServer.close();
  }
}

try {
  await createPythonEnvironment(environment, [tool]);
  for (const one of interfaces) {
    if (flags.only !== '' && flags.only !== one.name) continue;
    const failed = await tryInterface(one);
    if (failed.length === 0) continue;
    process.stdout.write(`\nFindings in ${one.name} with --seed ${failed.join(', ')}.\n`);
    process.exitCode = 1;
  }
} finally {
  await rm(environment, { recursive: true, force: true });
}
