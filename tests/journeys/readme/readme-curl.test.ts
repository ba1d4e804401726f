import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixedRoutes } from '../../../src/http/rest/routes.ts';
import { operations } from '../../../src/operations/index.ts';
import { builtProgram } from '../../support/mcp.ts';
import { articlePage, serve, startSite, type Site } from '../../support/servers/site.ts';

/*
 * docs/http.md, followed as a newcomer follows it: its blocks run in a shell, against the built
 * program. Changed are only the names of what differs from machine to machine: addresses, ids, how the program is started.
 */

const run = promisify(execFile);
let folder: string;
let site: Site;
let server: ChildProcess;
let base: string;
let blocks: string[];

beforeAll(async () => {
  const chapter = await readFile(new URL('../../../docs/http.md', import.meta.url), 'utf8');
  blocks = [...chapter.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  folder = await mkdtemp(join(tmpdir(), 'commonplace-readme-'));
  site = await startSite();
  site.routes.set(
    '/sleep',
    serve(
      articlePage('What helps to sleep', [
        'Get up at the same hour every day, weekends included. A steady hour does more for sleep than an early bedtime.',
        'Light is the strongest signal that the body has. Half an hour outside before noon moves the whole rhythm earlier.',
        'Keep the bedroom cool and dark at night, and leave the telephone in another room.',
      ]),
    ),
  );
});
afterAll(async () => {
  if (server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const flags = ['--data', '$FOLDER', '--allow-private-addresses', 'true', '--embedder', 'none'];

/** The block as it would be typed on this machine. Every curl fails the shell when the answer is no success. */
function onThisMachine(block: string, names: Readonly<Record<string, string>> = {}): string {
  const typed = block
    .replaceAll(/\bcommonplace (?=token\b)/g, `"$NODE" "$PROGRAM" ${flags.map((flag) => `"${flag}"`).join(' ')} `)
    .replaceAll('http://127.0.0.1:7878', base)
    .replaceAll('https://example.com', site.url);
  const named = Object.entries(names).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
    typed,
  );
  return `set -e\ncurl() { command curl -sS --fail "$@"; echo; }\n${named}`;
}

async function shell(script: string, token = ''): Promise<string[]> {
  const { stdout } = await run('sh', ['-c', script], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE: process.execPath,
      PROGRAM: builtProgram,
      FOLDER: folder,
      COMMONPLACE_TOKEN: token,
    },
  });
  return stdout.split('\n').filter((line) => line !== '');
}

test('the HTTP documentation can be followed to the letter', async () => {
  const [start = '', first = '', rest = ''] = blocks;
  expect(start.trim()).toBe('commonplace serve');
  // Nothing processes on its own, so that the test can say when.
  const own = flags.map((flag) => flag.replace('$FOLDER', folder));
  server = spawn(process.execPath, [builtProgram, 'serve', '--port', '0', '--workers', '0', '--json', ...own], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  for await (const line of createInterface({ input: server.stdout! })) {
    said += line;
    if (line === '}') break;
  }
  base = (JSON.parse(said) as { url: string }).url;

  const [saved = '', token = ''] = await shell(onThisMachine(`${first}\nprintf '%s\\n' "$COMMONPLACE_TOKEN"`));
  const { id, status } = JSON.parse(saved) as { id: string; status: string };
  expect(status).toBe('pending');
  await run(process.execPath, [builtProgram, 'work', '--workers', '2', ...own]);
  const actions = await fetch(`${base}/actions`, { headers: { authorization: `Bearer ${token}` } });
  const { items } = (await actions.json()) as { items: { id: string }[] };

  const answers = await shell(onThisMachine(rest, { CONTENT: id, ACTION: items[0]?.id ?? '' }), token);
  const [item, list, found, open, done, goals] = answers.map((answer) => JSON.parse(answer) as Record<string, unknown>);
  expect(item).toMatchObject({ id, status: 'completed', notes: 'Read again in spring', tags: ['health', 'sleep'] });
  expect(list).toMatchObject({ total: 1 });
  expect(found).toMatchObject({ results: [{ id }] });
  expect(open).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ completed: false })]) });
  expect(done).toMatchObject({ id: items[0]?.id, completed: true });
  expect(goals).toMatchObject({ items: [] });
});

test('the HTTP documentation has a curl call for every endpoint', () => {
  const text = blocks.join('\n').replaceAll('\\\n', ' ');
  const calls = text.split('\n').filter((line) => line.startsWith('curl'));
  for (const { http } of fixedRoutes(operations)) {
    const path = new RegExp(`7878${http.path.replaceAll(/:\w+/g, String.raw`\$[A-Z]+`)}(?=["' ?]|$)`);
    const writes = http.method === 'post';
    expect(
      calls.some((call) => path.test(call) && writes === / -d |-X POST/.test(call)),
      `${http.method} ${http.path}`,
    ).toBe(true);
  }
});
