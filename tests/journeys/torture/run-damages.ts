import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { damageOften, makeLibrary } from './damages.ts';
import { randomOf } from './random.ts';

/*
 * `npm run damages`: changes bytes of records in the files of a library, and says how many of the changes a check noticed
 * (docs/reliability.md).
 */

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '200' },
    items: { type: 'string', default: '300' },
    seed: { type: 'string', default: '20261129' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'commonplace-damages-'));
const folder = join(scratch, 'library');
const random = randomOf(Number(options.seed));
await makeLibrary(folder, Number(options.items), random);
const tables = new Map<string, [noticed: number, times: number]>();
const unnoticed = damageOften(
  { folder, scratch, times: Number(options.times), random },
  ({ table, at, bytes }, problems) => {
    const [noticed, times] = tables.get(table) ?? [0, 0];
    tables.set(table, [noticed + (problems.length > 0 ? 1 : 0), times + 1]);
    if (problems.length === 0) console.log(`unnoticed: ${bytes} bytes at ${at}, in ${table}`);
  },
);
for (const [table, [noticed, times]] of [...tables].toSorted()) console.log(`${noticed} of ${times}  ${table}`);
console.log(`${Number(options.times) - unnoticed.length} of ${options.times} damages noticed (seed ${options.seed})`);
rmSync(scratch, { recursive: true });
process.exitCode = unnoticed.length * 40 <= Number(options.times) ? 0 : 1;
