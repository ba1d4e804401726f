/*
 * Makes everything that a release consists of, from one version, in `release/`:
 *   npm run release                          all of it
 *   npm run release -- --only package        the npm package alone
 *   npm run release -- --only program        the program with its packages for this machine, in the folder of --into
 *   npm run release -- --repository me/name  with other addresses than package.json has
 * `npm run build` runs before.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packExtension } from '@anthropic-ai/mcpb';
import { factsOf, manifest, root, type Facts } from './facts.ts';
import { writeHostFolder } from './hosts.ts';
import { maxBundleMegabytes } from './installed-parts.ts';
import { writeBundleFolder } from './mcpb.ts';
import { copyNativePackages, thisPlatform } from './native-packages.ts';
import { writePackageFolder } from './program-folder.ts';
import { serverJson } from './server-json.ts';

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    into: { type: 'string', default: join(root, 'release') },
    only: { type: 'string' },
  },
});
const into = resolve(values.into);
const facts = factsOf(values.repository ?? manifest.commonplace.repository);

if (values.only === undefined) rmSync(into, { recursive: true, force: true });
mkdirSync(into, { recursive: true });
const made = values.only === 'package' ? [packPackage()] : values.only === 'program' ? writeProgram() : await makeAll();
for (const file of made) {
  process.stdout.write(`${(statSync(file).size / 1_000_000).toFixed(1).padStart(6)} MB  ${file}\n`);
}

async function makeAll(): Promise<string[]> {
  const packed = packPackage();
  const bundle = await packBundle(facts);
  const server = join(into, 'server.json');
  const sha256 = createHash('sha256').update(readFileSync(bundle)).digest('hex');
  writeFileSync(server, `${JSON.stringify(serverJson(facts, { file: bundleName(), sha256 }), null, 2)}\n`);
  writeHostFolder(join(into, 'hosts'), facts);
  const megabytes = statSync(bundle).size / 1_000_000;
  if (megabytes > maxBundleMegabytes) throw new Error(`the bundle may weigh ${maxBundleMegabytes} MB`);
  return [packed, bundle, server];
}

function packPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-package-'));
  try {
    writePackageFolder(folder, facts);
    const isWindows = process.platform === 'win32';
    const packed = execFileSync(isWindows ? 'npm.cmd' : 'npm', ['pack', '--silent', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
      shell: isWindows,
    }).trim();
    const target = join(into, packed);
    writeFileSync(target, readFileSync(join(folder, packed)));
    return target;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The program with its packages for this machine alone, in the folder itself: what the container image holds. */
function writeProgram(): string[] {
  writePackageFolder(into, facts);
  copyNativePackages(into, [thisPlatform()]);
  return [];
}

function bundleName(): string {
  return `commonplace-${facts.version}.mcpb`;
}

/** Packs the bundle with the format's own program, which checks the manifest first. */
async function packBundle(of: Facts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-bundle-'));
  try {
    writeBundleFolder(folder, of);
    const target = join(into, bundleName());
    const isPacked = await packExtension({ extensionPath: folder, outputPath: target, silent: true });
    if (!isPacked) throw new Error('the bundle was not packed: its manifest is not valid');
    return target;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
