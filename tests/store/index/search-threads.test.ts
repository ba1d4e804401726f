import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MessageChannel, Worker } from 'node:worker_threads';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { indexMethods } from '../../../src/app/index-methods.ts';
import { createLibraryCalls } from '../../../src/store/sqlite/library/calls.ts';
import { serveCalls } from '../../../src/store/sqlite/threads/serve-calls.ts';
import type { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { type LibraryThreadSettings, maxLibraryThreads } from '../../../src/store/sqlite/threads/account-threads.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { saveAndProcess } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { until } from '../../support/vitest/workers.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('searches in threads', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let stores: Stores;
  let gate: Int32Array;
  let started: number;
  let running: Set<Worker>;
  let forced: number;
  let forcedEarly: number;

  /** A thread of `gated-library-worker.ts`, counted. */
  const startWorker: LibraryThreadSettings['startWorker'] = (data) => {
    const worker = new Worker(new URL('../gated-library-worker.ts', import.meta.url), {
      workerData: { ...data, gate },
      execArgv: [],
    });
    started += 1;
    running.add(worker);
    worker.on('exit', () => running.delete(worker));
    const terminate = worker.terminate.bind(worker);
    worker.terminate = () => {
      forced += 1;
      if (Atomics.load(data.loaded, 0) === 0) forcedEarly += 1;
      return terminate();
    };
    return worker;
  };
  const open = async (settings: Partial<LibraryThreadSettings> = {}, clock = new ManualClock()) => {
    stores = await openDataFolder({
      folder: folder.path,
      clock,
      // On a busy machine any search may be a slow one: which are is for the tests to say.
      libraryThreads: { maxThreads: 2, startWorker, slowMs: 1_000_000, ...settings },
    });
  };
  const accountWithFox = async (name: string): Promise<Store> => {
    const { id } = await stores.control.createAccount({ name, plan: 'pro' });
    const store = await stores.open(id);
    await saveAndProcess(store, 'a', { text: `The fox of ${name}.` });
    return store;
  };
  const ask = async (store: Store, query = 'fox', signal?: AbortSignal) => {
    const asked = signal === undefined ? store : await stores.open(store.accountId, signal);
    return (await asked.searchWords(query, {}, 5)).length;
  };
  /** Resolves when so many gated searches have begun in all. */
  const begun = async (count: number) => {
    for (let seen = Atomics.load(gate, 1); seen < count; seen = Atomics.load(gate, 1)) {
      await Atomics.waitAsync(gate, 1, seen).value;
    }
  };
  const openGate = () => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  const closeGate = () => Atomics.store(gate, 0, 0);
  /** A search that has begun, and whose asker goes. */
  const abandonSearch = async (store: Store, query = 'block', nth = 1) => {
    const controller = new AbortController();
    const slow = ask(store, query, controller.signal);
    await begun(nth);
    controller.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
  };

  /** Three accounts, of which the first two had a slow search each. */
  const openWithSlow = async () => {
    // Timers stand still.
    await open({ slowMs: 100, growMs: 0 });
    const accounts = [await accountWithFox('a'), await accountWithFox('b'), await accountWithFox('c')] as const;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const [index, store] of accounts.slice(0, 2).entries()) {
      closeGate();
      const answer = ask(store, 'block');
      await begun(index + 1);
      vi.advanceTimersByTime(100);
      openGate();
      await answer;
    }
    closeGate();
    return accounts;
  };

  beforeEach(() => {
    folder = temporaryFolder();
    gate = new Int32Array(new SharedArrayBuffer(12));
    started = 0;
    running = new Set();
    forced = 0;
    forcedEarly = 0;
  });
  afterEach(async () => {
    vi.useRealTimers();
    openGate();
    await stores.close();
    await folder.remove();
  });

  it('start with the first call, one after another in one thread, and leave none behind', async () => {
    await open();
    expect(started).toBe(0);
    const store = await accountWithFox('a');
    for (let i = 0; i < 5; i += 1) expect(await ask(store)).toBe(1);
    expect(started).toBe(1);
    await stores.close();
    expect(running.size).toBe(0);
    await expect(ask(store)).rejects.toMatchObject({ code: 'unavailable' });
    expect(started).toBe(1);
  });

  it('end when they are idle, and are restarted', async () => {
    await open({ idleMs: 60_000 });
    const store = await accountWithFox('a');
    for (let i = 1; i <= 2; i += 1) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      expect(await ask(store)).toBe(1);
      expect([started, running.size]).toEqual([i, 1]);
      const ended = once([...running][0]!, 'exit');
      vi.advanceTimersByTime(60_000);
      vi.useRealTimers();
      await ended;
    }
  });

  it('never let one account occupy them all', async () => {
    await open();
    const [a, b] = [await accountWithFox('a'), await accountWithFox('b')];
    const slow = [ask(a, 'block'), ask(a, 'block')];
    await begun(1);
    for (let i = 0; i < 3; i += 1) expect(await ask(b)).toBe(1);
    expect([started, Atomics.load(gate, 1)]).toEqual([2, 1]);
    openGate();
    expect(await Promise.all(slow)).toEqual([0, 0]);
  });

  it('keep a thread for quick searches when several accounts have slow ones', async () => {
    const [a, b, c] = await openWithSlow();
    const both = [ask(a, 'block'), ask(b, 'block')];
    await begun(3);
    for (let i = 0; i < 3; i += 1) expect(await ask(c)).toBe(1);
    expect(Atomics.load(gate, 1)).toBe(3);
    openGate();
    expect(await Promise.all(both)).toEqual([0, 0]);
  });

  it('count a slow search as slow even if it was cancelled at once', async () => {
    const [a, b, c] = await openWithSlow();
    await abandonSearch(a, 'block', 3);
    expect(await ask(c)).toBe(1);
    const both = [ask(a, 'block'), ask(b, 'block')];
    await begun(4);
    for (let i = 0; i < 3; i += 1) expect(await ask(c)).toBe(1);
    expect(Atomics.load(gate, 1)).toBe(4);
    openGate();
    expect(await Promise.all(both)).toEqual([0, 0]);
  });

  it('start no other thread for calls that are answered soon', async () => {
    await open({ growMs: 1_000_000 });
    const [a, b] = [await accountWithFox('a'), await accountWithFox('b')];
    expect(await Promise.all([ask(a), ask(a), ask(b), ask(b)])).toEqual([1, 1, 1, 1]);
    expect(started).toBe(1);
  });

  it('start no other thread for calls that wait while one loads, however long that takes', async () => {
    await open();
    const { accountId } = await accountWithFox('a');
    await stores.close();
    started = 0;
    await open({ growMs: 50, maxThreads: 3 });
    const a = await stores.open(accountId);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = Promise.all([ask(a), ask(a), ask(a)]);
    await until(() => started === 1);
    vi.advanceTimersByTime(1_000);
    expect(await asked).toEqual([1, 1, 1]);
    expect(started).toBe(1);
  });

  it("keep an account's writes in one thread, and move them when it is busy for long", async () => {
    await open({ maxThreads: 3, growMs: 50 });
    const [a, b] = [await accountWithFox('a'), await accountWithFox('b')];
    const writes = async () => {
      await a.addGoal({ title: 'Rest', category: 'Health' });
      return Atomics.load(gate, 2);
    };
    const first = await writes();
    const slow = ask(b, 'block');
    await begun(1);
    const second = await writes();
    expect(second).not.toBe(first);
    openGate();
    await slow;
    // Both threads are free, and both have the file open.
    for (let i = 0; i < 3; i += 1) expect(await ask(a)).toBe(1);
    expect(await writes()).toBe(second);
    expect(started).toBe(2);
  });

  it("answer an account's searches while one of its writes waits for its thread", async () => {
    await open({ maxThreads: 3, growMs: 50 });
    const [a, b] = [await accountWithFox('a'), await accountWithFox('b')];
    const slow = [ask(b, 'block')];
    await begun(1);
    expect(await ask(a)).toBe(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const written = a.addGoal({ title: 'Rest', category: 'Health' });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ask(a)).toBe(1);
    openGate();
    await Promise.all([...slow, written]);
  });

  it('take turns between accounts', async () => {
    await open();
    const [a, b] = [await accountWithFox('a'), await accountWithFox('b')];
    // Holds the thread that `a` may have.
    const first = ask(a, 'block');
    await begun(1);
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const rest = [ask(a).then(note('a')), ask(a).then(note('a')), ask(b).then(note('b')), ask(b).then(note('b'))];
    await Promise.all(rest.slice(2));
    expect(order).toEqual(['b', 'b']);
    openGate();
    await Promise.all([first, ...rest]);
  });

  it('drop a waiting search at once when its signal is aborted', async () => {
    await open();
    const a = await accountWithFox('a');
    const slow = ask(a, 'block');
    await begun(1);
    const controller = new AbortController();
    const waiting = ask(a, 'block', controller.signal);
    // The account's file is looked at first, which takes a turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(ask(a, 'fox', controller.signal)).rejects.toThrow('enough');
    openGate();
    expect(await slow).toBe(0);
    expect([started, Atomics.load(gate, 1)]).toEqual([1, 1]);
  });

  it('replace the thread of an aborted search that hangs, and terminate it in the end', async () => {
    await open({ graceMs: 1, forceMs: 1 });
    const a = await accountWithFox('a');
    await abandonSearch(a, 'hang');
    expect(await ask(a)).toBe(1);
    expect(started).toBe(2);
    await expect.poll(() => [forced, running.size]).toEqual([1, 1]);
  });

  it('interrupt an aborted search at its next statement, and keep its thread', async () => {
    await open({ graceMs: 20_000 });
    const a = await accountWithFox('a');
    await abandonSearch(a);
    expect(await ask(a)).toBe(1);
    expect(started).toBe(1);
  });

  it('keep the file of an aborted search open with its cache', async () => {
    await open();
    const { accountId } = await accountWithFox('a');
    const [letGo, loaded] = [0, 1].map(() => new Int32Array(new SharedArrayBuffer(4))) as [Int32Array, Int32Array];
    const { port1, port2 } = new MessageChannel();
    const files: SqliteFile[] = [];
    const calls = createLibraryCalls(indexMethods(), null, {
      coverage(file: SqliteFile) {
        files.push(file);
        if (files.length === 2) Atomics.store(letGo, 0, 1);
        return file.remember('searchable', () => ({ searchable: files.length, pending: 0, failed: 0 }));
      },
    });
    serveCalls(port2, { accountsFolder: join(folder.path, 'accounts'), history: null, letGo, loaded }, calls);
    const said: unknown[] = [];
    for (let i = 0; i < 4; i += 1) {
      said.push((await once(port1, 'message'))[0]);
      Atomics.store(letGo, 0, 0);
      const request = { kind: 'read', accountId, at: { now: 0, uptime: 0 }, name: 'coverage', args: [] };
      port1.postMessage(i < 3 ? { kind: 'call', request } : { kind: 'end' });
    }
    const answer = { kind: 'answer', value: { searchable: 1 } };
    expect(said).toMatchObject([{ kind: 'ready' }, answer, { kind: 'refused', code: 'unavailable' }, answer]);
    expect(new Set(files).size).toBe(1);
  });

  it('open no file for an abandoned call', async () => {
    await open();
    const [letGo, loaded] = [1, 0].map((n) => new Int32Array(new SharedArrayBuffer(4)).fill(n)) as [
      Int32Array,
      Int32Array,
    ];
    const { port1, port2 } = new MessageChannel();
    const accountsFolder = join(folder.path, 'accounts');
    serveCalls(port2, { accountsFolder, history: null, letGo, loaded }, createLibraryCalls(indexMethods(), null));
    await once(port1, 'message');
    const request = { kind: 'read', accountId: 'missing', at: { now: 0, uptime: 0 }, name: 'coverage', args: [] };
    port1.postMessage({ kind: 'call', request });
    const [refusal] = await once(port1, 'message');
    expect(refusal).toMatchObject({ kind: 'refused', message: expect.stringContaining('Nobody waits') });
    port1.postMessage({ kind: 'end' });
  });

  it('read the clock when they start a call, however long it has waited', async () => {
    const clock = new ManualClock();
    await open({}, clock);
    const a = await accountWithFox('a');
    const slow = ask(a, 'block');
    await begun(1);
    const added = a.addGoal({ title: 'Late', category: 'Health' });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    clock.setBy(3_600_000);
    openGate();
    await slow;
    expect(Date.parse((await added).createdAt)).toBe(clock.now());
  });

  it('are not terminated while they load or search', async () => {
    for (const query of ['fox', 'block', 'count']) {
      await open();
      const a = await accountWithFox(query);
      const seen = Atomics.load(gate, 1);
      const asked = Promise.allSettled([ask(a, query), ask(a)]);
      if (query === 'fox') await until(() => started === 1);
      else await begun(seen + 1);
      await stores.close();
      expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    }
    expect([started, running.size, forced]).toEqual([3, 0, 0]);
  });

  it('are not terminated before they have loaded, however long that takes', async () => {
    await open({ forceMs: 1 });
    const a = await accountWithFox('a');
    const asked = Promise.allSettled([ask(a)]);
    await expect.poll(() => started).toBe(1);
    await stores.close();
    expect((await asked).map(({ status }) => status)).toEqual(['rejected']);
    expect([running.size, forcedEarly]).toEqual([0, 0]);
  });

  it('are loaded when they are ended with the process', async () => {
    const program = fileURLToPath(new URL('../kills/exit-while-loading.ts', import.meta.url));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, folder.path]);
    expect({ stdout, stderr }).toEqual({ stdout: 'loaded', stderr: '' });
    await open();
  });

  it('never pile up when aborted searches cannot be interrupted', async () => {
    await open({ graceMs: 1 });
    const a = await accountWithFox('a');
    let most = 0;
    for (let i = 1; i <= 6; i += 1) {
      const controller = new AbortController();
      const slow = ask(a, 'count', controller.signal);
      await begun(i);
      most = Math.max(most, running.size);
      controller.abort(new Error('enough'));
      await expect(slow).rejects.toThrow('enough');
    }
    expect(most).toBeLessThanOrEqual(4);
    expect(await ask(a)).toBe(1);
    await stores.close();
    expect(running.size).toBe(0);
  });

  it('fail only their own search when they crash', async () => {
    await open();
    const [a, b] = [await accountWithFox('a'), await accountWithFox('b')];
    const other = ask(b, 'block');
    await begun(1);
    await expect(ask(a, 'crash')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Ask again'),
    });
    expect(await ask(a)).toBe(1);
    openGate();
    expect(await other).toBe(0);
    expect(started).toBe(3);
  });

  it('give up a search that takes too long, and continue with the next', async () => {
    await open({ deadlineMs: 30_000 });
    const a = await accountWithFox('a');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [slow, next] = [ask(a, 'block'), ask(a)];
    const refusal = Promise.allSettled([slow]);
    await begun(1);
    vi.advanceTimersByTime(30_000);
    const reason = { code: 'unavailable', message: expect.stringContaining('longer than 30 seconds') };
    expect(await refusal).toMatchObject([{ reason }]);
    expect(await next).toBe(1);
  });

  it('give up a search that does not get its turn', async () => {
    await open({ deadlineMs: 30_000 });
    const a = await accountWithFox('a');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = [ask(a, 'block'), ask(a, 'block'), ask(a)];
    const refusal = Promise.allSettled([asked[2]]);
    await begun(1);
    vi.advanceTimersByTime(20_000);
    openGate();
    await asked[0];
    closeGate();
    await begun(2);
    vi.advanceTimersByTime(20_000);
    const reason = { code: 'rate_limited', message: expect.stringContaining('its turn') };
    expect(await refusal).toMatchObject([{ reason }]);
    openGate();
    expect(await asked[1]).toBe(0);
  });

  it('refuse a file that a newer program has migrated while it was open', async () => {
    await open();
    const store = await stores.open('local');
    expect(await ask(store)).toBe(0);
    const db = openRaw(join(folder.path, 'accounts', 'local.db'));
    db.pragma('user_version = 1000');
    db.close();
    await expect(ask(store)).rejects.toMatchObject({ code: 'newer_data' });
  });

  it('refuse an account that another process has marked as removed', async () => {
    await open();
    const a = await accountWithFox('a');
    expect(await ask(a)).toBe(1);
    const db = openRaw(join(folder.path, 'accounts', `${a.accountId}.db`));
    db.exec('UPDATE libraries SET removed_at = 1');
    db.close();
    await expect(ask(a)).rejects.toMatchObject({ code: 'not_found' });
  });

  /** How often files of the account are open in this process, as Linux tells. */
  const openFiles = ({ accountId }: Store) =>
    readdirSync('/proc/self/fd')
      .map((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`);
        } catch (error) {
          // It was the one that listed the folder.
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
          throw error;
        }
      })
      .filter((path) => path.includes(accountId)).length;

  it.runIf(process.platform === 'linux')('release a removed account before its file is deleted', async () => {
    // Saved elsewhere: a thread lets go of a file when its call is done.
    stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
    await accountWithFox('a');
    await stores.close();
    await open({ graceMs: 1 });
    const known = (await stores.control.listAccounts()).find(({ name }) => name === 'a');
    const [a, b] = [await stores.open(known!.id), await accountWithFox('b')];
    const other = ask(b, 'block');
    await begun(1);
    expect(await ask(a)).toBe(1);
    const slow = ask(a, 'block');
    await begun(2);
    const waiting = ask(a);
    await new Promise((resolve) => setImmediate(resolve));
    const refusals = Promise.allSettled([slow, waiting]);
    expect(openFiles(a)).toBeGreaterThan(0);
    await stores.removeAccount(a.accountId);
    expect(openFiles(a)).toBe(0);
    expect(await refusals).toMatchObject([{ reason: { code: 'not_found' } }, { reason: { code: 'not_found' } }]);
    await expect(ask(a)).rejects.toMatchObject({ code: 'not_found' });
    openGate();
    expect(await other).toBe(0);
  });

  it.runIf(process.platform === 'linux')('release accounts that another process has removed', async () => {
    await open();
    const a = await accountWithFox('a');
    expect(await ask(a)).toBe(1);
    const others = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
    await others.removeAccount(a.accountId);
    await others.close();
    await stores.control.listAccounts();
    // One thread, one question after the other: this one is answered after the file was let go.
    expect(await ask(await accountWithFox('b'))).toBe(1);
    expect(openFiles(a)).toBe(0);
  });

  it('read a folder that is opened read-only', async () => {
    await open();
    const store = await stores.open('local');
    await saveAndProcess(store, 'a', { text: 'A fox.' });
    const readers = await openDataFolder({
      folder: folder.path,
      clock: new ManualClock(),
      readOnly: true,
      libraryThreads: { startWorker },
    });
    expect(await ask(await readers.open('local'))).toBe(1);
    await readers.close();
  });

  it('fail when no thread can start, and work when the machine has one again', async () => {
    let refused = 1;
    await open({
      startWorker: (data) => {
        refused -= 1;
        if (refused >= 0) throw Object.assign(new Error('no thread'), { code: 'ERR_WORKER_INIT_FAILED' });
        return startWorker(data);
      },
    });
    openGate();
    const store = await stores.open('local');
    await expect(ask(store)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await ask(store)).toBe(0);
  });

  it('number one fewer than the cores, but at least three, and two on a single core', async () => {
    await open();
    expect([1, 2, 3, 8].map(maxLibraryThreads)).toEqual([2, 3, 3, 7]);
  });

  it('load no schemas, which would cost each thread time and memory', async () => {
    await open();
    const seen = new Map<string, string[]>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      const imports = [...readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'/gm)];
      seen.set(
        path,
        imports.map(([, name]) => name!),
      );
      for (const [, name] of imports) if (name!.startsWith('.')) visit(join(dirname(path), name!));
    };
    visit(fileURLToPath(new URL('../../../src/app/library-worker.ts', import.meta.url)));
    const packages = new Set([...seen.values()].flat().filter((name) => !/^(?:\.|node:)/.test(name)));
    expect([...packages].toSorted()).toEqual(['better-sqlite3', 'sql-template-tag', 'sqlite-vec']);
  });
});
