import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifest, root } from './facts.ts';

/** A platform of the bundles: as better-sqlite3 names its files, and as sqlite-vec names its packages. */
export interface Platform {
  database: string;
  vectors: string;
}

export const desktopPlatforms: readonly Platform[] = [
  { database: 'darwin-arm64', vectors: 'darwin-arm64' },
  { database: 'darwin-x64', vectors: 'darwin-x64' },
  { database: 'win32-x64', vectors: 'windows-x64' },
  { database: 'linux-x64', vectors: 'linux-x64' },
  { database: 'linux-arm64', vectors: 'linux-arm64' },
];

export function thisPlatform(): Platform {
  const { platform, arch } = process;
  return { database: `${platform}-${arch}`, vectors: `${platform === 'win32' ? 'windows' : platform}-${arch}` };
}

/** Copies what the program loads of its packages with compiled parts to `target`/node_modules, for these platforms. */
export function copyNativePackages(target: string, platforms: readonly Platform[]): void {
  const packages = join(target, 'node_modules');
  copy('better-sqlite3', packages, ['package.json', 'LICENSE', 'lib/**/*.js', ...platforms.map(prebuild)]);
  copy('sqlite-vec', packages, ['package.json', 'index.cjs', 'index.mjs']);
  for (const { vectors } of platforms) fetchPackage(`sqlite-vec-${vectors}`, packages);
}

const prebuild = ({ database }: Platform) => `prebuilds/${database}.node`;

function copy(name: string, packages: string, patterns: string[]): void {
  const from = join(root, 'node_modules', name);
  for (const file of globSync(patterns, { cwd: from })) cpSync(join(from, file), join(packages, name, file));
}

/** npm installs the package of this platform only: the others come from the registry. */
function fetchPackage(name: string, packages: string): void {
  const spec = `${name}@${manifest.dependencies['sqlite-vec']}`;
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-native-'));
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const packed = execFileSync(npm, ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, spec], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const target = join(packages, name);
    mkdirSync(target, { recursive: true });
    checkIntegrity(name, join(folder, packed.trim()));
    execFileSync('tar', ['-xzf', join(folder, packed.trim()), '-C', target, '--strip-components=1']);
    // Some packages are packed with files for their owner alone. npm opens them to all, and so does this.
    for (const file of readdirSync(target)) chmodSync(join(target, file), 0o644);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What comes from the registry is what the lock file names, as with `npm ci`. */
function checkIntegrity(name: string, file: string): void {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string }>;
  };
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (lock.packages[`node_modules/${name}`]?.integrity !== found) {
    throw new Error(`${name} from the registry is not the one that package-lock.json names`);
  }
}
