import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedPackages } from '../packages.ts';
import { manifest, root, type Facts } from './facts.ts';

/** The manifest of the published package: it names what an installation fetches, and nothing that the build contains. */
export function publishedManifest(facts: Facts): Record<string, unknown> {
  const { name, version, description, keywords, license, bin, files, type, engines } = manifest;
  const { peerDependencies, peerDependenciesMeta, commonplace } = manifest;
  return {
    name,
    version,
    description,
    keywords,
    license,
    homepage: `${facts.homepage}#readme`,
    bugs: { url: facts.bugs },
    repository: { type: 'git', url: `git+${facts.homepage}.git` },
    mcpName: facts.mcpName,
    bin,
    files: [...files, 'THIRD_PARTY_LICENSES'],
    type,
    dependencies: Object.fromEntries(installedPackages.map((dependency) => [dependency, pinned(dependency)])),
    peerDependencies,
    peerDependenciesMeta,
    engines,
    publishConfig: { access: 'public', provenance: true },
    commonplace: { ...commonplace, repository: facts.repository },
  };
}

function pinned(name: string): string {
  const version = manifest.dependencies[name];
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${name} has no exact version`);
  return version;
}

/** Writes the folder that is packed for npm. `npm run build` must have been run before. */
export function writePackageFolder(folder: string, facts: Facts): void {
  mkdirSync(folder, { recursive: true });
  for (const name of [...manifest.files, 'LICENSE', 'README.md']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  renameSync(join(folder, 'dist', 'THIRD_PARTY_LICENSES'), join(folder, 'THIRD_PARTY_LICENSES'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(facts), null, 2)}\n`);
}
