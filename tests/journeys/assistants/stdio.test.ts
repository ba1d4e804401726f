import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { builtProgram, connectOverStdio, journeyKinds } from '../../support/mcp.ts';
import { articlePage, serve, startSite } from '../../support/servers/site.ts';
import { describeTools } from './tools-suite.ts';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-stdio-'));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

for (const kind of journeyKinds) describeTools(`over stdio with a ${kind}`, () => connectOverStdio(kind, newFolder()));

/** The built server with its raw streams, past the handshake. */
async function startRaw(
  folder: string,
): Promise<{ server: ChildProcessWithoutNullStreams; lines: string[]; ask: (message: object) => Promise<void> }> {
  const server = spawn(process.execPath, [
    builtProgram,
    'stdio',
    '--data',
    folder,
    '--allow-private-addresses',
    'true',
  ]);
  const lines: string[] = [];
  let rest = '';
  const waiting: (() => void)[] = [];
  server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const wake of waiting.splice(0)) wake();
  });
  const ask = async (message: object) => {
    const answer = new Promise<void>((resolve) => waiting.push(resolve));
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    await answer;
  };
  await ask({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  });
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return { server, lines, ask };
}

async function exitOf(server: ChildProcessWithoutNullStreams, end: () => void): Promise<{ code: number | null }> {
  const exited = new Promise<number | null>((resolve) => server.once('exit', (code) => resolve(code)));
  end();
  return { code: await exited };
}

describe('a server whose client goes away', () => {
  const ends: Record<string, (server: ChildProcessWithoutNullStreams) => void> = {
    'end of stdin': (server) => server.stdin.end(),
    SIGTERM: (server) => server.kill('SIGTERM'),
    SIGHUP: (server) => server.kill('SIGHUP'),
    'a broken pipe': (server) => {
      server.stdout.destroy();
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' })}\n`);
    },
  };
  test.each(Object.keys(ends))('%s: it exits, and saved items are processed at the next start', async (name) => {
    const folder = newFolder();
    const site = await startSite();
    // The page answers only after the server is gone, so that the job is interrupted in its first stage.
    const open: (() => void)[] = [];
    const asked = Promise.withResolvers<void>();
    site.routes.set('/page', (request, response) => {
      if (open.length > 0)
        return serve(articlePage('Late', ['The late page says that patience pays.']))(request, response);
      open.push(() => response.destroy());
      asked.resolve();
    });
    const { server, ask } = await startRaw(folder);
    await ask({
      id: 2,
      method: 'tools/call',
      params: { name: 'save_content', arguments: { url: `${site.url}/page` } },
    });
    await asked.promise;
    // The page never answers, so a server that waited for it would not exit within the test's time.
    await exitOf(server, () => ends[name]?.(server));
    for (const drop of open) drop();

    const client = await connectOverStdio('v2 client, 2026-07-28', folder);
    const again = await client.call('save_content', { url: `${site.url}/page`, wait: 30 });
    expect(again.structured).toMatchObject({ outcome: 'existed', status: 'completed', title: 'Late' });
    await client.close();
    await site.close();
  });
});

