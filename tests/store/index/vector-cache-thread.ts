import { parentPort, workerData } from 'node:worker_threads';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { accountSchema } from '../../../src/store/sqlite/schema.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import type { SharedMemory } from '../../../src/store/sqlite/index/vector-cache/scan-kernel.ts';
import { VectorCache } from '../../../src/store/sqlite/index/vector-cache/vector-cache.ts';

/* A separate thread, started by a test: searches a memory that it shares with others, each time it is told to. */

const { path, memory, query } = workerData as { path: string; memory: SharedMemory; query: Float32Array };
const file = SqliteFile.open({ path, schema: accountSchema, readOnly: true, extend: loadVectorFunctions });
const cache = new VectorCache(memory, { embedder: 1, maxBytes: 1e9, few: 0 });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.on('message', () => parentPort?.postMessage(cache.search(file, query, {}, 50)));
