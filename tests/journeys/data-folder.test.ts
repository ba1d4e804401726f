import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBuilt } from '../support/command.ts';
import { builtProgram, connectOverStdio } from '../support/mcp.ts';
import { runCommand, type ServingProcess, startServing } from '../support/servers/serving.ts';

// Every step starts the program again: on a busy machine that takes seconds.
let parent: string;
let folder: string;
let server: ServingProcess | null;
let token: string;

beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'commonplace-folder-'));
  folder = join(parent, 'data');
  server = null;
  token = (await runCommand<{ token: string }>(folder, 'token', 'create')).token;
});
afterEach(async () => {
  await server?.end('SIGKILL');
  rmSync(parent, { recursive: true, force: true });
});

const library = (name = 'local.db') => join(folder, 'accounts', name);
const serve = async () => (server = await startServing(folder, 0, ['--embedder', 'none', '--workers', '0']));

async function ask(path: string, body?: object): Promise<{ status: number; detail?: string; results?: unknown[] }> {
  const response = await fetch(`${server?.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { ...((await response.json()) as object), status: response.status };
}

const save = (name: string, text = 'A fox.') =>
  ask('/content', { url: `https://example.org/${name}`, title: name, text });

test('a missing library is reported on every interface and by doctor, and can be restored from a backup', async () => {
  await runCommand(folder, 'save', 'https://example.org/a', '--workers', '0');
  const backup = join(parent, 'backup.db');
  renameSync(library(), backup);
  const words = 'The library of the account local is missing';

  await serve();
  expect((await fetch(`${server?.url}/ready`)).status).toBe(503);
  expect(await ask('/content')).toMatchObject({ status: 500, detail: expect.stringContaining(words) });
  expect(await save('b')).toMatchObject({ status: 500, detail: expect.stringContaining('account adopt <file>') });
  const client = await connectOverStdio('v1 client', folder);
  expect(await client.call('list_content')).toMatchObject({ isError: true, text: expect.stringContaining(words) });
  await client.close();
  expect(await runBuilt('list', '--data', folder)).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  const doctor = await runBuilt('doctor', '--data', folder);
  expect(doctor.stdout).toContain('1 cannot be used (local)');
  expect(existsSync(library())).toBe(false);

  renameSync(backup, library('u_aaaaaaaaaaaaaaaa.db'));
  expect((await runBuilt('doctor', '--data', folder)).stdout).toContain('account adopt u_aaaaaaaaaaaaaaaa.db');
  renameSync(library('u_aaaaaaaaaaaaaaaa.db'), join(parent, 'local.db'));
  await runCommand(folder, 'account', 'adopt', join(parent, 'local.db'));
  expect(await ask('/content')).toMatchObject({ status: 200, total: 1 });
  expect((await fetch(`${server?.url}/ready`)).status).toBe(200);
});

test('a missing control.db is not recreated beside existing libraries, and adopt recovers them', async () => {
  await runCommand(folder, 'save', 'https://example.org/a', '--workers', '0');
  rmSync(join(folder, 'control.db'));
  for (const command of ['list', 'doctor', 'serve', 'stdio']) {
    const { code, stderr } = await runBuilt(command, '--data', folder);
    expect({ command, code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('control.db is missing'),
    });
  }
  expect((await runBuilt('account', 'adopt', 'nothing.db', '--data', folder)).code).toBe(2);
  expect(existsSync(join(folder, 'control.db'))).toBe(false);
  expect(await runCommand(folder, 'account', 'adopt', 'local.db')).toMatchObject({ id: 'local' });
  expect(await runCommand(folder, 'list')).toMatchObject({ total: 1 });
});

test.skipIf(process.platform === 'win32')(
  'a folder moved while the server runs accepts no saves until it is back',
  async () => {
    await serve();
    expect(await save('a')).toMatchObject({ status: 201 });
    const away = join(parent, 'away');
    renameSync(folder, away);
    expect(await save('b')).toMatchObject({ status: 500, detail: expect.stringContaining('missing') });
    expect((await fetch(`${server?.url}/ready`)).status).toBe(503);
    expect(existsSync(folder)).toBe(false);
    renameSync(away, folder);
    expect(await save('c')).toMatchObject({ status: 201 });
    expect((await fetch(`${server?.url}/ready`)).status).toBe(200);
    expect(await ask('/content')).toMatchObject({ total: 2 });
  },
);

/** As a full disk: the process can make no file longer. */
function limitFiles(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(server?.process.pid), `--fsize=${bytes}:unlimited`]);
}

const hasPrlimit = process.platform === 'linux' && existsSync('/usr/bin/prlimit');

