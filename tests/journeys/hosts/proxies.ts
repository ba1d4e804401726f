/*
 * Tries the configurations of Caddy and nginx that the documentation shows, with the real programs: people sign in through
 * them, assistants connect, and nobody gets in by a header. It reads them from deploy/ and docs/signing-in.md, and changes
 * addresses, ports and certificates alone.
 *
 *   apt-get install caddy nginx-light
 *   npm run test:proxies
 *
 * Outside of the gate: it needs these packages.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as connectTo, createServer as createSocketServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answer, createAssistant, startConnecting } from '../../support/access/assistant.ts';
import { openBrowser, type TestBrowser } from '../../support/access/browser.ts';
import { runCommand, startServing } from '../../support/servers/serving.ts';

// The certificates are made here.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

const password = 'correct horse battery';
const repository = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const root = mkdtempSync(join(tmpdir(), 'commonplace-proxies-'));
const say = (line: string) => process.stdout.write(`${line}\n`);
const failures: string[] = [];

function check(what: string, is: unknown, expected: unknown): void {
  const isTrue = JSON.stringify(is) === JSON.stringify(expected);
  say(
    `  ${isTrue ? '✓' : '✗'} ${what}${isTrue ? '' : `: ${JSON.stringify(is)}, expected ${JSON.stringify(expected)}`}`,
  );
  if (!isTrue) failures.push(what);
}

/** The block of a language in the documentation. */
function shown(language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(read('docs/signing-in.md')) ?? [];
  if (block === undefined) throw new Error(`docs/signing-in.md shows nothing for ${language}`);
  return block;
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Ports {
  /** Where browsers and assistants come in, with TLS. */
  outside: number;
  server: number;
  auth: number;
}

function caddyFile(site: string, { outside, server, auth }: Ports): string {
  const own = site
    .replace('library.example.com {', `https://localhost:${outside} {\n\tbind 127.0.0.1\n\ttls internal`)
    .replace('127.0.0.1:7878', `127.0.0.1:${server}`)
    .replace('127.0.0.1:9091', `127.0.0.1:${auth}`);
  return `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tstorage file_system ${join(root, 'caddy')}\n}\n${own}`;
}

function nginxFile(locations: string | null, { outside, server, auth }: Ports, folder: string): string {
  const certificate = [join(folder, 'certificate.pem'), join(folder, 'key.pem')] as const;
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', [...made, '-subj', '/CN=localhost', '-keyout', certificate[1], '-out', certificate[0]], {
    stdio: 'ignore',
  });
  const example = read('deploy/nginx.conf');
  const usual = /    location \/ \{[^]*?\n    \}\n/.exec(example)?.[0] ?? '';
  const sites = (locations === null ? example : example.replace(usual, locations))
    .replace(/server \{\n    listen 80;[^]*?\n\}\n/, '')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${outside} ssl;`)
    .replace('    listen [::]:443 ssl;\n', '')
    .replaceAll('library.example.com', 'localhost')
    .replace(/ssl_certificate {5}\S+;/, `ssl_certificate ${certificate[0]};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${certificate[1]};`)
    .replace('127.0.0.1:7878', `127.0.0.1:${server}`)
    .replace('127.0.0.1:9091', `127.0.0.1:${auth}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  return `daemon off;\npid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${sites}\n}\n`;
}

/** Starts a proxy, and waits until it listens. */
async function start(program: string, args: readonly string[], port: number): Promise<ChildProcess> {
  let said = '';
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: root } });
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) break;
    const isOpen = await new Promise((resolve) => {
      const socket = connectTo(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error(`${program} does not listen: ${said}`);
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await gone;
}

/** In place of Authelia: it knows whoever has its cookie, and lets one through without a name. */
async function startAuth(port: number): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const [, who] = /proxy-session=(\w+)/.exec(request.headers.cookie ?? '') ?? [];
    if (who === undefined) response.writeHead(401);
    else response.writeHead(200, who === 'nobody' ? {} : { 'Remote-User': who });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
}

/** An assistant connects through the proxy, and calls a tool. */
async function connectAssistant(url: string, browser: TestBrowser): Promise<void> {
  const assistant = createAssistant();
  const transport = await startConnecting(url, assistant);
  const place = await answer(browser, assistant.sentTo().href, { decision: 'allow', scope: ['goals:read'] });
  await transport.finishAuth(place.searchParams);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: assistant.auth }));
  const called = await client.callTool({ name: 'list_goals', arguments: {} });
  check('an assistant connects and calls a tool', called.isError ?? false, false);
  await client.close();
}

