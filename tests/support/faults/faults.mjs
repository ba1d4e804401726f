/*
 * Loaded into every process and thread of the built program before anything else (`NODE_OPTIONS=--import`): kills the program at the
 * n-th time that it comes to a point, or counts these times, and sets its clock wrong. The program itself knows nothing of it. See `faults.ts`.
 */
import { channel } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** @type {import('./faults.ts').Faults} */
const faults = JSON.parse(process.env.COMMONPLACE_TEST_FAULTS ?? '{}');

const { appendFileSync, writeFileSync } = fs;

/** What the threads of the program share. Null in the processes that it starts for reading and for models: they come to no point. */
const shared = sharedByProgram();

function sharedByProgram() {
  const key = 'commonplace-test-faults';
  if (isMainThread && process.argv[1]?.endsWith('main.js') === true) setEnvironmentData(key, new SharedArrayBuffer(8));
  const buffer = getEnvironmentData(key);
  return buffer === undefined ? null : new Int32Array(buffer);
}
/** Places in what is shared. */
const [pointsReached, commitsBegun] = [0, 1];

/** The program is at a point of its work on a file; at a statement, `sql` is its text. */
function reach(point, path, sql = '') {
  const { kill, clock } = faults;
  if (point === 'before-commit' && clock?.jump !== undefined) Atomics.add(shared, commitsBegun, 1);
  if (kill?.point !== point) return;
  if (kill.file !== undefined && !basename(path).endsWith(kill.file)) return;
  if (kill.sql !== undefined && !sql.includes(kill.sql)) return;
  if (Atomics.add(shared, pointsReached, 1) + 1 !== kill.at) return;
  if (faults.killedNote !== undefined) writeFileSync(faults.killedNote, point);
  process.kill(process.pid, 'SIGKILL');
}

/** Connections that find the disk full. */
const limited = new WeakSet();

/** Transactions that write: the driver's `deferred` ones read. */
function watchTransactions(Database) {
  const { transaction } = Database.prototype;
  Database.prototype.transaction = function watched(work) {
    const db = this;
    if (faults.pagesLeft !== undefined && !db.readonly && !limited.has(db)) {
      limited.add(db);
      db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true }) + faults.pagesLeft}`);
    }
    let isOutermost = false;
    const inner = transaction.call(db, function toCommit(...given) {
      const wasOutermost = isOutermost;
      isOutermost = false;
      const result = work.apply(this, given);
      if (wasOutermost) reach('before-commit', db.name);
      return result;
    });
    const writing = (run) =>
      function watchedRun(...given) {
        const isWrite = !db.inTransaction;
        isOutermost = isWrite;
        const result = run.apply(this, given);
        if (isWrite) reach('after-commit', db.name);
        return result;
      };
    const outer = writing(inner.default);
    const variants = {
      default: outer,
      deferred: inner.deferred,
      immediate: writing(inner.immediate),
      exclusive: writing(inner.exclusive),
      database: db,
    };
    for (const [name, value] of Object.entries(variants)) Object.defineProperty(outer, name, { value });
    return outer;
  };
}

/** Statements that have been run, also those in the middle of a transaction. */
function watchStatements(Database) {
  const { exec, prepare } = Database.prototype;
  Database.prototype.exec = function watchedExec(sql) {
    const result = exec.call(this, sql);
    reach('statement', this.name, sql);
    return result;
  };
  Database.prototype.prepare = function watchedPrepare(sql) {
    const statement = prepare.call(this, sql);
    for (const method of ['run', 'get', 'all']) {
      const original = statement[method];
      statement[method] = function watchedRun(...given) {
        const result = original.apply(statement, given);
        reach('statement', statement.database.name, sql);
        return result;
      };
    }
    return statement;
  };
}

/** Calls that change files and folders. What is written, such as the report of an import or a backup, and gets its name, is told as well. */
function watchFiles() {
  const { openSync } = fs;
  const { open } = fs.promises;
  const paths = new Map();
  const written = (path) => reach('file-written', String(path));
  const renamed = (_from, to) => reach('file-renamed', String(to));
  const watch = (holder, name, { isAsync = holder === fs.promises, pathOf = (path) => path, done = () => {} } = {}) => {
    const original = holder[name];
    const before = (given) => reach('file-call', String(pathOf(...given)));
    holder[name] = isAsync
      ? async function watched(...given) {
          before(given);
          const result = await original.apply(this, given);
          done(...given);
          return result;
        }
      : function watched(...given) {
          before(given);
          const result = original.apply(this, given);
          done(...given);
          return result;
        };
  };
  fs.promises.open = async function watchedOpen(path, ...rest) {
    reach('file-call', String(path));
    const handle = await open(path, ...rest);
    for (const method of ['write', 'writeFile'])
      watch(handle, method, { isAsync: true, pathOf: () => path, done: () => written(path) });
    return handle;
  };
  fs.openSync = function watchedOpen(path, ...rest) {
    const file = openSync(path, ...rest);
    paths.set(file, path);
    return file;
  };
  watch(fs, 'writeSync', { pathOf: (file) => paths.get(file) ?? '', done: (file) => written(paths.get(file) ?? '') });
  watch(fs, 'fsyncSync', { pathOf: (file) => paths.get(file) ?? '' });
  watch(fs.promises, 'writeFile', { done: written });
  watch(fs, 'renameSync', { done: renamed });
  watch(fs.promises, 'rename', { done: renamed });
  for (const name of ['rmSync', 'mkdirSync']) watch(fs, name);
  for (const name of ['rm', 'mkdir']) watch(fs.promises, name);
  syncBuiltinESMExports();
}

/** The whole answer of a web site has arrived. */
function watchFetches() {
  channel('undici:request:trailers').subscribe(() => reach('fetched', ''));
}

/** The time of day is wrong from the start, or jumps at a commit. How long the machine is up stays right. */
function setClock({ aheadMs = 0, jump }) {
  const Real = globalThis.Date;
  const now = () =>
    Real.now() + aheadMs + (jump !== undefined && Atomics.load(shared, commitsBegun) >= jump.atCommit ? jump.ms : 0);
  globalThis.Date = class Date extends Real {
    constructor(...given) {
      if (given.length === 0) super(now());
      else super(...given);
    }
    static now() {
      return now();
    }
  };
}

if (shared !== null) {
  const Database = createRequire(import.meta.url)('better-sqlite3');
  watchTransactions(Database);
  if (faults.kill?.point === 'statement') watchStatements(Database);
  watchFiles();
  watchFetches();
  if (faults.clock !== undefined) setClock(faults.clock);
  const { countNote } = faults;
  if (countNote !== undefined && isMainThread)
    process.on('exit', () => appendFileSync(countNote, `${Atomics.load(shared, pointsReached)}\n`));
}