test.skipIf(!hasPrlimit)('a full disk refuses saves while searches continue, until there is room', async () => {
  server = await startServing(folder, 0, ['--embedder', 'none']);
  expect(await save('a', 'A fox sleeps beside the river.')).toMatchObject({ status: 201 });
  const search = () => ask('/search', { query: 'fox' });
  await expect.poll(async () => (await search()).results).toHaveLength(1);

  limitFiles('1000');
  const big = Array.from({ length: 20_000 }, (_, n) => `Sentence ${n} of a hen.`).join(' ');
  expect(await save('b', big)).toMatchObject({ status: 500, detail: expect.stringContaining('Free some space') });
  expect((await fetch(`${server?.url}/ready`)).status).toBe(503);
  expect((await search()).results).toHaveLength(1);

  limitFiles('unlimited');
  expect((await fetch(`${server?.url}/ready`)).status).toBe(200);
  expect(await save('b', big)).toMatchObject({ status: 201 });
  await expect.poll(async () => (await ask('/search', { query: 'hen' })).results).toHaveLength(1);
});

test.skipIf(!hasPrlimit)('on a full disk, commands read, search, check and export, and refuse to save', async () => {
  await runCommand(folder, 'note', 'A fox sleeps beside the river.', '--embedder', 'none');
  await runCommand(folder, 'work', '--embedder', 'none');
  // As a full disk: these processes can make no file of 32 kB, which SQLite needs to share a database.
  const limited = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync('prlimit', ['--fsize=20000', process.execPath, ...words], {
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  const onFullDisk = (...words: string[]) =>
    limited(builtProgram, ...words, '--data', folder, '--embedder', 'none', '--http-port', '0');
  expect(onFullDisk('search', 'fox')).toMatchObject({ code: 0, stdout: expect.stringContaining('river') });
  expect(onFullDisk('list')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 item') });
  expect(onFullDisk('token', 'list')).toMatchObject({ code: 0 });
  expect(onFullDisk('doctor').stdout).toContain('Library: 1 searchable');
  expect(onFullDisk('doctor', '--check')).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files') });
  expect(onFullDisk('export', join(parent, 'exported'))).toMatchObject({ code: 0 });
  expect(onFullDisk('note', 'A hen.')).toMatchObject({ code: 1, stderr: expect.stringContaining('Free some space') });

  // A backup opens the files in the same way. Its own copy is larger than the limit.
  const opening = join(import.meta.dirname, '../../src/store/sqlite/files/open-database.ts');
  const script = `import { openForReading } from ${JSON.stringify(opening)};
      const one = openForReading(${JSON.stringify(library())});
      console.log(one.pragma('locking_mode', { simple: true }), one.prepare('SELECT count(*) FROM items').pluck().get());
      one.close();`;
  expect(limited('--input-type=module', '-e', script)).toMatchObject({ code: 0, stdout: 'exclusive 1\n' });

  // Once there is room, everything is as before, beside a process that was started without any.
  server = await startServing(folder, 0, ['--embedder', 'none']);
  expect(await runBuilt('note', 'A hen.', '--data', folder)).toMatchObject({ code: 0 });
  expect(await ask('/content')).toMatchObject({ total: 2 });
});

test.skipIf(!hasPrlimit)('a server started on a full disk lets others write once there is room', async () => {
  await runCommand(folder, 'note', 'A fox.');
  server = await startServing(folder, 0, ['--embedder', 'none', '--workers', '0'], {
    under: ['prlimit', '--fsize=20000:unlimited'],
  });
  expect(await save('a')).toMatchObject({ status: 500, detail: expect.stringContaining('Free some space') });
  expect(await ask('/content')).toMatchObject({ total: 1 });
  expect(await runBuilt('note', 'A hen.', '--data', folder)).toMatchObject({ code: 0 });
  expect(await ask('/content')).toMatchObject({ total: 2 });
  limitFiles('unlimited');
  expect(await save('a')).toMatchObject({ status: 201 });
});

test.skipIf(process.platform === 'win32')(
  'a save says so when another process was suspended during a write, and works once that continues',
  async () => {
    await runCommand(folder, 'note', 'A fox.');
    const script = `import { DatabaseSync } from 'node:sqlite';
      new DatabaseSync(${JSON.stringify(library())}).exec('BEGIN IMMEDIATE');
      console.log('writing');
      setInterval(() => undefined, 60_000);`;
    const writer = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
    try {
      await once(writer.stdout, 'data');
      writer.kill('SIGSTOP');
      await serve();
      const answers = await Promise.all([save('a'), save('b'), runBuilt('note', 'A hen.', '--data', folder)]);
      const words = expect.stringMatching(/Another process is holding the data folder.+may be stopped/) as string;
      expect(answers).toMatchObject([
        { status: 500, detail: words },
        { status: 500, detail: words },
        { code: 1, stderr: words },
      ]);
      expect(await ask('/content')).toMatchObject({ status: 200, total: 1 });
    } finally {
      writer.kill('SIGKILL');
      await once(writer, 'exit');
    }
    expect(await save('a')).toMatchObject({ status: 201 });
  },
);
