import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBuiltIn } from '../../support/command.ts';
import { builtProgram } from '../../support/mcp.ts';
import { makeTemporaryFolder } from '../../../src/workers/temporary-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [data, temporary, backup] = ['data', 'temporary', 'backup.zip'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const environment = { TMPDIR: temporary };
const flags = ['--data', data, '--embedder', 'none'];

beforeAll(async () => {
  mkdirSync(temporary);
  const note = join(folder, 'note.txt');
  writeFileSync(note, Array.from({ length: 20_000 }, (_, at) => `Sentence ${at} about bread.`).join('\n'));
  for (const command of [
    ['save', note],
    ['backup', backup],
  ])
    await runBuiltIn(environment, ...command, ...flags);
});

const left = (): string[] => readdirSync(temporary).filter((name) => /^(commonplace-verify|\.recovering)-/.test(name));

/** Kills the command as soon as its folder is there. */
async function killed(command: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [builtProgram, ...command, ...flags], {
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  });
  const watcher = watch(temporary, () => {
    if (left().length > 0) child.kill('SIGKILL');
  });
  await new Promise((resolve) => void child.once('exit', resolve));
  watcher.close();
}

test.each([
  ['backup verify', ['backup', 'verify', backup]],
  ['recover', ['recover', join(data, 'accounts', 'local.db'), join(temporary, 'recovered.db')]],
])(
  'the next %s removes what a killed one left behind',
  async (_, command) => {
    await killed(command);
    expect(left()).toHaveLength(1);
    expect(await runBuiltIn(environment, ...command, ...flags)).toMatchObject({ code: 0 });
    expect(left()).toEqual([]);
  },
  60_000,
);

test('the folders of running processes and of other machines are kept', () => {
  const own = makeTemporaryFolder(join(temporary, 'kept-'));
  const elsewhere = ['elsewhere', `${hostname()}-5`].map((host) => join(temporary, `kept-${host}-999999999-abcdef`));
  for (const path of elsewhere) mkdirSync(path);
  const other = makeTemporaryFolder(join(temporary, 'kept-'));
  const kept = [own, ...elsewhere, other];
  expect(kept.filter((path) => existsSync(path))).toEqual(kept);
  for (const path of kept) rmSync(path, { recursive: true });
});

test('the folder of an earlier process with the same id is removed', () => {
  const earlier = makeTemporaryFolder(join(temporary, 'kept-'));
  utimesSync(earlier, 1, 1);
  const own = makeTemporaryFolder(join(temporary, 'kept-'));
  expect(existsSync(earlier)).toBe(false);
  rmSync(own, { recursive: true });
});
