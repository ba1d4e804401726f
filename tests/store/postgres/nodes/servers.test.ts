import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { builtProgram } from '../../../support/mcp.ts';
import { hasPgBouncer, PgBouncer } from '../../../support/postgres/pgbouncer.ts';
import { Relay } from '../../../support/postgres/relay.ts';
import { PostgresServer, type TestDatabase } from '../../../support/postgres/server.ts';
import { isThorough } from '../../../support/vitest/thorough.ts';

/* The built program on a database: what an operator does, and two servers on it. */

let server: PostgresServer;
let folder: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

function makeFolder(): void {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-servers-'));
}

const secret = 'never-shown';
/** The server asks nobody for a password: that it is in no output is what is tested. */
const withSecret = (url: string): string => url.replace(/\/\/(\w+)@/, `//$1:${secret}@`);

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const variables = (more: Record<string, string>) => ({ ...process.env, COMMONPLACE_EMBEDDER: 'none', ...more });

/** Runs a command to its end, in a data folder of its own. */
function commonplace(environment: Record<string, string>, data: string, ...args: string[]): Promise<Outcome> {
  const all = [builtProgram, ...args, '--data', join(folder, data)];
  return new Promise((resolve) =>
    execFile(process.execPath, all, { env: variables(environment) }, (error, stdout, stderr) => {
      expect(stdout + stderr).not.toContain(secret);
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    }),
  );
}

interface Served {
  ask(path: string, init?: RequestInit): Promise<{ status: number; body: Record<string, unknown> }>;
  stop(): Promise<number | null>;
}

async function serve(url: string, data: string, token: string, ...flags: string[]): Promise<Served> {
  const args = [builtProgram, 'serve', '--json', '--port', '0', '--data', join(folder, data), ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: variables({ COMMONPLACE_DATABASE_URL: url }),
  });
  running.add(child);
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
      const found = /"url": "([^"]+)"/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return {
    async ask(path, init) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(address + path, { ...init, headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      expect(said).not.toContain(secret);
      return code;
    },
  };
}

const save = (at: number) => ({
  method: 'POST',
  body: JSON.stringify({ url: `https://example.org/${at}`, title: `Fox ${at}`, text: `Feed the fox ${at} in winter.` }),
});

async function createToken(database: TestDatabase): Promise<{ id: string; token: string }> {
  const made = { COMMONPLACE_DATABASE_URL: withSecret(database.url) };
  const { stdout } = await commonplace(made, 'operator', 'token', 'create', 'laptop', '--json');
  return JSON.parse(stdout) as { id: string; token: string };
}

