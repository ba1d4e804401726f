import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsOf, manifest } from '../../../scripts/release/facts.ts';
import { installedParts, maxInstalledMegabytes } from '../../../scripts/release/installed-parts.ts';
import { publishedManifest } from '../../../scripts/release/program-folder.ts';

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
  it('loads only the packages in its manifest', () => {
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

  it('has the licence of every bundled package', () => {
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

  it('equals the output of npm pack: the repository names the same packages', () => {
    expect(published.dependencies).toEqual(manifest.dependencies);
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(published).not.toHaveProperty('devDependencies');
  });

  it('refuses installation on an older Node.js, except from a checkout', () => {
    const folder = mkdtempSync(join(tmpdir(), 'commonplace-preinstall-'));
    const installed = join(folder, 'lib', 'node_modules', manifest.name);
    mkdirSync(installed, { recursive: true });
    const installing = (version: string, cwd: string) => {
      // Stands in for an old runtime: the same one, told that it is.
      const old = join(folder, 'old-node.cjs');
      writeFileSync(old, `Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
      const environment = { ...process.env, NODE_OPTIONS: `--require "${old}"` };
      const { status, stderr } = spawnSync(manifest.scripts.preinstall, {
        cwd,
        env: { ...environment, PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter) },
        shell: true,
        encoding: 'utf8',
      });
      return `${status} ${stderr}`;
    };
    try {
      for (const version of ['18.20.8', '20.20.2', '22.18.0']) {
        expect(installing(version, installed)).toMatch(
          /^1 Commonplace needs Node\.js 22\.19 or newer, this is [\d.]+\. .*\n$/,
        );
        expect(installing(version, folder)).toBe('0 ');
      }
      expect(manifest.engines.node).toBe('>=22.19');
      for (const version of ['22.19.0', '24.0.0', '100.1.2']) expect(installing(version, installed)).toBe('0 ');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has no source maps, types or tests', () => {
    const files = globSync('dist/**/*').filter((file) => /\.map$|\.d\.[cm]?ts$|\.ts$|[\\/]tests?[\\/]/.test(file));
    expect(files).toEqual([]);
  });

  it('is as large as docs/installing.md says, and below its limit', () => {
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
