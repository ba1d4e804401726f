/*
 * Installs a packed package into an empty folder, as a user would, and asks its server for its tools over stdio.
 * Prints what was installed and how large it is; exits 1 when anything does not answer.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { maxInstalledMegabytes } from './release/installed-parts.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: check-package.ts <folder with the .tgz>');
const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
if (tarball === undefined) throw new Error('there is no packed package in that folder');

writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `./${tarball}`], {
  cwd: folder,
  // The machine's own Node.js may be one that the package refuses.
  env: { ...process.env, PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter) },
  stdio: 'inherit',
});
const main = join(folder, 'node_modules', 'commonplace-mcp', 'dist', 'main.js');
if (!existsSync(main)) throw new Error('the package has no dist/main.js');

const client = new Client({ name: 'package-check', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [main, 'stdio', '--data', join(folder, 'data')],
    stderr: 'inherit',
  }),
);
const { tools } = await client.listTools();
const goals = await client.callTool({ name: 'list_goals', arguments: {} });
await client.close();
if (tools.length < 7 || goals.isError === true) throw new Error('the packed server does not answer as it should');

const megabytes = (path: string) =>
  Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0]) / 1_024;
const installed = megabytes(join(folder, 'node_modules'));
process.stdout.write(
  `packed server: ${tools.length} tools answered; package ${megabytes(join(folder, 'node_modules', 'commonplace-mcp')).toFixed(0)} MB, with dependencies ${installed.toFixed(0)} MB\n`,
);
if (installed > maxInstalledMegabytes) throw new Error(`an installation may take ${maxInstalledMegabytes} MB`);
