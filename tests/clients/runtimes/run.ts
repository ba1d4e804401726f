/*
 * Tries the TypeScript client in Node, Deno and Bun against the built server. Installs Deno and Bun from npm into a
 * temporary folder (250 MB): outside of the gate, because that needs the registry.
 *
 *   npm run test:runtimes
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, startServing } from '../../support/servers/serving.ts';

const versions = { deno: '2.9.6', bun: '1.4.5' };

const root = mkdtempSync(join(tmpdir(), 'commonplace-runtimes-'));
const project = join(import.meta.dirname, '..', '..', '..');
const data = join(root, 'data');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

writeFileSync(join(root, 'package.json'), '{"private": true, "type": "module"}\n');
const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
// Without their scripts, which only copy the program to another place.
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
  cwd: root,
  stdio: 'inherit',
});
const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
const built = join(root, 'client');
execFileSync(process.execPath, [compiler, '-p', join(project, 'clients', 'typescript'), '--outDir', built]);

const arch = process.arch === 'x64' ? 'x64' : 'aarch64';
const runtimes: Record<string, readonly [string, ...string[]]> = {
  [`Node ${process.versions.node}`]: [process.execPath],
  [`Deno ${versions.deno}`]: [
    process.execPath,
    join(root, 'node_modules', 'deno', 'bin.cjs'),
    'run',
    '--allow-net',
    '--allow-read',
  ],
  [`Bun ${versions.bun}`]: [join(root, 'node_modules', '@oven', `bun-${process.platform}-${arch}`, 'bin', 'bun')],
};

const { token } = await runCommand<{ token: string }>(data, 'token', 'create', 'runtimes');
const server = await startServing(data, 0, ['--api-v1', '--embedder', 'none']);
try {
  for (const [name, [program, ...flags]] of Object.entries(runtimes)) {
    say(name);
    const exercise = join(import.meta.dirname, 'exercise.mjs');
    execFileSync(program, [...flags, exercise, server.url, token, join(built, 'index.js')], { stdio: 'inherit' });
  }
} finally {
  await server.end();
  rmSync(root, { recursive: true, force: true });
}