async function tryPasswords(url: string, ownerLink: string): Promise<void> {
  const browser = openBrowser(url);
  check('the link of the owner is under the public address', ownerLink.startsWith(`${url}/sign-in/link?code=`), true);
  const code = new URL(ownerLink).searchParams.get('code') ?? '';
  await browser.get(ownerLink);
  const done = await browser.post('/sign-in/link', { code, name: 'Ann', password });
  check('the owner comes in', [done.status, done.location], [303, '/account']);
  const names = [...browser.cookies.keys()].map((name) => name.startsWith('__Host-'));
  check('by cookies of this host alone', names, [true, true]);
  check('the page of the account', (await browser.get('/account')).text.includes(`${url}/mcp`), true);
  await connectAssistant(url, browser);
}

async function tryIdentities(url: string): Promise<void> {
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}${path}`, { headers, redirect: 'manual' })).status;
  check('the proxy asks who is there', await status('/account'), 401);
  check('and before an assistant is let in', await status('/oauth/authorize?client_id=x'), 401);
  const ann = openBrowser(url);
  ann.cookies.set('proxy-session', 'ann');
  check('the person whom it names comes in', (await ann.get('/account')).text.includes('The library “Local”'), true);
  const claim = { 'remote-user': 'ann' };
  check('a name that a client claims is not believed', await status('/account', claim), 401);
  const nobody = { ...claim, cookie: 'proxy-session=nobody' };
  check('also when the proxy lets somebody through without a name', await status('/account', nobody), 403);
  for (const path of ['/%61ccount', '//account', '/x/..%2faccount', '/./account', '/account%2f', '/mcp/../account']) {
    const answered = await fetch(`${url}${path}`, { headers: claim, redirect: 'manual' });
    check(`nor by ${path}`, (await answered.text()).includes('The library'), false);
  }
  check('assistants reach MCP without being asked by the proxy', await status('/mcp', claim), 401);
  check('and their metadata', await status('/.well-known/oauth-authorization-server'), 200);
  await connectAssistant(url, ann);
}

async function tryProxy(
  name: string,
  makeConfig: (ports: Ports, folder: string) => string,
  isProxy: boolean,
): Promise<void> {
  say(`\n${name}, signIn ${isProxy ? 'proxy' : 'password'}`);
  const folder = join(root, `${name}-${isProxy ? 'proxy' : 'password'}`);
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const ports = { outside: await freePort(), server: await freePort(), auth: await freePort() };
  const url = `https://localhost:${ports.outside}`;
  const flags = ['--embedder', 'none', '--public-url', url, '--trusted-proxies', '127.0.0.1'];
  if (isProxy) await runCommand(data, 'account', 'identity', 'local', 'ann');
  const mode = isProxy ? ['--sign-in', 'proxy', '--trusted-identity-header', 'Remote-User'] : ['--sign-in', 'password'];
  const file = join(folder, 'config');
  writeFileSync(file, makeConfig(ports, folder));
  const args = name === 'Caddy' ? ['run', '--adapter', 'caddyfile', '--config', file] : ['-c', file];
  const server = await startServing(data, ports.server, [...flags, ...mode]);
  const endAuth = await startAuth(ports.auth);
  try {
    const proxy = await start(name === 'Caddy' ? 'caddy' : '/usr/sbin/nginx', args, ports.outside);
    try {
      if (isProxy) await tryIdentities(url);
      else await tryPasswords(url, String(server.printed['ownerLink']));
    } finally {
      await end(proxy);
    }
  } finally {
    await endAuth();
    await server.end();
  }
}

try {
  if (existsSync('/usr/bin/caddy')) {
    await tryProxy('Caddy', (ports) => caddyFile(read('deploy/Caddyfile'), ports), false);
    await tryProxy('Caddy', (ports) => caddyFile(shown('caddy'), ports), true);
  } else failures.push('Caddy is not installed: apt-get install caddy');
  if (existsSync('/usr/sbin/nginx')) {
    await tryProxy('nginx', (ports, folder) => nginxFile(null, ports, folder), false);
    await tryProxy('nginx', (ports, folder) => nginxFile(shown('nginx'), ports, folder), true);
  } else failures.push('nginx is not installed: apt-get install nginx-light');
} finally {
  rmSync(root, { recursive: true, force: true });
}
if (failures.length > 0) say(`\nNot as expected:\n${failures.map((failure) => `- ${failure}`).join('\n')}`);
process.exitCode = failures.length > 0 ? 1 : 0;
