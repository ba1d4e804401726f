import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { PostgresServer, withStatistics } from '../../support/postgres/server.ts';
import { articlePage, serve, startSite, type Site } from '../../support/servers/site.ts';
import { startHostileSite } from '../../support/servers/hostile-site.ts';
import { createApi } from './api.ts';
import { anonymousMemoryOfTree, startAttackedServer, type AttackedServer } from './attacked-server.ts';
import { accounts } from './payloads/accounts.ts';
import { stdioLines } from './payloads/lines.ts';
import { pages } from './payloads/pages.ts';
import type {
  AccountPayload,
  TestServer,
  PagePayload,
  PushedPayload,
  RequestPayload,
  StdioPayload,
  WirePayload,
} from './payloads/payload.ts';
import { pushedTexts } from './payloads/pushed.ts';
import { requests } from './payloads/requests.ts';
import { wires } from './payloads/wires.ts';

/*
 * Attacks the built program as somebody with an account could, while a neighbour uses it:
 *
 *     npm run hostile              every payload by itself, with wall times; some ten minutes
 *     npm run hostile -- --gate    the quicker ones all at once, for the gate; under a minute
 *     npm run hostile -- --only "brackets" --with-model
 *     npm run hostile -- --with-model --minutes 20
 *     npm run hostile -- --gate --postgres
 *                                  the server's library is in a PostgreSQL database of its own
 *
 * With the sentence model, what the attacker saved is deleted when the neighbour is done and it still takes long. A run ends with
 * what it found when its time is over.
 *
 * It fails when the main thread is busy for more than 250 ms of its own processor time in one stretch, when the neighbour's save is
 * not done before the attacker's are, when memory passes 1 GB, when more than is allowed is taken from the network, when a check of a
 * payload does not hold, or when anything dies. None of these depends on how busy the machine is. A longest stretch of 0 ms is one
 * below 60 ms, the shortest that is noted.
 *
 * The wall times that the long run prints do depend on it. So the long run asks `/health` before each attack of the wire, too, and
 * fails on slow answers during the attack only when those before it were quick and the processors mostly idle.
 */

