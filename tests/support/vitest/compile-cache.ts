import { join } from 'node:path';

/*
 * Tests start the sources and the built program some hundred times, as threads and as processes. With this, Node strips types and compiles
 * once for all of them. Vitest turns the cache off for whatever a worker starts while it measures coverage, since what is loaded from the cache
 * cannot be counted exactly; but of those threads and processes nothing is counted anyway.
 */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../../node_modules/.cache/commonplace/compiled');
delete process.env['NODE_DISABLE_COMPILE_CACHE'];
