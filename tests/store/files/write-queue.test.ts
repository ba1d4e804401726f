import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { AppError } from '../../../src/errors.ts';
import { busyError, explained } from '../../../src/store/sqlite/files/sqlite-errors.ts';
import { FileWrites, WriteQueue } from '../../../src/store/sqlite/files/write-queue.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('writes of one file', () => {
  const folder = temporaryFolder();
  let transactions = 0;
  mkdirSync(folder.path, { recursive: true });
  const path = join(folder.path, 'a.db');
  const file = SqliteFile.open({
    path,
    schema: { sql: 'CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT', migrations: [] },
    readOnly: false,
    beforeWrite: () => (transactions += 1),
  });
  const other = openRaw(path, { timeout: 1 });
  const numbers = () => other.prepare('SELECT n FROM t ORDER BY n').pluck().all();
  const queue = new FileWrites(() => file);
  const insert = (n: number) =>
    queue.write((at) => {
      at.run('INSERT INTO t (n) VALUES (?)', n);
      return n;
    });

  afterAll(() => {
    other.close();
    file.close();
    folder.remove();
  });
  afterEach(() => {
    other.exec('DELETE FROM t');
    transactions = 0;
  });

  it('are committed together when requested together, each with its own answer', async () => {
    expect(await Promise.all([1, 2, 3].map(insert))).toEqual([1, 2, 3]);
    expect(transactions).toBe(1);
  });

  it('are committed in several transactions when they take long, in order', async () => {
    const slowly = (n: number) =>
      queue.write((at) => {
        const end = performance.now() + 30;
        while (performance.now() < end);
        at.run('INSERT INTO t (n) VALUES (?)', n);
        return n;
      });
    const asked = [1, 2, 3, 4, 5, 6, 7, 8];
    const answered: number[] = [];
    await Promise.all(asked.map(async (n) => answered.push(await slowly(n))));
    expect(answered).toEqual(asked);
    expect(numbers()).toEqual(asked);
    expect(transactions).toBeGreaterThanOrEqual(4);
  });

  it('that follow from the answers of a commit are in the next one', async () => {
    await Promise.all([1, 2, 3].map(async (n) => insert((await insert(n)) + 10)));
    expect(transactions).toBe(2);
    expect(numbers()).toEqual([1, 2, 3, 11, 12, 13]);
  });

  it('are answered only when everybody can read them', async () => {
    const written = insert(1);
    expect(numbers()).toEqual([]);
    await written;
    expect(numbers()).toEqual([1]);
  });

  it('fail alone: the rest of the transaction is kept, and nothing of the failed one', async () => {
    const failing = queue.write((at) => {
      at.run('INSERT INTO t (n) VALUES (7)');
      at.later(() => at.run('INSERT INTO t (n) VALUES (8)'));
      throw new Error('no');
    });
    const settled = await Promise.allSettled([insert(1), failing, insert(2), insert(1)]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(numbers()).toEqual([1, 2]);
  });

  it('run their final steps at the end of the transaction', async () => {
    const seen: unknown[] = [];
    const early = queue.write((at) => at.later(() => seen.push(at.all('SELECT n FROM t'))));
    await Promise.all([early, insert(1)]);
    expect(seen).toEqual([[{ n: 1 }]]);
  });

  it('that come when the file is closed are refused with an explanation', async () => {
    const closing = SqliteFile.open({ path, schema: { sql: '', migrations: [] }, readOnly: false });
    const late = new FileWrites(() => closing).write((at) => at.run('INSERT INTO t (n) VALUES (1)'));
    closing.close();
    const refusal = { code: 'unavailable', message: expect.stringContaining('closed because Commonplace is stopping') };
    await expect(late).rejects.toMatchObject(refusal);
    for (const ask of [() => closing.get('SELECT 1'), () => closing.read(() => 1)])
      expect(ask).toThrow(expect.objectContaining(refusal));
  });

  it('wait for another process, and are drained when it is their turn', async () => {
    other.exec('BEGIN IMMEDIATE');
    let isWritten = false;
    const written = insert(1).then(() => (isWritten = true));
    const drained = queue.drained();
    setImmediate(() => setImmediate(() => other.exec('COMMIT')));
    await drained;
    await written;
    expect(isWritten).toBe(true);
    expect(numbers()).toEqual([1]);
  });
});

describe('writes that are sent to a thread', () => {
  const oneRefused = async (reason: unknown, isRolledBack?: () => boolean) => {
    const runs: number[] = [];
    const run = (writes: readonly string[]) => {
      runs.push(writes.length);
      return writes.includes('bad') ? Promise.reject(reason as Error) : Promise.resolve(writes);
    };
    const queue = new WriteQueue<string>(run, undefined, isRolledBack && { isRolledBack });
    const settled = await Promise.allSettled(['good', 'bad', 'good'].map((write) => queue.write(write)));
    return { runs, fulfilled: settled.filter(({ status }) => status === 'fulfilled').length };
  };

  it('are repeated one by one only after a rollback, and not when the file was locked', async () => {
    const lost = new AppError('unavailable', 'The thread ended.');
    expect(await oneRefused(lost)).toEqual({ runs: [3, 1, 1, 1], fulfilled: 2 });
    expect(await oneRefused(lost, () => false)).toEqual({ runs: [3], fulfilled: 0 });
    expect(await oneRefused(explained(busyError('locked')))).toEqual({ runs: [3], fulfilled: 0 });
  });

  it('are committed together up to a size, and a larger one alone', async () => {
    const batches: (readonly number[])[] = [];
    const run = (megabytes: readonly number[]) => {
      batches.push(megabytes);
      return Promise.resolve(megabytes);
    };
    const queue = new WriteQueue<number>(run, undefined, { bytesOf: (megabytes) => megabytes * 1024 * 1024 });
    await Promise.all([1, 1, 1, 5, 0, 2].map((megabytes) => queue.write(megabytes)));
    expect(batches).toEqual([[1, 1], [1], [5], [0, 2]]);
  });
});
