import { globSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { copiedPackages, separatePackages } from './packages.ts';

const languageTable = '/eld/src/ngrams/extrasmall.js';

const forward = (path) => path.split(sep).join('/');

/**
 * Joins the modules of `source` and the packages that they use to few files in `target`: to open a file costs a start
 * more than to read it, and an installation needs a small part of most packages. The program and its workers are joined apart from each other, since they share no memory: so neither
 * loads what only the other needs. Every `*-worker.ts` is started by its own path and stays a file of that name.
 * @returns the paths of all joined modules that belong to packages
 */
export async function bundle(source, target) {
  const workers = globSync('**/*-worker.ts', { cwd: source }).map(forward);
  const before = new Set();
  const start = new Set();
  const operations = new Set();
  const commands = new Set();
  const onBothEngines = new Set();
  const app = new Set();
  const ofProgram = await joinModules(source, target, ['main.ts'], 'parts', {
    plugins: [findStart(source, { before, start, operations, commands, onBothEngines, app })],
    // What stands between the start of the program and its first answer over stdio is three files: what every command
    // needs, what most need, and what speaks MCP.
    groups: [
      { name: 'before-program', test: (id) => before.has(id), priority: 4 },
      {
        name: 'start',
        test: (id) => start.has(id) || forward(id).includes('/node_modules/zod/v4/classic/'),
        priority: 3,
      },
      { name: 'operations', test: (id) => operations.has(id), priority: 2 },
      // One file, and not one for each set of modules that need the same.
      { name: 'both-engines', test: (id) => onBothEngines.has(id), priority: 2 },
      { name: 'operation-commands', test: (id) => commands.has(id), priority: 2 },
      // The rest of what every command needs that opens a library.
      { name: 'app', test: (id) => app.has(id), priority: 1 },
      ...guardedFetch(source),
    ],
  });
  const groups = guardedFetch(source);
  const ofWorkers = await joinModules(source, target, workers, 'worker-parts', { plugins: [], groups });
  if (!ofWorkers.some((id) => id.endsWith(languageTable))) throw new Error(`${languageTable} is not where it was`);
  return [...new Set([...ofProgram, ...ofWorkers])].filter((id) => id.includes('/node_modules/'));
}

/**
 * What opens connections and looks names up is in its own file, so that a stack trace shows what went through it: a
 * test refuses every other use of the network. The HTTP client is in another one, so that whoever uses it alone is seen.
 */
const guardedFetch = (source) => [
  { name: 'undici', test: (id) => forward(id).includes('/node_modules/undici/'), priority: 1 },
  {
    name: 'guarded-fetch',
    test: (id) =>
      ['transport.ts', 'tunnel.ts', 'address-guard.ts'].some((file) => id === join(source, 'fetching', file)),
  },
];

async function joinModules(source, target, entries, parts, { plugins, groups }) {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.ts$/, ''), join(source, entry)])),
    platform: 'node',
    // Its main file finds its other files only when Node.js loads it.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    external: isSeparate,
    plugins: [keepAddresses(source), joinRequired(), useCopiedPackages(source), packTable(source), ...plugins],
    // A package that is not found would be loaded, and fail, on the user's machine.
    onLog(level, log, report) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn' && !log.id?.includes('node_modules')) report(level, log);
    },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${parts}/[name].js`,
    codeSplitting: { groups },
    // Comments with the module ids stay: they say where in the sources a line of a stack trace is.
    minify: false,
    // Nobody reads the others there, and those of other people's packages take 2 MB.
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await build.close();
  for (const { fileName, code = '' } of output) {
    const [missed] = /\brequire\(["']\.\.?\/[^)]*\)/.exec(code) ?? [];
    if (missed !== undefined) throw new Error(`${fileName} would look for a file that is not there: ${missed}`);
  }
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds.map(forward) : []));
}

const isSeparate = (id) => separatePackages.some((name) => id === name || id.startsWith(`${name}/`));
const isOfPackage = (id) => id.includes('node_modules') || id.startsWith('node:') || id.startsWith('\0');

/** Modules find what lies beside them by `import.meta.url`: it stays the address that they would have in their own file. */
function keepAddresses(source) {
  return {
    name: 'keep-addresses',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null;
      const module = forward(relative(source, id)).replace(/\.ts$/, '.js');
      return { code: code.replaceAll('import.meta.url', `__addressOf__(${JSON.stringify(module)})`), map: null };
    },
    renderChunk(code, { fileName }) {
      return code.replaceAll(/__addressOf__\("([^"]+)"\)/g, (_, module) => {
        const path = forward(relative(dirname(fileName), module));
        return `new URL(${JSON.stringify(path)}, import.meta.url).href`;
      });
    },
  };
}

/**
 * Packs the large table of the language detector. As JavaScript it takes 75 MB in each process that reads: the parser's own memory,
 * and a description of each of its 50,000 objects. As JSON it takes 23 MB, and packed one.
 */
function packTable(source) {
  const packing = join(source, 'sources/language/n-gram-table.ts');
  return {
    name: 'pack-table',
    async transform(code, id) {
      if (!forward(id).endsWith(languageTable)) return null;
      const [{ ngramsData }, { packNGrams }] = await Promise.all(
        [id, packing].map((file) => import(pathToFileURL(file).href)),
      );
      const { ngrams, ...rest } = ngramsData;
      const [packed, described] = [packNGrams(ngrams), rest].map((part) => JSON.stringify(part));
      const notice = code.slice(0, code.indexOf('export'));
      return {
        code: `${notice}import { openNGrams } from ${JSON.stringify(packing)};
