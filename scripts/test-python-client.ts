/*
 * Builds the Python client, installs its wheel into an empty environment, and tests it there against a server of this project:
 * `npm run test:python`. It needs Python 3.10 or later with `venv` and pip, and PyPI.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { localCaller } from '../src/domain/records/account.ts';
import { permissions } from '../src/domain/access/permission.ts';
import { openTestServer } from '../tests/support/test-server.ts';
import { articlePage, serve, startSite } from '../tests/support/servers/site.ts';
import { staleFiles } from './clients/write.ts';
import { createPythonEnvironment, installIn } from './python-environment.ts';

const client = fileURLToPath(new URL('../clients/python/', import.meta.url));
/** Pinned: a check must not change by itself. */
const tools = ['build==1.6.1', 'hatchling==1.33.0', 'pytest==9.2.0', 'ruff==0.17.6', 'pyright==1.1.414'];

const environment = await mkdtemp(join(tmpdir(), 'commonplace-python-'));
const python = join(environment, 'bin', 'python');
const site = await startSite();
site.routes.set(
  '/sleep',
  serve(articlePage('What helps to sleep', ['Go to bed at the same hour every day. '.repeat(9)])),
);
const testServer = await openTestServer({
  httpPort: 0,
  shutdownGraceSeconds: 0,
  embedder: 'none',
  apiV1: true,
  rateLimitPerMinute: 0,
});

async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  process.stdout.write(`${[program.split('/').at(-1), ...args].join(' ')}\n`);
  const ended = promisify(execFile)(program, args, {
    cwd: client,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
  });
  ended.child.stdout?.pipe(process.stdout);
  ended.child.stderr?.pipe(process.stderr);
  await ended;
}

try {
  if (staleFiles().length > 0) throw new Error(`run npm run clients: ${staleFiles().join(', ')} is stale`);
  await createPythonEnvironment(environment, tools);
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', join(environment, 'built')]);
  const built = await readdir(join(environment, 'built'));
  const wheel = built.find((name) => name.endsWith('.whl')) ?? '';
  await installIn(environment, [join(environment, 'built', wheel)]);
  await run(python, ['-m', 'ruff', 'check', '.']);
  await run(python, ['-m', 'ruff', 'format', '--check', '.']);
  await run(python, ['-m', 'pyright', '--pythonpath', python]);
  const listening = await testServer.app.serve();
  testServer.app.worker.start();
  const { secret = '' } = await testServer.app.services.keys.create(localCaller(), { name: 'test', permissions });
  try {
    await run(python, ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', 'tests'], {
      COMMONPLACE_URL: listening.url,
      COMMONPLACE_TOKEN: secret,
      TEST_SITE: site.url,
    });
  } finally {
    await listening.close(AbortSignal.abort());
  }
} finally {
  await testServer.close();
  await site.close();
  await rm(environment, { recursive: true, force: true });
}
