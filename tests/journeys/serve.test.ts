import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { builtProgram } from '../support/mcp.ts';

// Every step starts the program again: on a busy machine that takes seconds.
let folder: string;
const running = new Set<ChildProcess>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-serve-'));
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command beside the server and reads its answer. */
async function commonplace(...args: string[]): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [builtProgram, ...args, '--json', '--data', folder]);
  return JSON.parse(stdout) as Record<string, string>;
}

interface Server {
  url: string;
  pid: number | undefined;
  stderr: () => string;
  /** Ends it and answers its exit code. */
  stop(signals?: number): Promise<number | null>;
}

async function serve(...flags: string[]): Promise<Server> {
  const args = [builtProgram, 'serve', '--json', '--data', folder, '--embedder', 'none', '--workers', '0', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  let stdout = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
      const found = /"url": "([^"]+)"/.exec(stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    pid: child.pid,
    stderr: () => stderr,
    stop: (signals = 1) => {
      for (let sent = 0; sent < signals; sent += 1) child.kill('SIGTERM');
      return ended;
    },
  };
}

async function status(server: Server, token: string, path = '/goals'): Promise<number> {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

test.runIf(process.platform === 'linux')(
  'a server uses one malloc arena, unless its environment says otherwise',
  async () => {
    const allocation = async () => {
      const server = await serve('--port', '0');
      const environment = readFileSync(`/proc/${server.pid}/environ`, 'utf8').split('\0');
      await server.stop();
      return environment.filter((entry) => entry.startsWith('MALLOC_')).toSorted();
    };
    expect(await allocation()).toEqual(['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=131072']);
    vi.stubEnv('MALLOC_ARENA_MAX', '3');
    expect(await allocation()).toEqual(['MALLOC_ARENA_MAX=3']);
    vi.unstubAllEnvs();
  },
);

test('accounts and tokens can be managed beside a running server, with immediate effect', async () => {
  const server = await serve('--port', '0');
  const account = await commonplace('account', 'add', 'Ada Lovelace');
  expect(account).toMatchObject({ name: 'Ada Lovelace', plan: 'pro', id: expect.stringMatching(/^u_/) });
  const id = account['id'] ?? '';
  const created = await commonplace(
    'token',
    'create',
    'laptop',
    '--account',
    id,
    '--scopes',
    'goals:read',
    '--expires',
    '90d',
  );
  const token = created['token'] ?? '';
  expect(created).toMatchObject({ name: 'laptop', account: id, scopes: ['goals:read'] });

  expect(await status(server, token)).toBe(200);
  expect(await status(server, token, '/content')).toBe(403);
  await commonplace('account', 'set-plan', id, 'free');
  expect(await status(server, token)).toBe(401);
  await commonplace('account', 'set-plan', id, 'pro');
  expect(await status(server, token)).toBe(200);

  const listed = JSON.stringify(await commonplace('token', 'list'));
  expect(listed).toContain('laptop');
  expect(listed).not.toContain(token.slice(4, 20));
  await commonplace('token', 'revoke', created['id'] ?? '');
  expect(await status(server, token)).toBe(401);

  const second = (await commonplace('token', 'create', '--account', id))['token'] ?? '';
  expect(await status(server, second)).toBe(200);
  await expect(commonplace('account', 'remove', id)).rejects.toMatchObject({ code: 2 });
  expect(await status(server, second)).toBe(200);
  await commonplace('account', 'remove', id, '--yes');
  expect(await status(server, second)).toBe(401);
  expect(await commonplace('account', 'list')).toMatchObject({ removed: [{ id }] });
  await commonplace('account', 'restore', id);
  expect(await status(server, second)).toBe(200);
  expect(await commonplace('account', 'remove', id, '--now', '--yes')).toMatchObject({ removed: id, backups: [] });
  expect(await status(server, second)).toBe(401);
  await expect(commonplace('account', 'restore', id)).rejects.toMatchObject({ code: 3 });
  expect(JSON.stringify(await commonplace('account', 'list'))).not.toContain(id);

  expect(await server.stop()).toBe(0);
  for (const secret of [token, second]) expect(server.stderr()).not.toContain(secret.slice(4, 20));
  const lines = server.stderr().trim().split('\n');
  expect(lines.every((line) => line.startsWith('{'))).toBe(true);
});

test('a server that listens to the network says what it exposes', async () => {
  const server = await serve('--port', '0', '--host', '0.0.0.0');
  expect(server.stderr()).toContain('exposes');
  expect(await server.stop(2)).toBe(0);
});

test('a server restarted under load loses no acknowledged save', async () => {
  const token = (await commonplace('token', 'create'))['token'] ?? '';
  let server = await serve('--port', '0');
  const port = new URL(server.url).port;
  const saved: string[] = [];
  const unexpected: number[] = [];
  const over = new AbortController();
  let number = 0;
  const client = async () => {
    while (!over.signal.aborted) {
      const url = `https://example.com/${(number += 1)}`;
      // Between two servers nobody answers: a client tries again.
      const response = await fetch(`${server.url}/content`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      }).catch(() => null);
      if (response === null) await new Promise((resolve) => setImmediate(resolve));
      else if (response.status === 201) saved.push(((await response.json()) as { id: string }).id);
      else if (response.status !== 429) unexpected.push(response.status);
    }
  };
  const clients = Array.from({ length: 8 }, client);
  for (let restart = 1; restart <= 3; restart += 1) {
    while (saved.length < restart * 20) await new Promise((resolve) => setImmediate(resolve));
    expect(await server.stop()).toBe(0);
    server = await serve('--port', port, '--rate-limit-per-minute', '0');
  }
  while (saved.length < 100) await new Promise((resolve) => setImmediate(resolve));
  over.abort();
  await Promise.all(clients);
  expect(unexpected).toEqual([]);
  for (const id of saved) expect(await status(server, token, `/content/${id}`)).toBe(200);
  await server.stop();
});
