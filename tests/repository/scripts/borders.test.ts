import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { circles, faultsOf, importsOf, refusal, table } from '../../../scripts/borders.ts';

const root = mkdtempSync(join(tmpdir(), 'borders-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text = ''): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** What forbids the import of a file: the room whose line it is, or null. */
function forbiddenBy(from: string, to: string, isPackage = false): string | null {
  const said = refusal({ from, line: 1, to, isPackage });
  const line = Number(/scripts\/borders\.ts:(\d+)/.exec(said ?? '')?.[1]);
  return said === null ? null : (table.find((row) => row.line === line)?.rooms[0] ?? said);
}

/** An import that each line forbids, and the room whose line it is. */
const forbidden: [from: string, to: string, room: string][] = [
  ['src/domain/text/words.ts', 'src/store/records.ts', 'src/domain/'],
  ['src/errors.ts', 'src/workers/log.ts', 'src/domain/'],
  ['src/settings/config.ts', 'src/app/app.ts', 'src/settings/'],
  ['src/workers/start.ts', 'src/domain/records/ids.ts', 'src/workers/'],
  ['src/requests/read-pushed.ts', 'src/sources/host/index.ts', 'src/requests/'],
  ['src/exporting/markdown.ts', 'src/importing/formats/csv.ts', 'src/importing/'],
  ['src/fetching/fetch.ts', 'src/sources/source.ts', 'src/fetching/'],
  ['src/sources/index.ts', 'src/fetching/fetch-process.ts', 'src/sources/'],
  ['src/sources/host/readers.ts', 'src/sources/pdf/read-pages.ts', 'src/sources/host/'],
  ['src/models/embedding/index.ts', 'src/models/analysis/analyst.ts', 'src/models/embedding/'],
  ['src/models/analysis/claude/claude.ts', 'src/store/store.ts', 'src/models/analysis/'],
  ['src/models/analysis/extractive/model.ts', 'src/models/embedding/query-cache.ts', 'src/models/embedding/'],
  ['src/store/sqlite/open.ts', 'src/search/query.ts', 'src/store/'],
  ['src/store/sqlite/open.ts', 'src/store/sqlite/index/words/terms.ts', 'src/store/sqlite/index/'],
  ['src/search/query.ts', 'src/services/access.ts', 'src/search/'],
  ['src/services/access.ts', 'src/store/sqlite/open.ts', 'src/store/'],
  ['src/services/access.ts', 'src/pipeline/embed.ts', 'src/services/'],
  ['src/pipeline/embed.ts', 'src/services/access.ts', 'src/pipeline/'],
  ['src/pipeline/embed.ts', 'src/sources/pdf/read-pages.ts', 'src/sources/'],
  ['src/pipeline/embed.ts', 'src/models/analysis/extractive/model.ts', 'src/models/analysis/extractive/'],
  ['src/operations/goals.ts', 'src/store/store.ts', 'src/operations/'],
  ['src/mcp/server.ts', 'src/http/server.ts', 'src/mcp/'],
  ['src/http/server.ts', 'src/app/app.ts', 'src/http/'],
  ['src/cli/program.ts', 'src/http/server.ts', 'src/cli/'],
  ['src/app/app.ts', 'src/fetching/wire.ts', 'src/fetching/'],
  ['src/app/app.ts', 'src/store/sqlite/index/words/terms.ts', 'src/store/sqlite/index/'],
  ['src/main.ts', 'tests/support/texts/growth.ts', 'src/app/'],
  ['web/client.tsx', 'src/http/server.ts', 'web/'],
  ['web/data/records.ts', 'src/store/store.ts', 'web/data/records.ts'],
  ['web/client.tsx', 'src/operations/page.ts', 'web/'],
  ['clients/typescript/src/index.ts', 'src/domain/clock.ts', 'clients/'],
];

it.each(forbidden)('%s may not import %s', (from, to, room) => {
  expect(forbiddenBy(from, to)).toBe(room);
});

it('each line of the table forbids something', () => {
  expect([...new Set(forbidden.map(([, , room]) => room))].toSorted()).toEqual(
    table.map(({ rooms }) => rooms[0]).toSorted(),
  );
});

it.each([
  ['src/domain/text/words.ts', 'src/domain/search/terms.ts'],
  ['src/app/app.ts', 'src/models/embedding/start-minilm.ts'],
  ['src/app/library-worker.ts', 'src/store/sqlite/index/index.ts'],
  ['src/store/postgres/open.ts', 'src/store/sqlite/open.ts'],
  ['src/services/access.ts', 'src/store/records/control-records.ts'],
  ['src/sources/run-reading.ts', 'src/sources/host/reading-protocol.ts'],
  ['src/http/server.ts', 'src/mcp/http.ts'],
  ['web/client.tsx', 'src/domain/clock.ts'],
  ['web/data/records.ts', 'src/operations/page.ts'],
])('%s may import %s', (from, to) => {
  expect(forbiddenBy(from, to)).toBeNull();
});

it('domain and the page may use the packages in their lines', () => {
  expect(forbiddenBy('src/domain/clock.ts', 'node:fs', true)).toBe('src/domain/');
  expect(forbiddenBy('src/domain/clock.ts', 'zod', true)).toBeNull();
  expect(forbiddenBy('web/client.tsx', 'node:url', true)).toBe('web/');
  expect(forbiddenBy('web/client.tsx', 'preact/hooks', true)).toBeNull();
  expect(forbiddenBy('src/store/store.ts', 'node:fs', true)).toBeNull();
});

it('a folder without a line is refused', () => {
  expect(refusal({ from: 'src/new/a.ts', line: 1, to: 'src/errors.ts', isPackage: false })).toBe(
    'src/new/a.ts lies in no room: give its folder a line of the table in scripts/borders.ts.',
  );
});

it('every kind of import is read, and a forbidden one is reported with advice', () => {
  for (const name of ['one', 'two', 'three', 'four', 'five']) write(`src/services/${name}.ts`);
  write(
    'src/domain/all.ts',
    [
      "import type {\n  A,\n} from '../services/one.ts';",
      "export * from '../services/two.ts';",
      "const later = (): unknown => import('../services/three.ts');",
      "const worker = new URL('../services/four.ts', import.meta.url);",
      "import '../services/five.ts';",
      "import { readFile } from 'node:fs/promises';",
      "const none = ['../services/missing.ts', '../../services', 'zod'];",
    ].join('\n'),
  );
  const read = importsOf(root, 'src/domain/all.ts').map(({ line, to }) => `${line} ${to}`);
  expect(read).toEqual([
    '3 src/services/one.ts',
    '4 src/services/two.ts',
    '5 src/services/three.ts',
    '6 src/services/four.ts',
    '7 src/services/five.ts',
    '8 node:fs/promises',
  ]);
  const faults = faultsOf(root);
  expect(faults).toHaveLength(6);
  expect(faults[1]!.replace(/borders\.ts:\d+/, 'borders.ts:17')).toMatchInlineSnapshot(`
    "src/domain/all.ts:4 imports src/services/two.ts. scripts/borders.ts:17 forbids it: src/domain/ may import src/domain/, src/errors.ts, entities, ipaddr.js, node:crypto, node:module, node:url, node:zlib, zod. Floor 1 says what things are, without input or output.
      Move what both need to a room that both may import, or have app/ pass it in. If the border itself is wrong, change that line."
  `);
});

it('a cycle is found, also through a type and a dynamic import', () => {
  write('src/services/a.ts', "import { b } from './b.ts';");
  write('src/services/b.ts', "export const c = (): unknown => import('./c.ts');");
  write('src/services/c.ts', "import type { A } from './a.ts';\nimport { d } from './d.ts';");
  write('src/services/d.ts');
  const imports = ['a', 'b', 'c', 'd'].flatMap((name) => importsOf(root, `src/services/${name}.ts`));
  expect(circles(imports)).toEqual([
    ['src/services/a.ts', 'src/services/b.ts', 'src/services/c.ts', 'src/services/a.ts'],
  ]);
});
