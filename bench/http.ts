import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localAccountId } from '../src/domain/records/account.ts';
import type { Clock } from '../src/domain/clock.ts';
import { hashToken, newToken } from '../src/domain/access/token.ts';
import { createAccessService } from '../src/services/access.ts';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import { scopes } from '../src/domain/records/account.ts';
import { addFinishedItem, paragraphs } from '../tests/support/content.ts';

/*
 * What the HTTP server costs: `npm run build && npx node bench/http.ts [requests] [seconds of load]`.
 * CPU time per request of the built server with everything on (limits, hash, tags, log), against a bare `node:http`
 * that does the same reads of the same file, in turns. Then 200 clients who read, search and save at once.
 */

const items = 10_000;
const missingId = 'c_aaaaaaaaaaaaaaaa';
const unknownToken = newToken();
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: () => Promise.resolve(),
};
const builtProgram = fileURLToPath(new URL('../dist/main.js', import.meta.url));

interface Target {
  url: string;
  pid: number;
  process: ChildProcess;
}

/** `node:http` and the store, nothing else. */
async function serveBare(folder: string): Promise<void> {
  const stores = await openDataFolder({ folder, clock });
  const store = await stores.open(localAccountId);
  const server = createServer(async (request, response) => {
    const send = (status: number, body: string) => {
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    };
    if (request.url === '/content') {
      const page = await store.listContent({ limit: 20, offset: 0 });
      send(200, JSON.stringify({ ...page, limit: 20, offset: 0 }));
    } else if (request.url === '/unknown-token') {
      await stores.control.tokens.findCredential(hashToken(unknownToken));
      send(401, '{"status":401}');
    } else if (request.url === '/no-token') {
      send(401, '{"status":401}');
    } else {
      await store.getContent(missingId);
      send(404, '{"status":404}');
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
  });
}

async function start(args: readonly string[]): Promise<Target> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      const found = /"url":\s*"([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, pid: child.pid ?? 0, process: child };
}

const serveArguments = (folder: string, ...flags: string[]) => [
  builtProgram,
  'serve',
  '--port',
  '0',
  '--json',
  '--data',
  folder,
  '--rate-limit-per-minute',
  '1000000',
  ...flags,
];

async function stop(target: Target): Promise<void> {
  const ended = new Promise((resolve) => target.process.once('exit', resolve));
  target.process.kill('SIGTERM');
  await ended;
}

/** User and system time of a process in milliseconds; the kernel counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memoryMb(pid: number, name: 'VmRSS' | 'RssAnon'): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}

interface Question {
  path: string;
  method?: string;
  token?: string;
  body?: string;
}

function ask(
  agent: Agent,
  url: string,
  { path, method = 'GET', token, body }: Question,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(url + path, {
      agent,
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    });
    asking.on('error', reject);
    asking.on('response', (message) => {
      let text = '';
      message.setEncoding('utf8');
      message.on('data', (chunk: string) => (text += chunk));
      message.on('end', () => resolve({ status: message.statusCode ?? 0, text }));
      message.on('error', reject);
    });
    asking.end(body);
  });
}

/** Fewer than the wrong tokens that the server takes from one address in a minute. */
const requestsOfAddress = 18;
let addresses = 0;

