import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { diskMaker } from '../../journeys/torture/disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-failed-commit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const makeDisk = diskMaker(folder);
const writer = fileURLToPath(new URL('./write-until-disk-fails.ts', import.meta.url));

test.skipIf(makeDisk === null).each([1, 2, 8])(
  'data that the disk refused is missing after a kill, when it cannot sync %i times',
  async (lasts) => {
    const path = join(folder, `numbers-${lasts}.db`);
    const disk = makeDisk?.(folder, join(folder, `disk-${lasts}`));
    const env = { ...process.env, ...disk?.misbehaving({ kind: 'sync error', after: 20, lasts }) };
    const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'], env });
    const refused = Number(await text(child.stdout));
    expect(disk?.met()).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    const db = new Database(path);
    const numbers = db.prepare('SELECT number FROM numbers ORDER BY number').pluck().all();
    db.close();
    expect(numbers).toEqual(Array.from({ length: refused }, (_, number) => number));
  },
);
