// Second stage.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runBuilt } from '../support/command.ts';
import { builtProgram } from '../support/mcp.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'data');
const on =
  (where: string) =>
  (...args: string[]) =>
    runBuilt(...args, '--data', where, '--embedder', 'none');
const commonplace = on(data);

test('backup, verify and restore work from the command line, and a killed backup leaves nothing behind', async () => {
  const note = join(folder, 'note.txt');
  writeFileSync(note, Array.from({ length: 5_000 }, (_, at) => `Sentence ${at} about bread.`).join('\n'));
  expect((await commonplace('save', note)).code).toBe(0);
  const to = join(folder, 'backups');

  const first = await commonplace('backup', '--to', to, '--keep', '7d', '--json');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const { file } = JSON.parse(first.stdout) as { file: string };
  expect((await commonplace('backup', 'verify', file)).stdout).toContain('All of it can be restored.');

  // Killed as soon as it writes.
  const killed = join(folder, 'killed');
  const child = spawn(process.execPath, [builtProgram, 'backup', join(folder, 'killed.zip'), '--data', data], {
    stdio: 'ignore',
  });
  const watcher = watch(folder, (_, name) => {
    if (name?.includes('killed.zip') === true) child.kill('SIGKILL');
  });
  await new Promise((resolve) => void child.once('exit', resolve));
  watcher.close();
  expect(readdirSync(folder)).not.toContain('killed.zip');
  const second = await commonplace('backup', join(folder, 'killed.zip'));
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('read back and whole') as string });
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);

  expect((await on(killed)('restore', join(folder, 'killed.zip'))).code).toBe(0);
  const listed = await on(killed)('list', '--json');
  expect((JSON.parse(listed.stdout) as { total: number }).total).toBe(1);
  expect((await on(killed)('doctor', '--check')).code).toBe(0);

  const one = join(folder, 'one');
  expect((await on(one)('restore', file, '--account', 'local')).code).toBe(0);
  expect((await on(one)('list', '--json')).stdout).toBe(listed.stdout);
  const refused = await on(one)('restore', file);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--replace') as string });
});

test.each([
  [['backup'], 'Say where'],
  [['backup', 'a.zip', '--keep', '7d'], '--keep goes with --to'],
  [['backup', '--to', 'x', '--keep', 'often'], 'such as 7d,4w,12m'],
])('%j is refused: %s', async (args, words) => {
  expect(await commonplace(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) as string });
});
