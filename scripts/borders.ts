/*
 * Which folder of src may import which. `npm run lint` refuses an import that the table does not allow, and every circle. Types, dynamic
 * imports and addresses of files (`new URL('./a.ts', …)`) count like any other import. Tests, benches and scripts may import everything, but
 * in no circle.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * room | what it shows to other rooms (everything, when empty) | what it may import, besides itself | why.
 *
 * A file belongs to the room with the longest path. Paths begin in `src/`; in the second column, in the room. The third column lists rooms,
 * files and packages; a row that names no package allows all of them, and `*` allows all of `src/`. A row that names a path inside another
 * room may import it, whether that room shows it or not.
 */
const rows = `
domain/ errors.ts     | | domain/ errors.ts entities ipaddr.js node:crypto node:module node:url node:zlib zod | Floor 1 says what things are, without input or output.
settings/             | | domain/ errors.ts | Settings know nothing of the rooms that they are for.
workers/              | | domain/turns/ domain/clock.ts domain/machine-limits.ts | What processes and threads need knows nothing of the product: start, end, log, temporary folders.
requests/             | | domain/ errors.ts workers/ | Rooms of floor 2 do not know each other.
importing/ exporting/ | | domain/ errors.ts workers/ | Rooms of floor 2 do not know each other.
fetching/             | mailbox/mailbox.ts fetch-process.ts host-turns.ts web-archive.ts local-file.ts provider-fetch.ts download.ts tunnel.ts | domain/ errors.ts workers/ | Rooms of floor 2 do not know each other. What servers send is parsed in the fetching process (docs/decisions/fetching.md).
sources/              | host/index.ts | domain/ errors.ts workers/ | Rooms of floor 2 do not know each other. Text from outside is parsed in reading processes (docs/decisions/reading-processes.md).
sources/host/         | | domain/ errors.ts workers/ | This is the main thread's side of reading: it parses nothing (docs/decisions/reading-processes.md).
models/embedding/     | index.ts | domain/ errors.ts workers/ | Sentence models know no analyst, and no other room of floor 2.
models/analysis/      | | models/embedding/ domain/ errors.ts workers/ | Rooms of floor 2 do not know each other.
models/analysis/extractive/ | index.ts | models/ domain/ errors.ts workers/ | Rooms of floor 2 do not know each other.
store/                | *.ts records/ | domain/ errors.ts workers/ | Rooms of floor 2 do not know each other. Only app/ chooses an engine.
store/sqlite/index/   | index.ts | store/ domain/ errors.ts workers/ | Rooms of floor 2 do not know each other.
search/               | | store/ domain/ errors.ts workers/ | Floor 3: the policy of search knows the ports of the store, and no other room.
services/             | | search/ store/ models/ requests/ importing/ exporting/ domain/ errors.ts workers/log.ts workers/running-process.ts | Floor 3: services do not know the pipeline, and reach the world through ports.
pipeline/             | | store/ models/ sources/ fetching/ workers/ domain/ errors.ts | Floor 3: the pipeline does not know services.
operations/           | | services/ domain/ errors.ts | Floor 4: an operation calls a service.
mcp/                  | | operations/ requests/ settings/ domain/ errors.ts workers/log.ts | Floor 5: an interface calls operations.
http/                 | | mcp/ operations/ services/ requests/ settings/ domain/ errors.ts workers/log.ts | Floor 5: an interface calls operations. Only this one mounts mcp/.
cli/                  | | app/ mcp/ operations/ services/ requests/ settings/ domain/ errors.ts workers/log.ts | Floor 5: an interface calls operations.
app/ main.ts          | | * store/sqlite/ store/postgres/ models/embedding/start-minilm.ts | Floor 6 builds everything, of what each room shows.
../web/data/records.ts | | operations/ http/ domain/ | Types of what the server answers, and no code.
../web/               | | domain/ preact preact-render-to-string | The browser gets domain/, and calls the server for everything else.
../clients/           | | | A client is a separate package.
`;

interface Row {
  rooms: string[];
  shown: string[];
  mayImport: string[];
  why: string;
  line: number;
}

const isPath = (entry: string): boolean => /\/$|\.ts$|^\*$/.test(entry);
const seenFromRoot = (entry: string): string => (entry === '*' ? 'src/' : posix.join('src', entry));
const firstLine =
  readFileSync(import.meta.filename, 'utf8')
    .split('\n')
    .indexOf('const rows = `') + 1;

export const table: Row[] = rows.split('\n').flatMap((text, index) => {
  const [rooms, shown, mayImport, why] = text.split('|').map((cell) => cell.trim());
  if (!rooms || shown === undefined || mayImport === undefined || !why) return [];
  const entries = (cell: string): string[] => cell.split(/\s+/).filter((entry) => entry !== '');
  return [
    {
      rooms: entries(rooms).map(seenFromRoot),
      shown: entries(shown),
      mayImport: entries(mayImport).map((entry) => (isPath(entry) ? seenFromRoot(entry) : entry)),
      why,
      line: firstLine + index,
    },
  ];
});