export const ngramsData = { ...${described}, ngrams: openNGrams(${packed}) };`,
        map: null,
      };
    },
  };
}

/**
 * Fills `before` with what runs before the program is loaded, `start` with what every command needs, and `operations` with
 * what else `stdio` needs for its first answer, except for what speaks MCP; and `onBothEngines` with what the program needs with
 * a data folder as well as with a database.
 */
function findStart(source, { before, start, operations, commands, onBothEngines, app }) {
  const place = (id) => forward(relative(source, id));
  return {
    name: 'find-start',
    buildEnd() {
      const collect = (file, found) => {
        const waiting = [join(source, file)];
        const seen = new Set(waiting);
        for (const id of waiting) {
          found(id);
          for (const next of this.getModuleInfo(id)?.importedIds ?? []) {
            if (seen.has(next) || isOfPackage(next)) continue;
            seen.add(next);
            waiting.push(next);
          }
        }
      };
      const stdio = 'cli/commands/stdio.ts';
      collect('app/before-program.ts', (id) => before.add(id));
      for (const file of ['cli/program.ts', 'settings/version.ts']) collect(file, (id) => start.add(id));
      collect(stdio, (id) => {
        if (!start.has(id) && place(id) !== stdio && !place(id).startsWith('mcp/')) operations.add(id);
      });
      for (const file of ['commands/operation-commands.ts', 'commands/manage-commands.ts', 'call-locally.ts'])
        collect(`cli/${file}`, (id) => {
          if (!start.has(id) && !operations.has(id)) commands.add(id);
        });
      const ofApp = new Set();
      collect('app/app.ts', (id) => ofApp.add(id));
      collect('app/command-app.ts', (id) => app.add(id));
      for (const file of ['app/installations/postgres-installation.ts', 'app/installations/databases.ts'])
        collect(file, (id) => {
          if (ofApp.has(id) && !start.has(id) && !operations.has(id)) onBothEngines.add(id);
        });
    },
  };
}

/** A package that a module of ours requires when it needs it, without waiting, is joined as well, and still runs only then. */
function joinRequired() {
  return {
    name: 'join-required',
    transform(code, id) {
      if (isOfPackage(id)) return null;
      return {
        code: code.replaceAll(
          /createRequire\((?:import\.meta\.url|__addressOf__\("[^"]+"\))\)\('([^']+)'\)/g,
          (call, name) => (isSeparate(name) ? call : `require('${name}')`),
        ),
        map: null,
      };
    },
  };
}

/** Packages that lie beside the joined files are found there, by the joined code and by modules that ask for their files. */
function useCopiedPackages(source) {
  const names = Object.keys(copiedPackages).join('|');
  const asked = new RegExp(`resolve\\((['"])(${names})/`, 'g');
  const imported = new RegExp(`(import\\(|from )(['"])(${names})/`, 'g');
  const pathFrom = (file, name) =>
    `${forward(relative(dirname(file), copiedPackages[name].folder)).replace(/^(?!\.)/, './')}/`;
  return {
    name: 'use-copied-packages',
    transform(code, id) {
      if (isOfPackage(id)) return null;
      const module = forward(relative(source, id));
      return {
        code: code.replaceAll(asked, (_, quote, name) => `resolve(${quote}${pathFrom(module, name)}`),
        map: null,
      };
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll(imported, (_, how, quote, name) => `${how}${quote}${pathFrom(fileName, name)}`),
  };
}
