// Second stage.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBuilt, runHere } from '../support/command.ts';
import { builtProgram } from '../support/mcp.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-watched-vault-'));
const [vault, notes] = [join(folder, 'vault'), join(folder, 'notes')];
const files = join(vault, 'Commonplace');
const flags = ['--data', join(folder, 'data'), '--embedder', 'none'];
const count = 400;

beforeAll(async () => {
  mkdirSync(vault);
  mkdirSync(notes);
  for (let at = 0; at < count; at += 1) writeFileSync(join(notes, `${at}.md`), `# Note ${at}\n\nAbout number ${at}.`);
  await runHere('import', notes, ...flags);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(): { child: ChildProcess; said: (words: string) => Promise<void>; ended: Promise<unknown[]> } {
  const child = spawn(process.execPath, [builtProgram, 'export', '--watch', vault, ...flags]);
  let text = '';
  const news = new EventTarget();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (more: Buffer) => {
      text += more.toString();
      news.dispatchEvent(new Event('more'));
    });
  const said = async (words: string): Promise<void> => {
    while (!text.includes(words)) await once(news, 'more');
    text = text.slice(text.indexOf(words) + words.length);
  };
  return { child, said, ended: once(child, 'exit') };
}

const written = (): string[] => (existsSync(files) ? readdirSync(files) : []);
const idOf = (name: string): string => /^id: "(.*)"$/m.exec(readFileSync(join(files, name), 'utf8'))?.[1] ?? '';

test('a vault is completed after a kill, synchronised in both directions, and stopped with Ctrl-C', async () => {
  const first = start();
  mkdirSync(files);
  const watcher = watch(files, () => {
    if (written().length > 50) first.child.kill('SIGKILL');
  });
  await first.ended;
  watcher.close();
  expect(written().length).toBeLessThan(count);

  const second = start();
  await second.said('Watching both.');
  const names = written();
  expect(names).toHaveLength(count);
  expect(new Set(names.map(idOf)).size).toBe(count);
  for (const name of names) expect(readFileSync(join(files, name), 'utf8')).toMatch(/^<!-- commonplace: .* -->\n$/m);
  expect(readdirSync(join(vault, '.commonplace')).toSorted()).toEqual(['lock', 'vault.json']);

  expect(await runBuilt('export', '--watch', vault, '--once', ...flags)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Process ${second.child.pid}`) as string,
  });

  // Every file at once.
  for (const name of names) {
    const path = join(files, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace('status:', 'tags: [all]\nstatus:'));
  }
  const tagged = async () => {
    const { stdout } = await runHere('list', '--tag', 'all', '--limit', '1', '--json', ...flags);
    return (JSON.parse(stdout) as { total: number }).total;
  };
  while ((await tagged()) < count) await second.said('taken over');

  const [name = ''] = names;
  await runHere('edit', idOf(name), '--notes', 'From the other side.', ...flags);
  await second.said('1 file written');
  expect(readFileSync(join(files, name), 'utf8')).toContain('From the other side.');
  second.child.kill('SIGINT');
  expect(await second.ended).toEqual([0, null]);
  expect(existsSync(join(vault, '.commonplace', 'lock'))).toBe(false);
}, 300_000);
