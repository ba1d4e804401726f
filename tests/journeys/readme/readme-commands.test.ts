import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite } from '../../../demo/site-server.ts';
import type { Outcome } from '../../support/command.ts';

/*
 * The commands of README.md, typed one after the other by a newcomer with an empty home folder. Changed are the address,
 * which the demo's site answers, and what would write to an assistant's settings or build the program once more.
 */

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim())
  .filter((line) => line !== '');

/** Those that stand in a sentence. */
const inSentences = [...readme.matchAll(/`(commonplace [^`]+)`/g)].map(([, command = '']) => command);

const installation = 'npm ci && npm run build && npm install --global .';
/** `.ci/run` runs these in a fresh checkout. */
const ofTheGate = ['npm ci && npm run demo', 'npm ci && npm test'];

let home: string;
let site: Awaited<ReturnType<typeof startSite>>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'commonplace-newcomer-'));
  mkdirSync(join(home, '.cursor'));
  writeFileSync(join(home, '.cursor', 'mcp.json'), '{}\n');
  site = await startSite();
  // The program has been built already, and its packages are there.
  const installed = await type('npm install --global .', '--offline', '--no-audit', '--no-fund');
  if (installed.code !== 0) throw new Error(installed.stderr);
});
afterAll(() => {
  site.close();
  rmSync(home, { recursive: true, force: true });
});

/** Types a command in the checkout, with nothing on stdin. */
function type(command: string, ...flags: string[]): Promise<Outcome> {
  const prefix = join(home, 'npm');
  const folders = [join(prefix, 'bin'), dirname(process.execPath), process.env['PATH'] ?? ''];
  return new Promise((resolve) => {
    const child = execFile(
      'sh',
      ['-c', [command.replaceAll('https://example.com', site.url), ...flags].join(' ')],
      {
        cwd: checkout,
        env: {
          HOME: home,
          PATH: folders.join(delimiter),
          npm_config_prefix: prefix,
          COMMONPLACE_ALLOW_PRIVATE_ADDRESSES: 'true',
        },
      },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

test('every command is tested here or in the gate', () => {
  expect(commands.filter((command) => !command.startsWith('commonplace'))).toEqual([installation, ...ofTheGate]);
  const gate = readFileSync(join(checkout, '.ci', 'run'), 'utf8');
  for (const command of ofTheGate) expect(gate).toContain(command.replace('npm ci && ', ''));
});

test('the commands work in the given order', async () => {
  const shown: Record<string, string> = {
    'commonplace setup': 'Cursor: changes',
    'commonplace doctor': 'Data folder',
    // Without a terminal it serves MCP until its stdin ends.
    commonplace: '',
    'commonplace save https://example.com/sleep.html --tag sleep --wait': 'The dull habits that cured my insomnia',
    'commonplace search "how to sleep better"': 'The dull habits that cured my insomnia',
    'commonplace actions --completed false': '[ ]',
  };
  const ours = commands.filter((command) => command.startsWith('commonplace'));
  expect(ours).toEqual(Object.keys(shown));
  for (const command of ours) {
    const { code, stdout, stderr } = await type(command, ...(command === 'commonplace setup' ? ['--dry-run'] : []));
    expect(code, `${command}\n${stderr}`).toBe(0);
    expect(stdout, command).toContain(shown[command]);
  }
  expect(readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8')).toBe('{}\n');
});

test('the commands in the sentences work as well', async () => {
  expect(inSentences.toSorted()).toEqual([
    'commonplace export --watch <vault>',
    'commonplace export <folder>',
    'commonplace forget-queries',
    'commonplace open',
    'commonplace setup --dry-run',
    'commonplace setup --remove',
  ]);
  for (const command of inSentences) {
    const typed = command.replace('<folder>', join(home, 'exported')).replace('<vault>', join(home, 'vault'));
    if (command.endsWith('<vault>')) mkdirSync(join(home, 'vault'));
    const flags = command.endsWith('--remove')
      ? ['--dry-run']
      : command.endsWith(' open')
        ? ['--port', '1']
        : command.endsWith('<vault>')
          ? ['--once']
          : [];
    // No server listens on port 1: there is no page to open.
    const ends = command.endsWith(' open') ? { code: 1, stderr: 'No server answers at' } : { code: 0, stderr: '' };
    const { code, stderr } = await type(typed, ...flags);
    expect({ code, stderr }, command).toEqual({ code: ends.code, stderr: expect.stringContaining(ends.stderr) });
  }
});

test('the example page is part of the demo', () => {
  const addresses = [...readme.matchAll(/https:\/\/example\.com\/([\w.-]+)/g)].map(([, page]) => page);
  expect(new Set(addresses)).toEqual(new Set(['sleep.html']));
});