const { values: options } = parseArgs({
  options: {
    gate: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'with-model': { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    minutes: { type: 'string' },
  },
});

const maxBusyMs = 250;
/** Milliseconds of `/health`, p99, during an attack. */
const maxHealthMs = 250;
/**
 * Before it, on a machine that is quiet enough to judge by. The answers alone do not show that: a server with nothing to do gets a
 * busy processor at once.
 */
const maxQuietHealthMs = 50;
const minIdleShare = 0.5;
/** Some two hundred answers. */
const quietMs = 5_000;
const maxMemoryBytes = 1024 ** 3;
/** Nothing here may take longer; a run that is cut within a payload has failed. */
const deadlineMs = Number(options.minutes ?? (options.gate ? 5 : 60)) * 60_000;
const deadline = AbortSignal.timeout(deadlineMs);
/** No payload is begun in the last minute, or in the last tenth of a short run. */
const lastBeginning = performance.now() + deadlineMs - Math.min(60_000, deadlineMs / 10);
/** Embedding a large text takes minutes. What it does to the neighbour shows at once. */
const patienceMs = options['with-model'] ? 5_000 : Infinity;
const pollMs = 50;

type Saved = PagePayload | PushedPayload | WirePayload;

const failures: string[] = [];
const fail = (words: string): void => {
  failures.push(words);
  console.log(`  FAILED: ${words}`);
};
const wanted = <P extends { name: string }>(payloads: readonly P[]): P[] =>
  payloads.filter(({ name }) => name.includes(options.only));

let addresses = 0;

/** Puts a page on the attacker's site; the answer is its address. */
function publish(site: Site, payload: PagePayload): string {
  const path = `/hostile/${(addresses += 1)}${payload.ending ?? ''}`;
  const plain = payload.body();
  const body = payload.encoding === 'gzip' ? gzipSync(plain) : plain;
  const headers = { 'content-type': payload.type, ...(payload.encoding && { 'content-encoding': payload.encoding }) };
  site.routes.set(path, (_request, response) => response.writeHead(200, headers).end(body));
  return `${site.url}${path}`;
}

function attack({ site, hostileSite, attacker }: TestServer, payload: Saved, copy = 0): Promise<{ id: string | null }> {
  if (payload.kind === 'wire') {
    return attacker.save({ url: hostileSite.publish(payload.answer, `127.0.1.${copy + 1}`) });
  }
  if (payload.kind === 'page') return attacker.save({ url: publish(site, payload) });
  return attacker.save({ url: `https://example.com/pushed/${(addresses += 1)}`, ...payload.fields() });
}

/** The neighbour saves a small page of another host; the answer is its id. */
async function saveAsNeighbour({ site, neighbour }: TestServer): Promise<string> {
  const path = `/neighbour/${(addresses += 1)}`;
  site.routes.set(
    path,
    serve(articlePage(`Page ${addresses}`, ['The neighbour wrote this sentence about gardens and rain.'])),
  );
  const { id, status } = await neighbour.save({ url: `${site.url.replace('127.0.0.1', 'localhost')}${path}` });
  if (id === null) throw new Error(`the neighbour's save was answered ${status}`);
  return id;
}

async function until(reached: () => Promise<boolean>, what: string): Promise<number> {
  const begun = performance.now();
  try {
    while (!(await reached())) await sleep(pollMs, undefined, { signal: deadline });
  } catch (cause) {
    if (!deadline.aborted) throw cause;
    throw new Error(`${what}: not done when the run's ${deadlineMs / 60_000} minutes were over`, { cause });
  }
  return performance.now() - begun;
}

/** Resolves with milliseconds when the neighbour's page is there. */
async function neighbourSaves(testServer: TestServer): Promise<number> {
  const id = await saveAsNeighbour(testServer);
  let status = '';
  const ms = await until(async () => {
    status = await testServer.neighbour.statusOf(id);
    return status === 'completed' || status === 'failed';
  }, "the neighbour's save");
  if (status === 'failed') fail("the neighbour's save failed");
  return ms;
}

/** Whether the attacker's items are done before this loses patience. */
async function attackerIsDone({ attacker }: TestServer, what: string): Promise<boolean> {
  const end = performance.now() + patienceMs;
  let isDone = false;
  await until(async () => {
    isDone = (await attacker.countUnfinished()) === 0;
    return isDone || performance.now() > end;
  }, what);
  return isDone;
}

interface HealthWatch {
  /** Milliseconds that each answer took since this was last asked, the shortest first. */
  take(): number[];
  end(): Promise<unknown>;
}

function watchHealth(url: string): HealthWatch {
  let times: number[] = [];
  const worker = new Worker(new URL('./health-watch-worker.ts', import.meta.url), { workerData: { url, pauseMs: 20 } });
  worker.on('message', (ms: number) => times.push(ms));
  // The server is gone: its end is reported where it is waited for.
  worker.on('error', () => undefined);
  return {
    take() {
      const taken = times.toSorted((a, b) => a - b);
      times = [];
      return taken;
    },
    end: () => worker.terminate(),
  };
}

interface Quiet {
  times: number[];
  /** Of the time of all processors. */
  idleShare: number;
}

async function quietTime(health: HealthWatch): Promise<Quiet> {
  const measured = (): { idle: number; all: number } => {
    const each = cpus().map(({ times }) => times);
    const sum = (of: (times: (typeof each)[number]) => number): number =>
      each.reduce((all, times) => all + of(times), 0);
    return {
      idle: sum(({ idle }) => idle),
      all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
    };
  };
  const before = measured();
  await sleep(quietMs);
  const after = measured();
  return { times: health.take(), idleShare: (after.idle - before.idle) / (after.all - before.all) };
}

/** @returns what is printed of an attack's answers beside those of the quiet time before it */
function checkHealth(times: readonly number[], { times: quiet, idleShare }: Quiet, what: string): string {
  const [p99, quietP99] = [percentile(times, 0.99), percentile(quiet, 0.99)];
  if (p99 > maxHealthMs && quietP99 < maxQuietHealthMs && idleShare >= minIdleShare)
    fail(`${what}: p99 of /health was ${p99.toFixed(0)} ms, and ${quietP99.toFixed(0)} ms before the attack`);
  const before = `before: p99 ${quietP99.toFixed(0)} ms, longest ${longest(quiet).toFixed(0)} ms, ${(idleShare * 100).toFixed(0)} % idle`;
  return `health p99 ${p99.toFixed(0)} ms, longest ${longest(times).toFixed(0)} ms (${before})`;
}

const longest = (sorted: readonly number[]): number => sorted.at(-1) ?? 0;
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function checkServer(server: AttackedServer, since: number, what: string): number {
  const ended = server.ended();
  if (ended !== null) throw new Error(`${what}: the server ${ended}`);
  const busiest = server.busyStretches(since)[0]?.busyMs ?? 0;
  if (busiest > maxBusyMs) fail(`${what}: the main thread was busy for ${busiest.toFixed(0)} ms in one stretch`);
  return busiest;
}

function checkMemory(server: AttackedServer, what: string): number | null {
  const peak = server.takePeakMemory();
  if (peak !== null && peak > maxMemoryBytes) fail(`${what}: all processes had ${megabytes(peak)} of memory together`);
  return peak;
}

/** Whether the hosts of some answers sent no more than they may since they had sent `before`. */
function checkSent({ hostileSite }: TestServer, sent: readonly WirePayload[], before: number, what: string): void {
  const bytes = hostileSite.sentBytes() - before;
  if (bytes > sent.reduce((sum, { maxSentBytes, hosts }) => sum + maxSentBytes * hosts, 0))
    fail(`${what}: ${megabytes(bytes)} were taken from the network`);
}

/** Sends a request's bytes on connections of its own and gives each a moment for its answer. */
async function sendRequest({ server }: TestServer, payload: RequestPayload): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const one = async (): Promise<void> => {
    const socket = connect(Number(port), hostname);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    if (payload.isDeaf === true) socket.pause();
    else socket.resume();
    for (const bytes of payload.bytes(server.attacker)) socket.write(bytes);
    await Promise.race([closed, sleep(payload.isDeaf === true ? 2_000 : 5_000)]);
    socket.destroy();
  };
  await Promise.all(Array.from({ length: payload.connections ?? 1 }, one));
}

