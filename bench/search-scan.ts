import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { quantize } from '../src/store/sqlite/quantize.ts';
import {
  chooseScanBuild,
  openScanKernel,
  type ScanBuild,
  type SharedMemory,
} from '../src/store/sqlite/vector-cache/scan-kernel.ts';
import {
  bytesOfQuery,
  bytesOfTop,
  readTop,
  widthOf,
  writeQuery,
  writeTop,
} from '../src/store/sqlite/vector-cache/scan-layout.ts';
import { createVectorSource, dimensions, type VectorKind } from './synthetic-vectors.ts';

/*
 * The exact scan over bytes against sqlite-vec's `vec0` with floats, and against a plain read of the same bytes, in one run:
 * `node bench/search-scan.ts [count…]`, counts that divide by 16. Times are p50 by the clock, ratios are of processor time (on a busy
 * machine the clock counts what others do, too); recall is against vec0, which is exact.
 */

const limit = 50;
/** Fewer where each takes vec0 seconds. */
const queriesOf = (count: number): number => (count >= 1_000_000 ? 10 : count >= 100_000 ? 30 : 50);

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] ?? NaN;
}

/** What one kind of work took: the middle of the calls by the clock, and the mean by processor time, milliseconds. */
class Taken {
  readonly #clock: number[] = [];
  #processor = 0;

  of(times: number, work: () => void): void {
    const started = process.threadCpuUsage();
    for (let turn = 0; turn < times; turn += 1) {
      const start = performance.now();
      work();
      this.#clock.push(performance.now() - start);
    }
    const { user, system } = process.threadCpuUsage(started);
    this.#processor += (user + system) / 1_000;
  }

  get p50(): number {
    return median(this.#clock);
  }

  get processor(): number {
    return this.#processor / this.#clock.length;
  }
}

type Read = (from: number, bytes: number) => bigint;

function compileRead(folder: string, memory: SharedMemory): Read {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const asc = join(dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')), 'bin', 'asc.js');
  const target = join(folder, 'read.wasm');
  const shared = ['--importMemory', '--sharedMemory', '--maximumMemory', '65536', '--initialMemory', '1'];
  const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd,threads', ...shared];
  execFileSync(process.execPath, [asc, join('kernels', 'read.ts'), '--outFile', target, ...flags], { cwd: root });
  const module = new WebAssembly.Module(new Uint8Array(readFileSync(target)));
  return new WebAssembly.Instance(module, { env: { memory } }).exports['read'] as Read;
}

interface Figures {
  vectors: string;
  kind: VectorKind;
  'ours ms': string;
  'vec0 ms': string;
  'read ms': string;
  'times vec0': string;
  'of read': string;
  'recall@10': string;
}

function measure(count: number, kind: VectorKind, build: ScanBuild, folder: string): Figures {
  const source = createVectorSource(kind, count);
  const width = widthOf(dimensions);
  const queryAt = 4_096;
  const topAt = queryAt + Math.ceil(bytesOfQuery(width) / 64) * 64;
  const factorsAt = topAt + Math.ceil(bytesOfTop(limit) / 64) * 64;
  const rowsAt = factorsAt + Math.ceil((4 * count) / 64) * 64;
  const pages = Math.ceil((rowsAt + count * width) / 65_536) + 1;
  const memory: SharedMemory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const kernel = openScanKernel(build, memory);
  const rows = new Int8Array(memory.buffer, rowsAt, count * width);

  const db = new Database(join(folder, `${kind}-${count}.db`));
  loadVectorFunctions(db);
  db.pragma('synchronous = OFF');
  db.exec(
    `CREATE VIRTUAL TABLE vectors USING vec0 (passage INTEGER PRIMARY KEY, v float[${dimensions}] distance_metric=cosine)`,
  );
  const insert = db.prepare('INSERT INTO vectors (passage, v) VALUES (?, ?)');
  for (let at = 0; at < count; at += 10_000) {
    db.transaction(() => {
      for (let row = at; row < Math.min(count, at + 10_000); row += 1) {
        const vector = source.next();
        insert.run(BigInt(row), Buffer.from(vector.buffer));
        rows.set(quantize(vector).components, row * width);
      }
    })();
  }
  kernel.measure(rowsAt, factorsAt, count, width);
  const queries = Array.from({ length: queriesOf(count) }, () => source.next());
  const scan = (query: Float32Array) => {
    writeQuery(memory, queryAt, quantize(query), width);
    writeTop(memory, topAt, limit);
    kernel.scan(rowsAt, factorsAt, 0, 0, count, width, queryAt, topAt);
    kernel.finish(topAt);
    return readTop(memory, topAt).map(({ row }) => row);
  };
  const search = db
    .prepare<[Buffer, number], number>('SELECT passage FROM vectors WHERE v MATCH ? AND k = ? ORDER BY distance')
    .pluck();
  const read = compileRead(folder, memory);

  // The engine compiles a kernel in two steps, the second after some use.
  for (let turn = 0; turn < 1_000_000 / count + 10; turn += 1) {
    scan(queries[0]!);
    read(rowsAt, width * count);
  }
  const [ours, vec0, plain] = [new Taken(), new Taken(), new Taken()];
  // Processor time is counted coarsely: many short calls together. In turns, so that a busier moment falls on all three.
  const times = Math.ceil(2_000_000 / count);
  let recalled = 0;
  for (const query of queries) {
    let found: number[] = [];
    let exact: number[] = [];
    ours.of(times, () => (found = scan(query)));
    plain.of(times, () => read(rowsAt, count * width));
    vec0.of(1, () => (exact = search.all(Buffer.from(query.buffer), limit)));
    const best = new Set(found.slice(0, 10));
    recalled += exact.slice(0, 10).filter((row) => best.has(row)).length;
  }
  db.close();
  rmSync(join(folder, `${kind}-${count}.db`));
  return {
    vectors: count.toLocaleString('en'),
    kind,
    'ours ms': ours.p50.toFixed(2),
    'vec0 ms': vec0.p50.toFixed(1),
    'read ms': plain.p50.toFixed(2),
    'times vec0': (vec0.processor / ours.processor).toFixed(1),
    'of read': (ours.processor / plain.processor).toFixed(2),
    'recall@10': (recalled / (queries.length * 10)).toFixed(3),
  };
}

const counts = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'commonplace-scan-'));
try {
  const build = chooseScanBuild();
  const figures: Figures[] = [];
  for (const count of counts.length > 0 ? counts : [10_000, 100_000, 1_000_000]) {
    for (const kind of ['clustered', 'noise'] as const) {
      figures.push(measure(count, kind, build, folder));
      // A million takes long: what is known so far is not lost when it is stopped.
      console.log(JSON.stringify(figures.at(-1)));
    }
  }
  console.log(`${dimensions} dimensions, the best ${limit}, kernel "${build}"`);
  console.table(figures);
} finally {
  rmSync(folder, { recursive: true });
}
