import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBuilt } from '../../support/command.ts';
import { type Faults, withFaults } from '../../support/faults/faults.ts';
import { builtProgram } from '../../support/mcp.ts';
import { seed } from '../../support/vitest/seed.ts';
import { isThorough } from '../../support/vitest/thorough.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-carry-kills-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = (name: string): string => join(folder, name);
const kills = isThorough ? 4 : 1;
const items = isThorough ? 60 : 30;

interface Run {
  code: number | null;
  signal: NodeJS.Signals | null;
}

function start(args: readonly string[], at: number, more: Faults = {}): Promise<Run> {
  const child = spawn(process.execPath, [builtProgram, ...args, '--embedder', 'none'], {
    stdio: 'ignore',
    env: withFaults({ kill: { point: 'file-call', at }, ...more }),
  });
  return new Promise((resolve) => void child.once('exit', (code, signal) => resolve({ code, signal })));
}

/** Runs a command to its end, and draws at which of its calls it is killed. */
async function momentsOf(name: string, args: readonly string[]): Promise<number[]> {
  const report = place(`${name}.count`);
  expect(await start(args, 0, { countNote: report })).toEqual({ code: 0, signal: null });
  const calls = Number(readFileSync(report, 'utf8'));
  // Not the last ones: the threads of two runs do not take quite the same number of steps.
  return fc.sample(fc.integer({ min: 1, max: Math.floor(calls * 0.9) }), { seed, numRuns: kills });
}

/** Killed once at each moment; `check` says what must be true after each. */
async function killedAt(
  moments: readonly number[],
  args: (at: number) => readonly string[],
  check: (at: number) => Promise<void> | void,
): Promise<void> {
  for (const at of moments) {
    const { signal } = await start(args(at), at);
    expect(signal, `TEST_SEED=${seed}, call ${at}`).toBe('SIGKILL');
    await check(at);
  }
}

const on = (data: string, ...args: string[]) => runBuilt(...args, '--data', place(data), '--embedder', 'none');

async function totalOf(data: string): Promise<number> {
  const { stdout } = await on(data, 'list', '--limit', '1', '--json');
  return (JSON.parse(stdout) as { total: number }).total;
}

/** The checksums of an export; every file is as they say. */
function sumsOf(name: string): string[] {
  const lines = readFileSync(join(place(name), 'checksums.sha256'), 'utf8')
    .trim()
    .split('\n');
  for (const line of lines)
    expect(
      createHash('sha256')
        .update(readFileSync(join(place(name), line.slice(66))))
        .digest('hex'),
    ).toBe(line.slice(0, 64));
  return lines.filter((line) => !line.endsWith('index.html'));
}

beforeAll(async () => {
  const bookmarks = Array.from(
    { length: items },
    (_, at) => `https://example.com/${at},Title ${at},tag${at % 5},Note ${at}\n`,
  );
  writeFileSync(place('list.csv'), `url,title,tags,notes\n${bookmarks.join('')}`);
  await on('data', 'import', place('list.csv'));
  await on('data', 'note', 'Bread needs patience and salt.', '--title', 'Bread');
  await on('data', 'export', place('reference'));
});

test('a killed export leaves the earlier one or none, and the next one is complete', async () => {
  const to = (name: string) => ['export', place(name), '--data', place('data')];
  const moments = await momentsOf('export', to('counted'));
  await killedAt(
    moments,
    (at) => to(`killed-${at}`),
    (at) => {
      const left = existsSync(place(`killed-${at}`)) ? `killed-${at}` : 'reference';
      expect(sumsOf(left)).toEqual(sumsOf('reference'));
    },
  );
  const over = await momentsOf('export-over', to('counted'));
  await killedAt(
    over,
    () => to('counted'),
    () => {
      // Between two renames the earlier export has another name, and the next one gives it back.
      const name = existsSync(place('counted')) ? 'counted' : 'counted.replaced-export';
      expect(sumsOf(name)).toEqual(sumsOf('reference'));
    },
  );
  for (const name of ['counted', ...moments.map((at) => `killed-${at}`)]) {
    expect((await on('data', 'export', place(name))).code).toBe(0);
    expect(sumsOf(name)).toEqual(sumsOf('reference'));
  }
  expect(readdirSync(folder).filter((name) => name.includes('-export'))).toEqual([]);
});

test('an import that is killed repeatedly ends equal by hash', async () => {
  const from = (data: string) => ['import', place('reference'), '--data', place(data)];
  const moments = await momentsOf('import', from('taken'));
  // Each run finds what the ones before have taken, and may come to its end sooner.
  const signals: (NodeJS.Signals | null)[] = [];
  for (const at of moments.toSorted((a, b) => a - b)) signals.push((await start(from('killed-import'), at)).signal);
  expect(signals, `TEST_SEED=${seed}`).toContain('SIGKILL');
  expect((await on('killed-import', 'import', place('reference'))).code).toBe(0);
  expect(await totalOf('killed-import')).toBe(items + 1);
  expect((await on('killed-import', 'export', place('back'))).code).toBe(0);
  expect(sumsOf('back')).toEqual(sumsOf('reference'));
});

test('a killed backup leaves no file, and a killed restore loses no library', async () => {
  const to = (name: string) => ['backup', place(name), '--data', place('data')];
  const moments = await momentsOf('backup', to('whole.zip'));
  await killedAt(
    moments,
    (at) => to(`killed-${at}.zip`),
    async (at) => {
      const left = existsSync(place(`killed-${at}.zip`)) ? `killed-${at}.zip` : 'whole.zip';
      expect((await runBuilt('backup', 'verify', place(left))).code).toBe(0);
    },
  );
  expect((await on('other', 'note', 'Another library.', '--title', 'Other')).code).toBe(0);
  const back = ['restore', place('whole.zip'), '--replace', '--data', place('other')];
  const restoring = await momentsOf('restore', back);
  await killedAt(
    restoring,
    () => back,
    async () => {
      expect([1, items + 1]).toContain(await totalOf('other'));
      expect((await on('other', 'doctor', '--check')).code).toBe(0);
    },
  );
  expect((await on('other', 'restore', place('whole.zip'), '--replace')).code).toBe(0);
  expect(await totalOf('other')).toBe(items + 1);
});