async function runAccount(testServer: TestServer, { name, run }: AccountPayload): Promise<void> {
  for (const wrong of await run(testServer)) fail(`${name}: ${wrong}`);
}

/** A stdio server of its own gets the lines; then it has to answer a ping. */
async function sendLines(payload: StdioPayload): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-hostile-'));
  const probeFile = join(folder, 'busy-stretches.jsonl');
  const program = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
  const probe = new URL('./main-thread-probe.mjs', import.meta.url).href;
  const child = spawn(
    process.execPath,
    ['--import', probe, program, 'stdio', '--data', folder, '--log-level', 'silent'],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, COMMONPLACE_PROBE_FILE: probeFile },
    },
  );
  child.stdin.on('error', () => undefined);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-100_000)));
  const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"hostile","version":"1"},"capabilities":{}}}`;
  try {
    child.stdin.write(`${hello}\n`);
    await until(() => Promise.resolve(said.includes('"hello"') || child.exitCode !== null), payload.name);
    if (payload.isDeaf === true) child.stdout.pause();
    const begun = Date.now();
    const taking = { isOver: false };
    const bytes = Buffer.concat(payload.lines().map((line) => Buffer.from(`${String(line)}\n`)));
    child.stdin.write(bytes, () => (taking.isOver = true));
    let peak = 0;
    for (let waited = 0; waited < 3_000 && !(taking.isOver && payload.isDeaf !== true); waited += pollMs) {
      await sleep(pollMs);
      peak = Math.max(peak, anonymousMemoryOfTree(child.pid ?? 0) ?? 0);
    }
    child.stdout.resume();
    child.stdin.write('{"jsonrpc":"2.0","id":"still-here","method":"ping"}\n');
    await until(() => Promise.resolve(said.includes('"still-here"') || child.exitCode !== null), payload.name);
    if (child.exitCode !== null) fail(`${payload.name}: the stdio server ended with ${child.exitCode}`);
    peak = Math.max(peak, anonymousMemoryOfTree(child.pid ?? 0) ?? 0);
    if (peak > maxMemoryBytes) fail(`${payload.name}: the stdio server had ${megabytes(peak)}`);
    const noted = await readFile(probeFile, 'utf8').catch(() => '');
    const stretches = noted
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { at: number; busyMs: number });
    const busiest = Math.max(0, ...stretches.filter(({ at }) => at >= begun).map(({ busyMs }) => busyMs));
    if (busiest > maxBusyMs)
      fail(`${payload.name}: the main thread was busy for ${busiest.toFixed(0)} ms in one stretch`);
    console.log(
      `stdio    ${payload.name.padEnd(60)} busiest ${busiest.toFixed(0).padStart(5)} ms, peak ${megabytes(peak)}`,
    );
  } finally {
    child.stdin.end();
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number | null): string =>
  bytes === null ? 'unknown' : `${(bytes / 1024 ** 2).toFixed(0)} MB`;

/** All at once: what the attacker saves waits in one queue while requests come in and the neighbour saves. */
async function runTogether(testServer: TestServer): Promise<void> {
  const saved = wanted<Saved>([...wires, ...pages, ...pushedTexts]).filter(
    (payload, at) =>
      payload.isSlow !== true && (payload.kind === 'wire' || payload.isOneOfMany !== true || at % 4 === 0),
  );
  const begun = Date.now();
  for (const payload of wanted(accounts)) if (payload.isSlow !== true) await runAccount(testServer, payload);
  for (const payload of saved) await attack(testServer, payload);
  console.log(`the attacker saved ${saved.length} items; the neighbour saves one`);
  let attackerIsDone = false;
  const attackers = until(async () => (await testServer.attacker.countUnfinished()) === 0, "the attacker's items").then(
    (ms) => {
      attackerIsDone = true;
      return ms;
    },
  );
  const neighbourIsFirst = async (): Promise<void> => {
    await neighbourSaves(testServer);
    if (attackerIsDone) fail("the neighbour's save was done after the attacker's");
    else console.log("the neighbour's save is done, before the attacker's");
  };
  const neighbours = neighbourIsFirst();
  for (const payload of wanted(requests)) await sendRequest(testServer, payload);
  await Promise.all([attackers, neighbours]);
  const busiest = checkServer(testServer.server, begun, 'all together');
  checkSent(testServer, wanted(wires.filter(({ isSlow }) => isSlow !== true)), 0, 'all together');
  await neighbourSaves(testServer);
  const peak = checkMemory(testServer.server, 'all together');
  console.log(`longest stretch of the main thread ${busiest.toFixed(0)} ms of processor time`);
  console.log(`most memory of all processes ${megabytes(peak)}`);
  console.log('failures of the attacker by code:', JSON.stringify(await testServer.attacker.countFailures()));
}

/** One payload after the other, with the neighbour saving beside each. */
async function runOneByOne(testServer: TestServer): Promise<void> {
  const waits: number[] = [];
  const health = watchHealth(testServer.server.url);
  const healths: number[] = [];
  const payloads = wanted<Saved | RequestPayload | AccountPayload>([
    ...wires,
    ...accounts,
    ...pages,
    ...pushedTexts,
    ...requests,
  ]);
  for (const [at, payload] of payloads.entries()) {
    if (performance.now() > lastBeginning) {
      console.log(`the ${deadlineMs / 60_000} minutes are over: ${at} of ${payloads.length} payloads were tried`);
      break;
    }
    health.take();
    const quiet = payload.kind === 'wire' ? await quietTime(health) : null;
    const begun = Date.now();
    const copies = payload.kind === 'page' ? (payload.copies ?? 1) : payload.kind === 'wire' ? payload.hosts : 1;
    const sentBefore = testServer.hostileSite.sentBytes();
    const saved: (string | null)[] = [];
    const isSaved = payload.kind !== 'request' && payload.kind !== 'account';
    if (isSaved) for (let copy = 0; copy < copies; copy += 1) saved.push((await attack(testServer, payload, copy)).id);
    const isSent =
      payload.kind === 'request'
        ? sendRequest(testServer, payload)
        : payload.kind === 'account'
          ? runAccount(testServer, payload)
          : undefined;
    const [neighbourMs] = await Promise.all([neighbourSaves(testServer), isSent]);
    const isDone = isSent !== undefined || (await attackerIsDone(testServer, payload.name));
    if (!isDone) for (const id of saved) if (id !== null) await testServer.attacker.delete(id);
    const times = health.take();
    waits.push(neighbourMs);
    healths.push(...times);
    const busiest = checkServer(testServer.server, begun, payload.name);
    const peak = checkMemory(testServer.server, payload.name);
    if (payload.kind === 'wire') checkSent(testServer, [payload], sentBefore, payload.name);
    const row = [
      `busiest ${busiest.toFixed(0).padStart(5)} ms`,
      `peak ${megabytes(peak).padStart(7)}`,
      `all ${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s`,
      `neighbour ${(neighbourMs / 1000).toFixed(1)} s`,
      quiet !== null
        ? checkHealth(times, quiet, payload.name)
        : `health p99 ${percentile(times, 0.99).toFixed(0)} ms, longest ${longest(times).toFixed(0)} ms`,
      ...(payload.kind === 'wire' ? [`sent ${megabytes(testServer.hostileSite.sentBytes() - sentBefore)}`] : []),
      ...(isDone ? [] : ['deleted before it was done']),
    ];
    console.log(`${payload.kind.padEnd(8)} ${payload.name.padEnd(60)} ${row.join(', ')}`);
  }
  await health.end();
  healths.sort((a, b) => a - b);
  console.log(
    `neighbour's save: longest ${(Math.max(...waits) / 1000).toFixed(1)} s; /health p50 ${percentile(healths, 0.5).toFixed(1)} ms, p99 ${percentile(healths, 0.99).toFixed(0)} ms, longest ${longest(healths).toFixed(0)} ms`,
  );
  console.log('failures of the attacker by code:', JSON.stringify(await testServer.attacker.countFailures()));
}