/** Whether `path` lies in the folder, is the file, or, for `folder/*.ts`, is a file of that folder itself. */
function covers(entry: string, path: string): boolean {
  if (entry.endsWith('/')) return path.startsWith(entry);
  const folder = entry.replace(/\*\.ts$/, '');
  return folder === entry ? path === entry : path.startsWith(folder) && !path.slice(folder.length).includes('/');
}

/** The rooms that a file lies in, the innermost first. */
const roomsWith = (path: string): { room: string; row: Row }[] =>
  table
    .flatMap((row) => row.rooms.filter((room) => covers(room, path)).map((room) => ({ room, row })))
    .toSorted((a, b) => b.room.length - a.room.length);

/** `to` is a file, seen from the root, or the name of a package. */
export interface Import {
  from: string;
  line: number;
  to: string;
  isPackage: boolean;
}

/** Which line of the table forbids an import, and what to do; null when none does. */
export function refusal({ from, line, to, isPackage }: Import): string | null {
  const [own] = roomsWith(from);
  if (own === undefined) return `${from} lies in no room: give its folder a line of the table in scripts/borders.ts.`;
  const { room, row } = own;
  const refuse = (by: Row, rule: string): string =>
    `${from}:${line} imports ${to}. scripts/borders.ts:${by.line} forbids it: ${rule} ${by.why}\n` +
    '  Move what both need to a room that both may import, or have app/ pass it in. If the border itself is wrong, change that line.';
  const imports = `${room} may import ${row.mayImport.join(', ') || 'only itself'}.`;
  if (isPackage) {
    const packages = row.mayImport.filter((entry) => !isPath(entry));
    const isAllowed = packages.length === 0 || packages.some((name) => to === name || to.startsWith(`${name}/`));
    return isAllowed ? null : refuse(row, imports);
  }
  const allowing = [room, ...row.mayImport].filter((entry) => covers(entry, to));
  if (allowing.length === 0) return refuse(row, imports);
  const hiding = roomsWith(to).find(
    (other) =>
      other.row.shown.length > 0 &&
      !covers(other.room, from) &&
      !other.row.shown.some((entry) => covers(other.room + entry, to)) &&
      !allowing.some((entry) => entry !== other.room && entry.startsWith(other.room)),
  );
  return hiding === undefined ? null : refuse(hiding.row, `${hiding.room} shows only ${hiding.row.shown.join(', ')}.`);
}

/**
 * The imports of a file: each package in quotes behind `from` or `import`, and each relative address of a program file that exists, whatever it
 * is there for. What is missed is a dynamic import whose name is computed.
 */
export function importsOf(root: string, from: string, text = readFileSync(join(root, from), 'utf8')): Import[] {
  return [...text.matchAll(/(\b(?:from|import)\s*\(?\s*)?(['"`])((?:(?!\2)[^\n\\])+)\2/g)].flatMap(
    (found): Import[] => {
      const [whole, keyword, quote, name = ''] = found;
      const line = text.slice(0, found.index + whole.length).split('\n').length;
      if (!/^\.\.?\//.test(name)) {
        return keyword === undefined || quote === '`' ? [] : [{ from, line, to: name, isPackage: true }];
      }
      const to = posix.join(posix.dirname(from), name);
      // What the build makes lies in no room.
      if (to.startsWith('dist/')) return [];
      return /\.[cm]?[jt]sx?$/.test(to) && existsSync(join(root, to)) ? [{ from, line, to, isPackage: false }] : [];
    },
  );
}

/** The circles of the imports, each as the files that it goes through; the first and the last are the same. */
export function circles(imports: readonly Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const found: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file]);
    if (path.includes(file) || done.has(file)) return;
    path.push(file);
    for (const { to } of next.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  };
  for (const file of next.keys()) visit(file);
  return found;
}

/** What is wrong with the imports of a tree, one text each. */
export function faultsOf(root: string): string[] {
  const imports = globSync(['{src,web,clients}/**/*.{ts,tsx,js,mjs}', '{tests,bench,demo,scripts}/**/*.ts'], {
    cwd: root,
  })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/^tests\/fixtures\/|^demo\/site\/|\/node_modules\/|\/dist\//.test(file))
    .flatMap((file) => importsOf(root, file));
  const refused = imports.filter(({ from }) => /^(?:src|web|clients)\//.test(from)).map(refusal);
  const circular = circles(imports.filter(({ isPackage }) => !isPackage)).map(
    (circle) =>
      `These files import each other: ${circle.join(' → ')}\n  Move what both need to a file that imports neither.`,
  );
  return [...refused.filter((fault) => fault !== null), ...circular];
}

if (import.meta.main) {
  const faults = faultsOf(join(import.meta.dirname, '..'));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
