import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * Remembers from what dist/ was built, so that the commands which need a build do not each repeat it. The note lies outside of dist/, which
 * is packed, and in node_modules, which `npm ci` makes again.
 */

const noteIn = (root: string): string => join(root, 'node_modules', '.cache', 'commonplace', 'built');

/** Everything that the build reads. Packages are pinned by the lock file, and whatever npm installed otherwise shows in its list. */
const inputs = [
  'src/**/*',
  'kernels/**/*',
  'web/**/*',
  'clients/browser/**/*',
  'scripts/*.{mjs,ts}',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
];

/** Whether dist/ is what a build would make now. */
export function isBuilt(root: string): boolean {
  const note = noteIn(root);
  return existsSync(note) && readFileSync(note, 'utf8') === stateOf(root);
}

/** Notes that dist/ was built from what there is now. */
export function noteBuilt(root: string): void {
  mkdirSync(dirname(noteIn(root)), { recursive: true });
  writeFileSync(noteIn(root), stateOf(root));
}

/** The bytes of all inputs, and the names, sizes and times of all outputs, as one hash. */
function stateOf(root: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of filesOf(root, inputs)) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  for (const file of filesOf(root, ['dist/**/*'])) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`\n${file} ${size} ${mtimeMs}`);
  }
  return hash.digest('hex');
}

function filesOf(root: string, patterns: readonly string[]): string[] {
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => statSync(join(root, file)).isFile())
    .sort();
}
