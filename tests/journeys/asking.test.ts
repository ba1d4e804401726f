import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBuilt } from '../support/command.ts';
import { builtProgram } from '../support/mcp.ts';
import { startServing } from '../support/servers/serving.ts';

/* Commands of the built program beside a server on the same data folder. Windows has no sockets for them. */

let folder: string;
let data: string;
const sockets = () => readdirSync(join(data, 'servers'));
const search = () => runBuilt('search', 'rhubarb', '--json', '--data', data, '--embedder', 'none');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-asking-'));
  data = join(folder, 'data');
});
/** Ends what a test started, also when it fails. */
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** Stands before a server's socket, and counts who asks. */
async function countAsking(): Promise<{ asked: () => number; end: () => Promise<void> }> {
  const [server = ''] = sockets();
  let asked = 0;
  // Sockets are asked in the order of their names, which begin with a hexadecimal digit.
  const proxy = createServer((socket) => {
    asked += 1;
    const onward = connect(join(data, 'servers', server));
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  }).listen(join(data, 'servers', '+counting.sock'));
  await once(proxy, 'listening');
  const end = (): Promise<void> => new Promise((resolve) => void proxy.close(() => resolve()));
  ending.push(end);
  return { asked: () => asked, end };
}

test.skipIf(process.platform === 'win32')(
  'a command is run by `serve`, and by its own process when `serve` was killed',
  async () => {
    const note = join(folder, 'note.txt');
    writeFileSync(note, 'Rhubarb is cut in spring, before it flowers.');
    expect((await runBuilt('save', note, '--wait', '--data', data, '--embedder', 'none')).code).toBe(0);
    const alone = await search();
    expect(JSON.parse(alone.stdout)).toMatchObject({ results: [{ title: expect.any(String) as string }] });

    const server = await startServing(data, 0, ['--embedder', 'none']);
    ending.push(() => server.end('SIGKILL'));
    await expect.poll(() => sockets().length).toBe(1);
    const counted = await countAsking();
    expect(await search()).toEqual(alone);
    expect(await runBuilt('show', 'c_aaaaaaaaaaaaaaaa', '--data', data, '--embedder', 'none')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('commonplace: ') as string,
    });
    expect(counted.asked()).toBe(2);
    await counted.end();

    await server.end('SIGKILL');
    expect(sockets()).toHaveLength(1);
    expect(await search()).toEqual(alone);
  },
);

test.skipIf(process.platform === 'win32')('a command is run by a stdio server while that runs', async () => {
  const child: ChildProcess = spawn(process.execPath, [builtProgram, 'stdio', '--data', data, '--embedder', 'none'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    // Nobody speaks to it, so it opens the data folder after a second.
    await expect.poll(() => sockets().length).toBe(1);
    const counted = await countAsking();
    expect(await search()).toMatchObject({ code: 0, stderr: '' });
    expect(counted.asked()).toBe(1);
    await counted.end();
  } finally {
    child.stdin?.end();
    await exited;
  }
  expect(sockets()).toEqual([]);
});
