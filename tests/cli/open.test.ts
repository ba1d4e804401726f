import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAddress, openerFor } from '../../src/cli/commands/open.ts';
import { runBuilt, runBuiltIn } from '../support/command.ts';
import { builtProgram } from '../support/mcp.ts';

let folder: string;
const flags = () => ['--data', join(folder, 'data'), '--embedder', 'none'];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-open-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['linux', { DISPLAY: ':0' }, 'xdg-open'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
  ['linux', {}, undefined],
  ['darwin', {}, 'open'],
  ['darwin', { SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22' }, undefined],
  ['win32', {}, 'rundll32'],
] as const)('on %s with %j the browser is started by %s', (platform, environment, program) => {
  expect(openerFor(platform, environment)?.program).toBe(program);
});

test('the address reaches the opening program as one argument, whatever it contains', async () => {
  const [opener, seen] = [join(folder, 'opener'), join(folder, 'seen')];
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${seen}'\n`);
  chmodSync(opener, 0o755);
  const url = new URL('https://example.com/a;touch%20$(id)?q=`id`&b="c"#:~:text=d');
  const { signal } = new AbortController();
  expect(await openAddress({ program: opener, args: [] }, url, signal)).toBe(true);
  expect(readFileSync(seen, 'utf8')).toBe(`1\n${url.href}\n`);
  expect(await openAddress({ program: join(folder, 'missing'), args: [] }, url, signal)).toBe(false);
  writeFileSync(opener, '#!/bin/sh\nexit 3\n');
  expect(await openAddress({ program: opener, args: [] }, url, signal)).toBe(false);
});

test('without a display the address is printed; without an address the command says what to do', async () => {
  const saved = await runBuilt('save', 'https://example.com/sleep', '--json', ...flags());
  const { id } = JSON.parse(saved.stdout) as { id: string };
  const opened = await runBuiltIn({ HOME: folder, DISPLAY: '', WAYLAND_DISPLAY: '' }, 'open', id, ...flags());
  expect(opened).toMatchObject({ code: 0, stdout: 'https://example.com/sleep\n' });
  expect(opened.stderr).toContain('open the address yourself');

  const file = join(folder, 'note.txt');
  writeFileSync(file, 'A note without an address.');
  const note = JSON.parse((await runBuilt('save', file, '--json', ...flags())).stdout) as { id: string };
  const refused = await runBuiltIn({ HOME: folder, DISPLAY: '', WAYLAND_DISPLAY: '' }, 'open', note.id, ...flags());
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(`no web address`);
  expect(refused.stderr).toContain(`commonplace show ${note.id}`);

  expect(
    await runBuiltIn({ HOME: folder, DISPLAY: '', WAYLAND_DISPLAY: '' }, 'open', 'c_aaaaaaaaaaaaaaaa', ...flags()),
  ).toMatchObject({ code: 3 });
});

test('without a server, open prints the command to run, and on a terminal starts one itself', async () => {
  const port = await freePort();
  const noDisplay = { HOME: folder, DISPLAY: '', WAYLAND_DISPLAY: '' };
  expect(await runBuiltIn(noDisplay, 'open', '--port', String(port), ...flags())).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Start it with `commonplace serve`') as string,
  });

  // The program is told that its streams are a terminal.
  const terminal = join(folder, 'terminal.cjs');
  writeFileSync(terminal, 'for (const stream of [process.stdin, process.stdout]) stream.isTTY = true;');
  const child = spawn(
    process.execPath,
    ['--require', terminal, builtProgram, 'open', '--port', String(port), ...flags()],
    { env: { ...process.env, ...noDisplay, NO_COLOR: '1' } },
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const link = () => /http:\/\/\S+\/app\/enter\?code=\S+(?=\n)/.exec(said)?.[0] ?? '';
  await expect.poll(link).toContain(`:${port}/`);
  expect((await fetch(link())).status).toBe(200);
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  await expect(fetch(link())).rejects.toThrow('fetch failed');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
