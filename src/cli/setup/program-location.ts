import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServerCommand } from './hosts.ts';
import { type Machine, pathsOf, programFolders } from './machine.ts';

/** Where this program is, and how a host should start it so that it still starts after an update. */
export interface ProgramLocation {
  /**
   * `stable`: the command outlives updates. `versioned`: it works until the Node or the package it names is replaced.
   * `temporary`: it lies in a cache that is cleared. `unbuilt`: there is no dist/main.js.
   */
  kind: 'stable' | 'versioned' | 'temporary' | 'unbuilt';
  /** Without the subcommand. */
  program: ServerCommand;
}

/** Path segments of caches of `npx`, `pnpm dlx`, `yarn dlx` and `bunx`. */
const cacheSegments = [/^_npx$/, /^dlx$/, /^dlx-/, /^bunx-/, /^xfs-/];
/** `v24.1.0`, `24.1.0`, `commonplace-mcp@0.1.0`: folders that the next version does not use. */
const versionSegment = /(?:^v?|@)\d{1,4}\.\d{1,4}(?:\.|$)/;
/** Folders that exist for one terminal only. */
const sessionSegment = /^fnm_multishells$/;

/** Largest shim that is read to see what it starts. */
const maxShimBytes = 16_384;

function segments(path: string): string[] {
  return path.split(/[\\/]/);
}

function isCached(path: string): boolean {
  return segments(path).some((segment) => cacheSegments.some((pattern) => pattern.test(segment)));
}

function isVersioned(path: string): boolean {
  return segments(path).some((segment) => versionSegment.test(segment) || sessionSegment.test(segment));
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // A dangling link, or a folder of PATH that may not be read: it is not what is looked for.
    return null;
  }
}

/** The files of that name on PATH that survive updates. */
function lastingPrograms(machine: Machine, name: string): string[] {
  const { join } = pathsOf(machine);
  return programFolders(machine)
    .map((folder) => join(folder, name))
    .filter((path) => !isVersioned(path) && !isCached(path) && existsSync(path));
}

/** The path of this Node by which it can be started after it was updated, as with Homebrew's `bin/node`. */
function lastingNode(machine: Machine, node: string): string {
  if (!isVersioned(node)) return node;
  const real = realPath(node);
  const name = machine.platform === 'win32' ? 'node.exe' : 'node';
  return lastingPrograms(machine, name).find((path) => realPath(path) === real) ?? node;
}

/** Whether a small script on PATH starts our main file, as the shims of pnpm and Volta do. */
function startsOurs(shim: string, script: string): boolean {
  if (realPath(shim) === realPath(script)) return true;
  if (!statSync(shim).isFile() || statSync(shim).size > maxShimBytes) return false;
  const [, tail = script] = script.split(/[\\/]node_modules[\\/](?=[^\\/]*[\\/]dist[\\/]main\.js$)/);
  return readFileSync(shim, 'utf8').replaceAll('\\', '/').includes(tail.replaceAll('\\', '/'));
}

/** Finds the command that starts this program for years. @param script absolute path of dist/main.js */
export function describeInstallation(script: string, node: string, machine: Machine): ProgramLocation {
  const program = { command: lastingNode(machine, node), args: [script] };
  if (!existsSync(script)) return { kind: 'unbuilt', program };
  if (isCached(script)) return { kind: 'temporary', program };
  if (!isVersioned(script)) return { kind: isVersioned(program.command) ? 'versioned' : 'stable', program };
  // Windows starts no .cmd file without a shell, so hosts there are given Node and the script.
  const shim =
    machine.platform === 'win32'
      ? undefined
      : lastingPrograms(machine, 'commonplace').find((path) => startsOurs(path, script));
  return shim === undefined ? { kind: 'versioned', program } : { kind: 'stable', program: { command: shim, args: [] } };
}

/** This program's installation, also when it runs from its sources. */
export function thisInstallation(machine: Machine): ProgramLocation {
  return describeInstallation(
    fileURLToPath(new URL('../../../dist/main.js', import.meta.url)),
    process.execPath,
    machine,
  );
}

interface Manifest {
  name: string;
  version: string;
  commonplace?: { published?: boolean };
}

/** How package.json describes the installation. */
export interface Publication {
  version: string;
  /** The package's name on npm; null while it is not there, because somebody else could take the name. */
  published: string | null;
}

/** Reads `commonplace.published` of package.json. This is the only place that does. */
export function readPublication(): Publication {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as Manifest;
  return { version: manifest.version, published: manifest.commonplace?.published === true ? manifest.name : null };
}

/** How to install the program so that it stays where it is. */
export function installInstructions({ published }: Publication): string {
  if (published !== null) return `npm install --global ${published}`;
  return [
    'It is not on npm yet. Install the packed file of a release: npm install --global ./<the file that ends in .tgz>',
    'Or use a checkout of the project: npm ci && npm run build, then node dist/main.js setup',
  ].join('\n');
}