/** Another loopback address each time. */
function nextAddress(): string {
  addresses += 1;
  return `127.1.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** CPU time that one answer costs the server, in microseconds. */
async function cpuPerRequest(target: Target, question: Question, status: number, requests: number): Promise<number> {
  const before = cpuMs(target.pid);
  let left = requests;
  const client = async () => {
    while (left > 0) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: nextAddress() });
      for (let at = 0; at < requestsOfAddress && left > 0; at += 1) {
        left -= 1;
        const answer = await ask(agent, target.url, question);
        if (answer.status !== status) throw new Error(`${question.path} answered ${answer.status}: ${answer.text}`);
      }
      agent.destroy();
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return ((cpuMs(target.pid) - before) / requests) * 1_000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function compare(folder: string, token: string, requests: number): Promise<void> {
  const bare = await start([fileURLToPath(import.meta.url), '--bare', folder]);
  const full = await start(serveArguments(folder, '--workers', '0', '--embedder', 'none'));
  const cases: [name: string, bare: Question, full: Question, status: number, aim: number][] = [
    ['GET /content, 20 of 10,000', { path: '/content' }, { path: '/content', token }, 200, 2],
    ['404: no such item', { path: '/missing' }, { path: `/content/${missingId}`, token }, 404, 2.5],
    ['401: unknown token', { path: '/unknown-token' }, { path: '/content', token: unknownToken }, 401, 2.5],
    ['401: no token', { path: '/no-token' }, { path: '/content' }, 401, 2.5],
  ];
  const rows: Record<string, object> = {};
  for (const [name, atBare, atFull, status, aim] of cases) {
    const rounds: { bare: number; full: number }[] = [];
    for (let round = 0; round < 6; round += 1) {
      const measured = {
        bare: await cpuPerRequest(bare, atBare, status, requests),
        full: await cpuPerRequest(full, atFull, status, requests),
      };
      // The first one warms up.
      if (round > 0) rounds.push(measured);
    }
    rows[name] = {
      'bare µs': Math.round(median(rounds.map((one) => one.bare))),
      'served µs': Math.round(median(rounds.map((one) => one.full))),
      ratio: median(rounds.map((one) => one.full / one.bare)).toFixed(2),
      aim,
    };
  }
  console.table(rows);
  await Promise.all([stop(bare), stop(full)]);
}

/** 200 clients at once. What was answered 201 must be there afterwards. */
async function load(folder: string, token: string, seconds: number): Promise<void> {
  const site = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(
      `<!doctype html><title>${request.url}</title><article><p>A short page about ${request.url}.</p></article>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const server = await start(serveArguments(folder, '--embedder', 'none', '--allow-private-addresses', 'true'));
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const saved: string[] = [];
  const statuses: Record<string, number> = {};
  const memory: { rss: number; anonymous: number }[] = [];
  const end = Date.now() + seconds * 1_000;
  let count = 0;

  const questionOf = (turn: number): Question => {
    if (turn % 10 === 0)
      return { path: '/content', method: 'POST', token, body: JSON.stringify({ url: `${siteUrl}/${turn}` }) };
    if (turn % 10 < 4)
      return { path: '/search', method: 'POST', token, body: '{"query":"a sentence about weather","limit":5}' };
    return turn % 2 === 0 ? { path: '/content?limit=20&tags=all', token } : { path: '/actions?limit=20', token };
  };
  const client = async () => {
    while (Date.now() < end) {
      const question = questionOf((count += 1));
      const answer = await ask(agent, server.url, question).catch((error: Error) => ({
        status: error.message,
        text: '',
      }));
      const kind = `${question.method ?? 'GET'} ${question.path.split('?')[0]} ${answer.status}`;
      statuses[kind] = (statuses[kind] ?? 0) + 1;
      if (answer.status === 201) saved.push((JSON.parse(answer.text) as { id: string }).id);
    }
  };
  const watching = setInterval(
    () => memory.push({ rss: memoryMb(server.pid, 'VmRSS'), anonymous: memoryMb(server.pid, 'RssAnon') }),
    500,
  );
  await Promise.all(Array.from({ length: 200 }, client));
  clearInterval(watching);
  let lost = 0;
  for (const id of saved)
    if ((await ask(agent, server.url, { path: `/content/${id}`, token })).status !== 200) lost += 1;
  agent.destroy();
  await stop(server);
  site.close();
  site.closeAllConnections();

  const quarter = (index: number, name: 'rss' | 'anonymous') =>
    median(memory.slice((index * memory.length) / 4, ((index + 1) * memory.length) / 4).map((one) => one[name]));
  console.table(statuses);
  console.table({
    'requests a second': (count / seconds).toFixed(0),
    saved: saved.length,
    lost,
    'RSS MB, quarters': [0, 1, 2, 3].map((index) => quarter(index, 'rss').toFixed(0)).join(' '),
    'RSS, last to second quarter': (quarter(3, 'rss') / quarter(1, 'rss')).toFixed(2),
    'RssAnon MB, quarters': [0, 1, 2, 3].map((index) => quarter(index, 'anonymous').toFixed(0)).join(' '),
    'RssAnon, last to second quarter': (quarter(3, 'anonymous') / quarter(1, 'anonymous')).toFixed(2),
  });
}

async function fill(folder: string): Promise<string> {
  const stores = await openDataFolder({ folder, clock });
  const store = await stores.open(localAccountId);
  for (let index = 0; index < items; index += 1) {
    await addFinishedItem(store, {
      url: `https://example.org/${index}`,
      blocks: paragraphs(
        `Sentence ${index} about the weather of day ${index % 365}.`,
        `And another one about tea ${index % 97}.`,
      ),
      about: { title: `A page with a title of usual length, number ${index}`, author: 'Somebody', siteName: 'A site' },
      tags: ['all', `tag${index % 50}`],
      analysis: {
        summary: 'Two sentences that say what the page is about. They are about as long as a summary is.',
        insights: [],
        actions: [],
        info: { by: 'extractive', model: null, at: '2026-01-01T00:00:00.000Z', droppedQuotes: 0 },
      },
    });
  }
  const access = createAccessService(stores, clock, () => undefined, null);
  const { token } = await access.createToken({ account: localAccountId, name: 'bench', scopes });
  await stores.close();
  return token;
}

if (process.argv[2] === '--bare') {
  await serveBare(process.argv[3] ?? '');
} else {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
  try {
    const token = await fill(folder);
    const requests = Number(process.argv[2] ?? 4_000);
    if (requests > 0) await compare(folder, token, requests);
    await load(folder, token, Number(process.argv[3] ?? 60));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