/** Servers that are started find it in their environment. */
async function useDatabase(): Promise<{ stop(): Promise<void> }> {
  const database = await PostgresServer.start(withStatistics);
  process.env['COMMONPLACE_DATABASE_URL'] = (await database.createDatabase()).url;
  return {
    async stop() {
      delete process.env['COMMONPLACE_DATABASE_URL'];
      await database.stop();
    },
  };
}

async function main(): Promise<void> {
  const site = await startSite();
  const hostileSite = await startHostileSite();
  const database = options.postgres ? await useDatabase() : null;
  // Without the sentence model, which runs in its own process: the largest texts would take it ten minutes each.
  const server = await startAttackedServer(options['with-model'] ? [] : ['--embedder', 'none']);
  const testServer: TestServer = {
    server,
    site,
    hostileSite,
    attacker: createApi(server.url, server.attacker, deadline),
    neighbour: createApi(server.url, server.neighbour, deadline),
    until,
    neighbourSaves: () => neighbourSaves(testServer),
  };
  try {
    // What is loaded with the first save is not the attacker's doing.
    await neighbourSaves(testServer);
    if (options.gate) await runTogether(testServer);
    else await runOneByOne(testServer);
  } finally {
    await server.stop();
    await database?.stop();
    await site.close();
    await hostileSite.close();
  }
  // Each has its own server.
  if (options.gate) await Promise.all(wanted(stdioLines).map(sendLines));
  else
    for (const payload of wanted(stdioLines)) {
      if (performance.now() < lastBeginning) await sendLines(payload);
      else console.log(`not tried: ${payload.name}`);
    }
  console.log(failures.length === 0 ? 'held' : `${failures.length} failed:\n- ${failures.join('\n- ')}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

await main();
