import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerCommands, type AnsweringParts, answersAlike } from '../../src/cli/asking/answer-commands.ts';
import { askableCommands, askServer, programIdentity } from '../../src/cli/asking/ask-server.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { localAccountId } from '../../src/domain/records/account.ts';
import { operations } from '../../src/operations/index.ts';
import { runHere } from '../support/command.ts';
import { openTestServer } from '../support/test-server.ts';
import { addSampleRecords } from '../support/api/sample-records.ts';

/* A command that only reads, which a server on the same data folder runs for another process. Windows has no such sockets. */

const mainFile = import.meta.filename;
/** Milliseconds; on a busy machine a server takes long to answer. */
const patient = 60_000;
const inPipe = { isTTY: false };
const environment = () => ({ ...process.env, COMMONPLACE_EMBEDDER: 'none', COMMONPLACE_DATA: undefined });

it('a server runs only the read-only operations whose command has no subcommands', () => {
  const able = operations
    .filter(({ cli, effects }) => cli !== undefined && effects.readOnly && !effects.openWorld)
    .map(({ cli }) => cli?.command.replaceAll(/ [<[].*/g, '') ?? '');
  const firstWords = operations.flatMap(({ cli }) => cli?.command.split(' ')[0] ?? []);
  const alone = able.filter((command) => firstWords.filter((word) => word === command).length === 1);
  expect(alone.sort()).toEqual([...askableCommands].sort());
});

it('a server answers another process only when both have the same relevant settings', () => {
  const config = (flags: Record<string, unknown>) => loadConfig({ data: tmpdir(), ...flags }, {});
  const own = config({});
  for (const flags of [{ httpPort: 1 }, { fetchMaxMegabytes: 1 }, { workers: 0 }, { manageTools: 'off' }])
    expect(answersAlike(own, config(flags))).toBe(true);
  for (const flags of [{ embedder: 'none' }, { historyDays: 1 }, { logLevel: 'debug' }])
    expect(answersAlike(own, config(flags))).toBe(false);
  expect(answersAlike(own, config({ data: import.meta.dirname }))).toBe(false);
});

describe.skipIf(process.getuid === undefined)('Asking a server', () => {
  let testServer: Awaited<ReturnType<typeof openTestServer>>;
  let ids: Awaited<ReturnType<typeof addSampleRecords>>;
  let ends: (() => Promise<void>)[];
  const servers = () => join(testServer.folder, 'servers');
  const flags = () => ['--data', testServer.folder];

  beforeEach(async () => {
    testServer = await openTestServer({ embedder: 'none' });
    ids = await addSampleRecords(await testServer.app.stores.open(localAccountId));
    ends = [];
  });
  afterEach(async () => {
    for (const end of ends) await end();
    await testServer.close();
  });

  async function answer(changed: Partial<AnsweringParts> = {}): Promise<void> {
    const { app, folder } = testServer;
    const config = loadConfig({ data: folder }, environment());
    const run: AnsweringParts['run'] = (argv, streams, parts, theirs) =>
      runCommandLine(argv, streams, parts, '1.2.3', theirs);
    ends.push(await answerCommands({ app, config, mainFile, run, ...changed }));
  }
  const ask = (argv: readonly string[], limits = patient, terminal: { isTTY: boolean; columns?: number } = inPipe) =>
    askServer([...argv, ...flags()], environment(), terminal, mainFile, limits);

  /** A process that listens like a server. It is asked first, by its name. */
  async function pretend(serve: (socket: Socket) => void): Promise<Server> {
    mkdirSync(servers(), { recursive: true, mode: 0o700 });
    const path = join(servers(), '0.sock');
    const server = createServer(serve).listen(path);
    await once(server, 'listening');
    ends.push(() => new Promise((resolve) => void server.close(() => resolve())));
    return server;
  }

  it('gives the same answer, byte for byte, as a process that opens the library itself', async () => {
    await answer();
    const item = Object.values(ids)
      .flat()
      .find((id) => String(id).startsWith('c_')) as string;
    const commands = [
      ['search', 'sleep'],
      ['search', 'sleep', '-custard', '--limit', '1', '--facets'],
      ['search'],
      ['search', 'sleep', '--limit', '900'],
      ['search', 'sleep', '--no-such-flag'],
      ['related', item],
      ['list', '--status', 'completed'],
      ['show', item],
      ['show', 'c_aaaaaaaaaaaaaaaa'],
      ['actions'],
      ['goals'],
      ['highlights'],
      ['history'],
      ['tags'],
      ['versions', item],
    ];
    for (const command of commands) {
      for (const argv of [command, [...command, '--json']]) {
        const here = await runHere(...argv, ...flags(), '--embedder', 'none');
        const asked = await ask([...argv, '--embedder', 'none']);
        expect({ argv, ...asked }).toEqual({ argv, exitCode: here.code, stdout: here.stdout, stderr: here.stderr });
      }
    }
    expect(new Set(commands.map(([name]) => name))).toEqual(askableCommands);
  });

  it('formats the answer for the asking terminal', async () => {
    await answer();
    const show = async (columns: number, variables: Record<string, string>) => {
      const theirs = { ...environment(), TERM: 'xterm', NO_COLOR: undefined, FORCE_COLOR: undefined, ...variables };
      const asked = await askServer(['goals', ...flags()], theirs, { isTTY: true, columns }, mainFile, patient);
      return asked?.stdout ?? '';
    };
    expect(await show(80, {})).toContain('\u001B[1m');
    const plain = await show(80, { NO_COLOR: '1' });
    expect(plain).not.toContain('\u001B');
    const longest = (shown: string) => Math.max(...shown.split('\n').map((line) => line.length));
    expect(longest(plain)).toBeGreaterThan(30);
    expect(longest(await show(30, { NO_COLOR: '1' }))).toBeLessThanOrEqual(30);
  });

  it('is skipped for other settings, another build, another data folder, and help', async () => {
    await answer();
    expect(await ask(['list'])).not.toBeNull();
    expect(await ask(['list', '--history-days', '1'])).toBeNull();
    expect(await ask(['list', '--log-level', 'debug'])).toBeNull();
    expect(await ask(['list', '--help'])).toBeNull();
    expect(await ask(['save', 'https://example.com/'])).toBeNull();
    expect(
      await askServer(['list', ...flags()], environment(), inPipe, join(import.meta.dirname, 'open.test.ts'), patient),
    ).toBeNull();
    expect(await askServer(['list', '--data', '.'], environment(), inPipe, mainFile, patient)).toBeNull();
    const other = mkdtempSync(join(tmpdir(), 'commonplace-asking-'));
    try {
      symlinkSync(servers(), join(other, 'servers'));
      expect(await askServer(['list', '--data', other], environment(), inPipe, mainFile, patient)).toBeNull();
      rmSync(join(other, 'servers'));
      mkdirSync(join(other, 'servers'), { mode: 0o700 });
      const [name = ''] = readdirSync(servers());
      renameSync(join(servers(), name), join(other, 'servers', name));
      expect(await askServer(['list', '--data', other], environment(), inPipe, mainFile, patient)).toBeNull();
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('never writes, whatever is sent through the socket', async () => {
    let ran = 0;
    await answer({ run: () => Promise.resolve((ran += 1)) });
    const [name = ''] = readdirSync(servers());
    const say = async (line: string): Promise<string> => {
      const socket = connect(join(servers(), name));
      socket.on('error', () => undefined).end(line);
      return text(socket);
    };
    const request = (argv: unknown, more: object = {}) =>
      `${JSON.stringify({ program: programIdentity(mainFile), argv, environment: {}, terminal: { isTTY: false, columns: null }, ...more })}\n`;
    for (const line of [
      request(['goal', 'add', 'x']),
      request(['--json', 'save', 'https://example.com/']),
      request(['serve', 'list']),
      request('list'),
      request(['list'], { program: 'another' }),
      'list\n',
      '[]\n',
      '\n',
      `${'x'.repeat(200_000)}\n`,
    ])
      expect(await say(line)).toBe('');
    expect(ran).toBe(0);
    expect(await say(request(['list']))).toContain('{"exitCode":1,');
  });

  it('gives up on a server that is stopped or does not finish', async () => {
    await pretend((socket) => void socket.on('error', () => undefined).resume());
    expect(await ask(['list'], 1)).toBeNull();
  });

  it('tries the next server when one declines, is not a server, or is killed halfway', async () => {
    await answer();
    const ways: ((socket: Socket) => void)[] = [
      (socket) => void socket.destroy(),
      (socket) => void socket.write('{"exitCode":0,', () => socket.destroy()),
      (socket) => void socket.end(),
      (socket) => void socket.end('{}'),
      (socket) => void socket.end('no line of ours\n'),
      (socket) => void socket.end('null\n'),
    ];
    let asked = 0;
    await pretend((socket) => {
      socket.on('error', () => undefined).once('data', () => ways[asked++]?.(socket));
    });
    for (const way of ways) {
      const answered = await ask(['list', '--json']);
      expect(answered?.stdout, String(way)).toContain('"total"');
    }
    expect(asked).toBe(ways.length);
  });

  it('the socket of a killed process is skipped and removed', async () => {
    mkdirSync(servers(), { mode: 0o700 });
    const left = join(servers(), 'left.sock');
    const script = `require('node:net').createServer().listen(${JSON.stringify(left)}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(spawnSync(process.execPath, ['-e', script]).signal).toBe('SIGKILL');
    expect(existsSync(left)).toBe(true);
    expect(await ask(['list'])).toBeNull();
    expect(existsSync(left)).toBe(false);
    await answer();
    await answer();
    expect(readdirSync(servers())).toHaveLength(2);
    expect(await ask(['list'])).not.toBeNull();
    for (const end of ends.splice(0)) await end();
    expect(readdirSync(servers())).toEqual([]);
    expect(await ask(['list'])).toBeNull();
  });

  it.each([
    ['data folder', () => chmodSync(testServer.folder, 0o777)],
    ['folder of the sockets', () => chmodSync(servers(), 0o755)],
  ])('no process asks or answers where other users of the machine may write: %s', async (_what, open) => {
    mkdirSync(servers(), { mode: 0o700 });
    let asked = 0;
    await pretend(() => void (asked += 1));
    open();
    expect(await ask(['list'])).toBeNull();
    expect(asked).toBe(0);
    await answer();
    expect(readdirSync(servers())).toEqual(['0.sock']);
  });

  it('a data folder whose path is too long for sockets works without them', async () => {
    const deep = join(testServer.folder, 'x'.repeat(120));
    mkdirSync(deep);
    const app = { ...testServer.app, config: { ...testServer.app.config, data: deep } };
    await answer({ app });
    expect(readdirSync(join(deep, 'servers'))).toEqual([]);
  });
});
