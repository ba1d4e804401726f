/*
 * Installs the package that `npm run release` makes as users do: npm install -g, npx, pnpm dlx and bunx, each in an empty
 * home, from its own registry on 127.0.0.1 that asks the configured registry for everything else. Then the server
 * must answer over stdio. `npm run test:install`. It fetches its tools and takes minutes, so it is not part of the gate.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { column, makePdf } from '../../tests/support/texts/pdf.ts';
import { manifest, root } from '../release/facts.ts';
import { maxInstalledMegabytes } from '../release/installed-parts.ts';
import { startRegistry } from './registry.ts';

const tools = { verdaccio: '6.10.4', pnpm: '12.21.0', bun: '1.4.5' };

const folder = mkdtempSync(join(tmpdir(), 'commonplace-install-'));
const toolsFolder = join(folder, 'tools');
const sentence = 'The ferry leaves the old harbour at seven.';

/** An empty home, whose package managers know the registry and nothing else. */
function emptyHome(name: string, registry: string): { cwd: string; env: Record<string, string> } {
  const home = join(folder, name);
  mkdirSync(join(home, 'work'), { recursive: true });
  // npm publishes only for somebody; the registry takes it from everybody.
  const token = `//${new URL(registry).host}/:_authToken=anybody`;
  writeFileSync(join(home, '.npmrc'), `registry=${registry}\n${token}\nprefix=${join(home, 'prefix')}\n`);
  return {
    cwd: join(home, 'work'),
    env: {
      HOME: home,
      USERPROFILE: home,
      npm_config_registry: registry,
      BUN_CONFIG_REGISTRY: registry,
      PATH: [
        dirname(process.execPath),
        join(home, 'prefix', 'bin'),
        join(toolsFolder, 'node_modules', '.bin'),
        process.env['PATH'] ?? '',
      ].join(delimiter),
    },
  };
}

type Home = ReturnType<typeof emptyHome>;

function run(home: Home, command: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { ...home, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}`));
    });
  });
}

/** Connects to the command as a host does, and counts the tools. */
async function askServer(home: Home, command: string, ...args: string[]): Promise<number> {
  const client = new Client({ name: 'install-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, ...home, stderr: 'inherit' }), { timeout: 300_000 });
  const { tools: listed } = await client.listTools();
  const { isError } = await client.callTool({ name: 'list_goals', arguments: {} });
  await client.close();
  if (isError === true) throw new Error('the server answers with an error');
  return listed.length;
}

async function tryIt(name: string, attempt: () => Promise<string>): Promise<boolean> {
  const began = performance.now();
  const [passed, what] = await attempt().then(
    (text) => [true, text] as const,
    (error: unknown) => [false, error instanceof Error ? error.message : String(error)] as const,
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name}: ${what} (${seconds} s)\n`);
  return passed;
}

async function installGlobally(home: Home): Promise<string> {
  await run(home, 'npm', 'install', '-g', '--no-audit', '--no-fund', manifest.name);
  const version = (await run(home, 'commonplace', '--version')).trim();
  if (version !== manifest.version) throw new Error(`it calls itself ${version}`);
  const pdf = join(home.cwd, 'ferry.pdf');
  writeFileSync(pdf, await makePdf([column([sentence], 72, 100)]));
  if (!(await run(home, 'commonplace', 'extract', pdf)).includes(sentence)) throw new Error('it does not read a PDF');
  const modules = join(home.env['HOME'] ?? '', 'prefix', 'lib', 'node_modules');
  const megabytes = Number(execFileSync('du', ['-sk', modules], { encoding: 'utf8' }).split('\t')[0]) / 1_024;
  if (megabytes > maxInstalledMegabytes) throw new Error(`it takes ${megabytes.toFixed(0)} MB`);
  // Without arguments: stdin is a pipe, so it serves.
  const count = await askServer(home, 'commonplace');
  return `${count} tools, reads a PDF, ${megabytes.toFixed(0)} MB`;
}

let close: (() => Promise<void>) | undefined;
try {
  mkdirSync(toolsFolder);
  const allowScripts = { pnpm: true, bun: true };
  // A mirror may not know the tag by which verdaccio asks for node-fetch.
  const overrides = { 'node-fetch': '2.6.7' };
  const own = { private: true, dependencies: tools, allowScripts, overrides };
  writeFileSync(join(toolsFolder, 'package.json'), JSON.stringify(own));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: toolsFolder,
    stdio: 'inherit',
  });
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { cwd: toolsFolder, encoding: 'utf8' }).trim();
  const registry = await startRegistry(toolsFolder, manifest.name, upstream);
  ({ close } = registry);

  execFileSync(process.execPath, [join(root, 'scripts/release/run.ts'), '--only', 'package', '--into', folder], {
    stdio: 'inherit',
  });
  const tarball = join(folder, `${manifest.name}-${manifest.version}.tgz`);
  // Provenance is for the release workflow, whose identity it proves.
  await run(emptyHome('publisher', registry.url), 'npm', 'publish', '--provenance=false', tarball);

  const home = (name: string) => emptyHome(name, registry.url);
  const results = [
    await tryIt('npm install -g', () => installGlobally(home('npm'))),
    await tryIt('npx', async () => `${await askServer(home('npx'), 'npx', '-y', manifest.name, 'stdio')} tools`),
    await tryIt(
      'pnpm dlx',
      async () => `${await askServer(home('pnpm'), 'pnpm', 'dlx', manifest.name, 'stdio')} tools`,
    ),
    await tryIt('bunx', async () => `${await askServer(home('bunx'), 'bunx', manifest.name, 'stdio')} tools`),
  ];
  if (results.includes(false)) process.exitCode = 1;
} finally {
  await close?.();
  rmSync(folder, { recursive: true, force: true });
}
