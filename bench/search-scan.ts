import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { quantize } from '../src/store/sqlite/index/quantize.ts';
import { scanRows } from '../src/store/sqlite/index/vector-cache/vector-cache.ts';
import { createRows, rowsPerBlock } from '../src/store/sqlite/index/vector-cache/shared-vector-layout.ts';
import { VectorRows } from '../src/store/sqlite/index/vector-cache/vector-rows.ts';
import { createVectorSource, dimensions, type VectorKind } from './synthetic-vectors.ts';

/*
 * A search over bytes against sqlite-vec's `vec0` with floats, and against a plain read of the same bytes, in one run:
 * `node bench/search-scan.ts [count…]`. Times are p50 by the clock, ratios are of processor time (on a busy
 * machine the clock counts what others do, too); recall is against vec0, which is exact.
 */

const limit = 50;
/** Fewer where each takes vec0 seconds. */
const queriesOf = (count: number): number => (count >= 1_000_000 ? 30 : 100);

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

function compileRead(folder: string): { memory: WebAssembly.Memory; read: Read } {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const asc = join(dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')), 'bin', 'asc.js');
  const target = join(folder, 'read.wasm');
  const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--initialMemory', '1'];
  execFileSync(process.execPath, [asc, join('kernels', 'read.ts'), '--outFile', target, ...flags], { cwd: root });
  const module = new WebAssembly.Module(new Uint8Array(readFileSync(target)));
  const { memory, read } = new WebAssembly.Instance(module).exports;
  return { memory: memory as WebAssembly.Memory, read: read as Read };
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

function measure(count: number, kind: VectorKind, folder: string): Figures {
  const source = createVectorSource(kind, count);
  const rows = new VectorRows(createRows(dimensions));
  const { place } = rows;
  if (place === null) throw new Error('the memory has no room for a search');

  const db = new Database(join(folder, `${kind}-${count}.db`));
  loadVectorFunctions(db);
  db.pragma('synchronous = OFF');
  db.exec(
    `CREATE VIRTUAL TABLE vectors USING vec0 (passage INTEGER PRIMARY KEY, v float[${dimensions}] distance_metric=cosine)`,
  );
  const insert = db.prepare('INSERT INTO vectors (passage, v) VALUES (?, ?)');
  for (let at = 0; at < count; at += rowsPerBlock) {
    db.transaction(() => {
      const keys = Array.from({ length: Math.min(count - at, rowsPerBlock) }, (_, index) => at + index);
      const components = new Uint8Array(keys.length * dimensions);
      for (const [index, row] of keys.entries()) {
        const vector = source.next();
        insert.run(BigInt(row), Buffer.from(vector.buffer));
        components.set(new Uint8Array(quantize(vector).components.buffer), index * dimensions);
      }
      rows.append({ count: keys.length, components, passages: keys, items: keys });
    })();
  }
  const queries = Array.from({ length: queriesOf(count) }, () => source.next());
  const scan = (query: Float32Array) =>
    scanRows(rows, query, { items: null, passages: [] }, limit, place).map(({ passageId }) => passageId);
  const search = db
    .prepare<[Buffer, number], number>('SELECT passage FROM vectors WHERE v MATCH ? AND k = ? ORDER BY distance')
    .pluck();
  const { memory, read } = compileRead(folder);
  const bytes = count * dimensions;
  memory.grow(Math.ceil(bytes / 65_536));
  const readFrom = memory.buffer.byteLength - bytes - ((memory.buffer.byteLength - bytes) % 64);
  new Uint8Array(memory.buffer, readFrom, bytes).fill(1);

  // The engine compiles a kernel in two steps, the second after some use.
  for (let turn = 0; turn < 1_000_000 / count + 10; turn += 1) {
    scan(queries[0]!);
    read(readFrom, bytes);
  }
  const [ours, vec0, plain] = [new Taken(), new Taken(), new Taken()];
  // Processor time is counted coarsely: many short calls together. In turns, so that a busier moment falls on all three.
  const times = Math.ceil(2_000_000 / count);
  let recalled = 0;
  for (const query of queries) {
    let found: number[] = [];
    let exact: number[] = [];
    ours.of(times, () => (found = scan(query)));
    plain.of(times, () => read(readFrom, bytes));
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
  const figures: Figures[] = [];
  for (const count of counts.length > 0 ? counts : [10_000, 100_000, 1_000_000]) {
    for (const kind of ['clustered', 'noise'] as const) {
      figures.push(measure(count, kind, folder));
      // A million takes long: what is known so far is not lost when it is stopped.
      console.log(JSON.stringify(figures.at(-1)));
    }
  }
  console.log(`${dimensions} dimensions, the best ${limit}`);
  console.table(figures);
} finally {
  rmSync(folder, { recursive: true });
}
