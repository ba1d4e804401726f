import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  name: string;
  version: string;
  license?: unknown;
  author?: string | { name: string };
  repository?: string | { url: string };
}

/** Licence files wherever a package keeps them: some carry fonts, tables or WebAssembly under licences of their own. */
const licenceFiles = [
  '{LICENSE,LICENCE,COPYING,NOTICE}*',
  '{license,licence}*',
  '{cmaps,standard_fonts,wasm}/LICENSE*',
];

/** The folder of the package that a joined module belongs to, from the module's path. */
export function packageFolder(path: string): string {
  const marker = '/node_modules/';
  const start = path.lastIndexOf(marker) + marker.length;
  const names = path.slice(start).split('/');
  return path.slice(0, start) + names.slice(0, names[0]?.startsWith('@') === true ? 2 : 1).join('/');
}

/**
 * The licences of the packages in these folders, one after the other. A text that several packages share is printed once.
 * @throws {Error} for a package that names no licence, or has neither the text of one nor a licence whose text we know
 */
export function licencesOf(folders: Iterable<string>): string {
  const packages = new Map<string, string>();
  for (const folder of new Set(folders)) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    if (typeof manifest.license !== 'string') throw new Error(`${manifest.name} names no licence`);
    packages.set(`${manifest.name} ${manifest.version} (${manifest.license})`, licenceText(folder, manifest));
  }
  const titles = [...packages.keys()].sort();
  const sharing = Map.groupBy(titles, (title) => packages.get(title) ?? '');
  const parts = [...sharing].map(([text, shared]) => `${shared.join('\n')}\n\n${text}\n`);
  return ['Commonplace contains the following packages.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceText(folder: string, manifest: Manifest): string {
  const files = new Set(licenceFiles.flatMap((pattern) => globSync(pattern, { cwd: folder })));
  const read = (file: string) => readFileSync(join(folder, file), 'utf8').trim();
  if (files.size > 0) return [...files].sort().map(read).join('\n\n');
  const readme = globSync('{README,readme}*', { cwd: folder }).map(read)[0] ?? '';
  const section = readme.search(/^#+ licen[sc]e/im);
  if (section !== -1 && /permission is hereby granted/i.test(readme.slice(section))) return readme.slice(section);
  if (!/\bMIT\b/.test(String(manifest.license))) throw new Error(`${manifest.name} has no text of its licence`);
  const { author, repository } = manifest;
  const holder = typeof author === 'object' ? author.name : (author ?? `the authors of ${manifest.name}`);
  const source = typeof repository === 'object' ? repository.url : (repository ?? '');
  return `MIT License\n\nCopyright (c) ${holder} (${source})\n\n${mitTerms}`;
}

/** The terms of https://spdx.org/licenses/MIT.html, for packages that name the licence without its text. */
const mitTerms = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
