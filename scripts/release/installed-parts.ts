import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './facts.ts';

/** What an installation may take on the disk. docs/installing.md promises it. */
export const maxInstalledMegabytes = 100;
/** What the desktop bundle for all platforms may weigh. */
export const maxBundleMegabytes = 45;

/** Files take whole blocks on the disk, as `du` counts them. */
const blockBytes = 4_096;

const parts: Record<string, string[]> = {
  'Sentence model': ['assets/all-MiniLM-L6-v2/**'],
  'The program with the packages in it': ['dist/**', 'assets/page-blocks/**', 'CHANGELOG.md', 'README.md'],
  'PDF reader': ['dist/pdfjs/**'],
  'better-sqlite3': ['node_modules/better-sqlite3/**', 'node_modules/node-addon-api/**'],
  'sqlite-vec': ['node_modules/sqlite-vec/**', 'node_modules/sqlite-vec-*/**'],
};

/** What an installation on this machine consists of, in megabytes (2^20 bytes). `npm run build` must have been run. */
export function installedParts(): Map<string, number> {
  const sizes = new Map(Object.entries(parts).map(([part, patterns]) => [part, megabytes(patterns)]));
  const program = 'The program with the packages in it';
  return sizes.set(program, (sizes.get(program) ?? 0) - (sizes.get('PDF reader') ?? 0));
}

function megabytes(patterns: string[]): number {
  const stats = globSync(patterns, { cwd: root }).map((file) => statSync(join(root, file)));
  const files = stats.filter((one) => one.isFile());
  return files.reduce((sum, { size }) => sum + Math.ceil(size / blockBytes) * blockBytes, 0) / 2 ** 20;
}