test('over stdio the first answer does not wait for the database, and no HTTP code is loaded', async () => {
  const told = "registerHooks({load(url,context,next){process.stderr.write(url+'\\n');return next(url,context)}})";
  const hook = `data:text/javascript,${encodeURIComponent(`import{registerHooks}from'node:module';${told}`)}`;
  const server = spawn(process.execPath, ['--import', hook, builtProgram, 'stdio', '--data', newFolder()]);
  let loaded = '';
  server.stderr.setEncoding('utf8').on('data', (chunk: string) => (loaded += chunk));
  const answers: string[] = [];
  const answered = async (count: number) => {
    while (answers.length < count) await once(server.stdout, 'data');
  };
  server.stdout.setEncoding('utf8').on('data', (chunk: string) => answers.push(chunk));
  const ask = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  ask({ id: 1, method: 'ping' });
  await answered(1);
  const loadedBefore = loaded;
  ask({ id: 2, method: 'tools/call', params: { name: 'list_goals' } });
  await answered(2);
  server.stdin.end();
  await new Promise((resolve) => server.once('close', resolve));
  expect(loadedBefore).toContain('/dist/parts/start.js');
  // To open a file costs more than to read it: the build joins what the first answer needs.
  expect(loadedBefore.split(dirname(builtProgram)).length - 1).toBeLessThan(12);
  const joined = [...new Set(loadedBefore.match(/(?<=^file:).*\/dist\/parts\/.*$/gm))];
  const bytes = joined.reduce((sum, path) => sum + statSync(fileURLToPath(`file:${path}`)).size, 0);
  // 1.5 MB, of which .8 speak MCP. It was 2.1 when stems and the rules of analyses were part of it.
  expect(bytes / 2 ** 20, joined.join(' ')).toBeLessThan(1.7);
  expect(loadedBefore).not.toMatch(/better-sqlite3|pino|cli-progress|\/dist\/parts\/app\.js/);
  expect(loaded).toMatch(/\/dist\/parts\/command-app\.js/);
  expect(loaded).not.toMatch(/\/hono\/|@hono|\/dist\/parts\/serve\d*\.js|rate-limiter|prom-client/);
});

describe('a server that cannot start', () => {
  /** What it says on stderr and answers to the first messages, when nobody closes anything. */
  async function told(folder: string, messages: object[]) {
    const server = spawn(process.execPath, [builtProgram, 'stdio', '--data', folder]);
    const [said, answers]: [string[], string[]] = [[], []];
    server.stderr.setEncoding('utf8').on('data', (chunk: string) => said.push(chunk));
    server.stdout.setEncoding('utf8').on('data', (chunk: string) => answers.push(chunk));
    server.stdin.on('error', () => undefined);
    for (const message of messages) server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const [code] = (await once(server, 'close')) as [number | null];
    const lines = answers.join('').split('\n').filter(Boolean);
    return { code, said: said.join(''), answers: lines.map((line) => JSON.parse(line) as object) };
  }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const initialize = { id: 1, method: 'initialize', params };

  test('exits without an answer when a setting is invalid', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'config.json'), '{"workers": "many"}');
    const { code, said, answers } = await told(folder, [initialize]);
    expect({ code, answers }).toEqual({ code: 2, answers: [] });
    expect(said).toContain('"workers" in config.json');
  });

  test.each([
    ['nobody waits for it', [], []],
    ['a client has shaken hands', [initialize], [{ id: 1, result: { serverInfo: { name: 'commonplace' } } }]],
    [
      'a call waits for it',
      [initialize, { id: 2, method: 'tools/call', params: { name: 'list_goals' } }],
      [
        { id: 1 },
        { id: 2, result: { isError: true, content: [{ text: expect.stringContaining('data folder cannot be') }] } },
      ],
    ],
  ])('exits with the reason when the data folder cannot be used: %s', async (_when, messages, expected) => {
    const folder = newFolder();
    // Where a folder should be there is a file, of which the settings know nothing.
    writeFileSync(join(folder, 'accounts'), '');
    const { code, said, answers } = await told(folder, messages);
    expect(code).toBe(1);
    expect(said).toMatch(/^commonplace: The data folder cannot be/);
    expect(answers).toMatchObject(expected);
  });
});

test('stdout has nothing but JSON-RPC, whatever is saved', async () => {
  const site = await startSite();
  site.routes.set(
    '/noisy',
    serve(
      '<html><body><script>console.log("hello")</script><style>a{</style><table><tr><td>broken<p>page with a few words to keep</body>',
    ),
  );
  site.routes.set('/binary', serve(Buffer.from([0, 1, 2, 3, 255, 254, 0]), 'application/octet-stream'));
  site.routes.set('/fake.pdf', serve('%PDF-1.4 broken', 'application/pdf'));
  const { server, lines, ask } = await startRaw(newFolder());
  for (const [id, path] of ['/noisy', '/binary', '/fake.pdf', '/none'].entries()) {
    await ask({
      id: id + 10,
      method: 'tools/call',
      params: { name: 'save_content', arguments: { url: site.url + path, wait: 20 } },
    });
  }
  await exitOf(server, () => server.stdin.end());
  expect(lines.length).toBe(5);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  await site.close();
});
