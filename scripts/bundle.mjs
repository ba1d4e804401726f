import { globSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

const forward = (path) => path.split(sep).join('/');

/**
 * Joins the modules of `source` to few files in `target`: to open a file costs a start more than to read it. Packages
 * are left alone. The program and its workers are joined apart from each other, since they share no memory: so neither
 * loads what only the other needs. Every `*-worker.ts` is started by its own path and stays a file of that name.
 */
export async function bundle(source, target) {
  const workers = globSync('**/*-worker.ts', { cwd: source }).map(forward);
  const start = new Set();
  await joinModules(source, target, ['main.ts'], 'parts', {
    plugins: [findStart(source, start)],
    // What stands between the start of the program and its first answer over stdio is one file.
    groups: [
      { name: 'start', test: (id) => start.has(id) },
      // Alone, so that a stack trace shows what went through it: a test refuses every other use of the network.
      { name: 'guarded-fetch', test: (id) => id === join(source, 'fetching/transport.ts') },
    ],
  });
  await joinModules(source, target, workers, 'worker-parts', { plugins: [], groups: [] });
}

async function joinModules(source, target, entries, parts, { plugins, groups }) {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.ts$/, ''), join(source, entry)])),
    platform: 'node',
    external: isPackage,
    plugins: [keepAddresses(source), ...plugins],
  });
  await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${parts}/[name].js`,
    codeSplitting: { groups },
    // Comments with the module ids stay: they say where in the sources a line of a stack trace is.
    minify: false,
  });
  await build.close();
}

const isPackage = (id) => !/^[./]|^[a-z]:[\\/]/i.test(id) && !id.startsWith('\0');

/** Modules find what lies beside them by `import.meta.url`: it stays the address that they would have in a file of their own. */
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

/** Fills `start` with what `stdio` needs for its first answer, except for what speaks MCP: other commands need that not. */
function findStart(source, start) {
  const place = (id) => forward(relative(source, id));
  return {
    name: 'find-start',
    buildEnd() {
      const waiting = ['cli/program.ts', 'cli/commands/stdio.ts'].map((file) => join(source, file));
      const seen = new Set(waiting);
      for (const id of waiting) {
        if (!/^(mcp\/|cli\/stdio)/.test(place(id))) start.add(id);
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) {
          if (seen.has(next) || isPackage(next)) continue;
          seen.add(next);
          waiting.push(next);
        }
      }
    },
  };
}