it('an operator migrates, is told which settings conflict with a database, and never sees a password', async () => {
  makeFolder();
  const database = await server.createDatabase({ isMigrated: false });
  // As orchestrators hand it over: in a file.
  const file = join(folder, 'database-url');
  writeFileSync(file, `${withSecret(database.url)}\n`);
  const node = { COMMONPLACE_DATABASE_URL_FILE: file };
  const owner = { ...node, COMMONPLACE_DATABASE_OWNER_URL: withSecret(database.ownerUrl) };

  const refused = await commonplace(node, 'a', 'serve');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Run `commonplace migrate`') as unknown });
  expect(await commonplace(node, 'a', 'migrate')).toMatchObject({ code: 2 });
  const stranger = await commonplace(owner, 'a', 'migrate', '--node-role', 'stranger');
  expect(stranger).toMatchObject({ code: 2, stderr: expect.stringContaining('no role "stranger"') as unknown });
  expect(await commonplace(owner, 'a', 'migrate', '--node-role', 'owner')).toMatchObject({ code: 2 });
  const migrated = JSON.parse((await commonplace(owner, 'a', 'migrate', '--json')).stdout) as object;
  expect(migrated).toMatchObject({ nodeRole: 'app', before: 0 });
  expect((await commonplace(owner, 'a', 'migrate')).stdout).toContain('up to date');

  const inWords: [args: string[], words: string][] = [
    [['backup', 'x.zip'], 'pgBackRest'],
    [['restore', file], 'move --to database'],
    [['doctor', '--check'], 'PostgreSQL checks its own files'],
    [['account', 'adopt', file], 'move --to database'],
    [['account', 'start-empty', 'local'], 'none is missing'],
    [['serve', '--backup-to', folder], 'back up the database itself'],
  ];
  for (const [args, words] of inWords) {
    const { code, stderr } = await commonplace(node, 'a', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  }
  const { stdout } = await commonplace(node, 'a', 'doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string; fix?: string }[] };
  const check = checks.find(({ name }) => name === 'Database');
  expect(check?.detail).toMatch(/^PostgreSQL \d.* role app, schema \d+, .* ms an answer/);
  // A database of a busy machine answers as late as one far away.
  expect(check?.fix?.replace(/^The database is far away: .*? Run the servers near it\./, '') ?? '').toBe('');
  expect((await commonplace(node, 'a', 'config')).stdout).toContain('databaseUrl = (set, not shown)');
  await database.drop();
});

/** The gate takes the longer way, where there is one. */
const ways = [...(isThorough || !hasPgBouncer ? ['directly'] : []), ...(hasPgBouncer ? ['through PgBouncer'] : [])];

it.each(ways)(
  'an item saved at one server is processed by another and answered by both, and a revoked token is refused by both: %s',
  async (way) => {
    makeFolder();
    const database = await server.createDatabase();
    const { id, token } = await createToken(database);
    const pooler = way === 'directly' ? null : await PgBouncer.start(database.url);
    const url = withSecret(pooler?.urlOf(database.url) ?? database.url);
    const [a, b] = await Promise.all([serve(url, 'a', token, '--workers', '0'), serve(url, 'b', token)]);
    const saved = await Promise.all([1, 2, 3, 4].map((at) => a.ask('/content', save(at))));
    expect(saved.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    for (const { body } of saved)
      await expect.poll(async () => (await b.ask(`/content/${String(body['id'])}`)).body['status']).toBe('completed');
    expect((await a.ask('/content?status=completed')).body).toMatchObject({ total: 4 });
    const asked = { method: 'POST', body: JSON.stringify({ query: 'fox winter' }) };
    for (const node of [a, b]) expect((await node.ask('/search', asked)).body['results']).toHaveLength(4);

    const settings = { COMMONPLACE_DATABASE_URL: url };
    expect(await commonplace(settings, 'operator', 'token', 'revoke', id)).toMatchObject({ code: 0 });
    expect([(await a.ask('/goals')).status, (await b.ask('/goals')).status]).toEqual([401, 401]);
    expect(await Promise.all([a.stop(), b.stop()])).toEqual([0, 0]);
    await pooler?.stop();
    await database.drop();
  },
);

it('a server reports that the database is unavailable, and recovers with everything acknowledged', async () => {
  makeFolder();
  const database = await server.createDatabase();
  const { token } = await createToken(database);
  const { relay, url } = await Relay.start(database.url);
  const node = await serve(withSecret(url), 'a', token);
  const saved: string[] = [];
  const keep = async (at: number) => {
    const { status, body } = await node.ask('/content', save(at));
    if (status === 201) saved.push(String(body['id']));
    return status;
  };
  expect(await keep(1)).toBe(201);
  expect((await node.ask('/ready')).status).toBe(200);

  const cut = Promise.all([2, 3, 4, 5, 6].map(keep));
  relay.setAway(true);
  await cut;
  const away = {
    status: 500,
    body: { code: 'unavailable', detail: expect.stringContaining('does not answer') as unknown },
  };
  expect(await node.ask('/content')).toMatchObject(away);
  expect(await node.ask('/content', save(7))).toMatchObject(away);
  expect((await node.ask('/health')).status).toBe(200);
  expect(await node.ask('/ready')).toMatchObject({ status: 503, body: { checks: { store: 'failed' } } });

  relay.setAway(false);
  await expect.poll(async () => (await node.ask('/ready')).status).toBe(200);
  expect(await keep(8)).toBe(201);
  for (const id of saved)
    await expect.poll(async () => (await node.ask(`/content/${id}`)).body['status']).toBe('completed');
  expect(await node.stop()).toBe(0);
  await relay.stop();
  await database.drop();
});

it('a library moves into a database and back into another folder, equal by hash', async () => {
  makeFolder();
  const database = await server.createDatabase();
  const page = join(folder, 'fox.md');
  writeFileSync(page, '# Foxes\n\nFeed the fox in winter, because it is hungry.\n');
  expect(await commonplace({}, 'a', 'save', '--wait', page)).toMatchObject({ code: 0 });
  const url = withSecret(database.url);
  const settings = { COMMONPLACE_DATABASE_URL: url };
  interface Moved {
    isSame: boolean;
    accounts: { id: string; items: number; copied: number; digest: string }[];
  }
  const move = async (data: string, ...how: string[]) => {
    const { code, stdout, stderr } = await commonplace(settings, data, 'move', '--json', ...how);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Moved;
  };
  const there = await move('a', '--to', 'database');
  expect(there).toMatchObject({ isSame: true, accounts: [{ id: 'local', items: 1, copied: 1 }] });
  expect(await move('a', '--to', 'database')).toMatchObject({ isSame: true, accounts: [{ copied: 0 }] });
  expect((await commonplace(settings, 'b', 'list')).stdout).toContain('Foxes');
  const back = await move('c', '--from', 'database');
  expect(back.accounts).toMatchObject([{ copied: 1, digest: there.accounts[0]!.digest }]);
  const found = await commonplace({}, 'c', 'search', 'hungry');
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('Foxes') as unknown });

  // Another library is there already: two are not mixed.
  expect(await commonplace({}, 'd', 'save', page)).toMatchObject({ code: 0 });
  expect(await commonplace(settings, 'd', 'move', '--to', 'database')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Two libraries are not mixed') as unknown,
  });
  expect(await commonplace(settings, 'a', 'move')).toMatchObject({ code: 2 });
  await database.drop();
});
