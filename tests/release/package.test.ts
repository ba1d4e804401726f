import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../scripts/release/facts.ts';
import { installedParts, maxInstalledMegabytes } from '../../scripts/release/installed-parts.ts';
import { publishedManifest } from '../../scripts/release/program-folder.ts';

/* The built program, as the package holds it. `npm test` builds it first. */

const built = globSync('dist/**/*.js').filter((file) => !file.includes('pdfjs'));
const published = publishedManifest(factsOf('someone/library')) as Record<
  'dependencies' | 'peerDependencies',
  Record<string, string>
>;

/** The ways in which the built files load others, each with the specifier. */
const loading = /^(?:import|export)\b[^"'\n]*["']([^"'\n]+)["'];$|\b(?:import|__require)\(["']([^"'\n]+)["']\)/gm;
/** What packages inside the program try to load, and do without. */
const triedAlone = ['canvas', 'cssstyle', 'pg-native', 'supports-color'];

/** The package that a module specifier names. */
const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

describe('The published package', () => {
  it('loads no package but those that its manifest names', () => {
    const specifiers = built.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(loading)]
        .map(([, from, called]) => from ?? called ?? '')
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:')),
    );
    const packages = new Set(specifiers.map(packageOf).filter((name) => !builtinModules.includes(name)));
    const named = [...Object.keys(published.dependencies), ...Object.keys(published.peerDependencies)];
    expect([...packages].filter((name) => !named.includes(name)).sort()).toEqual(triedAlone);
    for (const name of Object.keys(published.dependencies)) expect(packages).toContain(name);
  });

  it('has the licence of every package that it contains', () => {
    const licences = readFileSync('dist/THIRD_PARTY_LICENSES', 'utf8');
    const titles = new Set([...licences.matchAll(/^(\S+) \d\S* \(.+\)$/gm)].map(([, name]) => name));
    // The build writes the path of each module above its code.
    const modules = built.flatMap((file) => readFileSync(file, 'utf8').match(/^\/\/ .*node_modules\/.+$/gm) ?? []);
    const contained = new Set(modules.map((path) => packageOf(path.slice(path.lastIndexOf('node_modules/') + 13))));
    expect(contained.size).toBeGreaterThan(50);
    expect(
      [...contained, 'pdfjs-dist', ...Object.keys(published.dependencies)].filter((name) => !titles.has(name)),
    ).toEqual([]);
  });

  it('has no source maps, types or tests', () => {
    const files = globSync('dist/**/*').filter((file) => /\.map$|\.d\.[cm]?ts$|\.ts$|[\\/]tests?[\\/]/.test(file));
    expect(files).toEqual([]);
  });

  it('takes as much room as docs/installing.md says, and less than its limit', () => {
    const page = readFileSync(join('docs', 'installing.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]+?) +\| +([\d.]+) +\|/gm)].map(
      ([, part, size]) => [part, Number(size)] as const,
    );
    const documented = new Map(rows);
    const parts = installedParts();
    expect([...documented.keys()]).toEqual([...parts.keys()]);
    for (const [part, megabytes] of parts) {
      expect(Math.abs(megabytes - (documented.get(part) ?? Number.NaN)), part).toBeLessThanOrEqual(1);
    }
    const total = [...parts.values()].reduce((sum, megabytes) => sum + megabytes, 0);
    expect(total).toBeLessThan(maxInstalledMegabytes);
  });
});
