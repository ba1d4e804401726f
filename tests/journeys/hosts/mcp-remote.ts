/*
 * Tries the real mcp-remote, which lets assistants that only start programs use a server: from the first refusal over
 * the person's yes to a call of a tool, and what it does with a wrong token. Installs it from npm into a temporary folder.
 *
 *   npm run test:mcp-remote                          installs it
 *   npm run test:mcp-remote -- --installed <folder>  uses <folder>/node_modules
 *
 * Outside of the gate: installing it needs the registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openBrowser, type TestBrowser } from '../../support/access/browser.ts';
import { startServing } from '../../support/servers/serving.ts';

const version = '0.15.1';
const password = 'correct horse battery';
const { values } = parseArgs({ options: { installed: { type: 'string' } } });
const root = mkdtempSync(join(tmpdir(), 'commonplace-mcp-remote-'));
const say = (line: string) => process.stdout.write(`${line}\n`);
const failures: string[] = [];

function check(what: string, isTrue: boolean, said: string): void {
  say(`  ${isTrue ? '✓' : '✗'} ${what}`);
  if (isTrue) return;
  failures.push(what);
  say(
    said
      .split('\n')
      .slice(-25)
      .map((line) => `      ${line}`)
      .join('\n'),
  );
}

function install(): string {
  if (values.installed !== undefined) return values.installed;
  writeFileSync(join(root, 'package.json'), '{"private": true}\n');
  const command = ['install', '--no-audit', '--no-fund', '--loglevel=error', `mcp-remote@${version}`];
  execFileSync('npm', command, { cwd: root, stdio: 'inherit' });
  return root;
}

interface Played {
  client: Client;
  /** What it has said on stderr. */
  said: () => string;
  /** Resolves when the client can call, rejects when mcp-remote ends. */
  connected: Promise<void>;
  startedAt: number;
}

function start(program: string, url: string, name: string, flags: readonly string[] = []): Played {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, `${url}/mcp`, ...flags],
    // No browser is opened: there is none on its path.
    env: { HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, PATH: folder },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: 'test', version: '1' });
  const startedAt = performance.now();
  const connected = client.connect(transport);
  connected.catch(() => undefined);
  return { client, said: () => said, connected, startedAt };
}

/** The address to which it sends the person. */
async function addressIn(played: Played): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const [found] = /http:\/\/\S+\/oauth\/authorize\?\S+/.exec(played.said()) ?? [];
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`it sent nobody to sign in: ${played.said()}`);
}

/** Says yes, and takes the answer where it belongs. */
async function allow(browser: TestBrowser, base: string, address: string, decision: string): Promise<string> {
  let url = address;
  for (let hop = 0; hop < 10; hop += 1) {
    const shown = url.startsWith(base) ? await browser.get(url) : null;
    if (shown === null) return (await fetch(url)).text();
    if (shown.location === null) {
      const answered = await browser.post(new URL(url).pathname, { decision, scope: ['goals:read', 'search:read'] });
      url = new URL(answered.location ?? '', base).href;
    } else url = new URL(shown.location, url).href;
  }
  throw new Error('the redirects do not end');
}

/** Where nobody can sign in, a wrong token ends it at once, in words. */
async function tryWrongToken(program: string, url: string): Promise<void> {
  const wrong = start(program, url, 'wrong', ['--header', 'Authorization:Bearer cpl_wrong']);
  const refused = await wrong.connected.then(
    () => false,
    () => true,
  );
  const seconds = (performance.now() - wrong.startedAt) / 1_000;
  await wrong.client.close();
  const isTold = wrong.said().includes('commonplace token create');
  check(
    `a wrong token ends it in words (after ${seconds.toFixed(1)} s)`,
    refused && isTold && seconds < 30,
    wrong.said(),
  );
}

try {
  const program = join(install(), 'node_modules', 'mcp-remote', 'dist', 'proxy.js');
  const server = await startServing(join(root, 'data'), 0, ['--sign-in', 'password', '--embedder', 'none']);
  try {
    const browser = openBrowser(server.url);
    const link = String(server.printed['ownerLink']);
    const code = new URL(link).searchParams.get('code') ?? '';
    await browser.get(link);
    await browser.post('/sign-in/link', { code, name: 'Ann', password });

    say(`mcp-remote ${version}`);
    const first = start(program, server.url, 'first');
    const answered = await allow(browser, server.url, await addressIn(first), 'allow');
    check('the person is told to go back', /close|success|complete/i.test(answered), answered);
    await first.connected;
    const tools = (await first.client.listTools()).tools.map(({ name }) => name);
    check(
      `sees the tools that were allowed (${tools.join(', ')})`,
      tools.includes('list_goals') && !tools.includes('save_content'),
      first.said(),
    );
    const called = await first.client.callTool({ name: 'list_goals', arguments: {} });
    check('calls one', called.isError !== true, JSON.stringify(called));
    await first.client.close();

    const again = start(program, server.url, 'first');
    await again.connected;
    check('comes in again without asking', !again.said().includes('/oauth/authorize?'), again.said());
    await again.client.close();

    const wrong = start(program, server.url, 'wrong there', ['--header', 'Authorization:Bearer cpl_wrong']);
    check('where people sign in, a wrong token leads there', (await addressIn(wrong)) !== '', wrong.said());
    await wrong.client.close();
    const refused = start(program, server.url, 'refused');
    await allow(browser, server.url, await addressIn(refused), 'refuse');
    const isRefused = await refused.connected.then(
      () => false,
      () => true,
    );
    check('a no of the person ends it', isRefused, refused.said());
    await refused.client.close();
  } finally {
    await server.end();
  }
  const closed = await startServing(join(root, 'other'), 0, ['--embedder', 'none']);
  try {
    await tryWrongToken(program, closed.url);
  } finally {
    await closed.end();
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
if (failures.length > 0) say(`\nNot as expected:\n${failures.map((failure) => `- ${failure}`).join('\n')}`);
process.exitCode = failures.length > 0 ? 1 : 0;
