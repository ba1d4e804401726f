import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, root, type Facts } from './facts.ts';

/**
 * The manifest of the published package. `npm pack` in the repository gives one that installs the same: what the build
 * contains are development dependencies.
 */
export function publishedManifest(facts: Facts): Record<string, unknown> {
  const { scripts, devDependencies: _dev, allowScripts: _allowed, ...kept } = manifest;
  return {
    ...kept,
    scripts: { preinstall: scripts.preinstall },
    homepage: `${facts.homepage}#readme`,
    bugs: { url: facts.bugs },
    repository: { type: 'git', url: `git+${facts.homepage}.git` },
    mcpName: facts.mcpName,
    publishConfig: { access: 'public', provenance: true },
    commonplace: { ...manifest.commonplace, repository: facts.repository },
  };
}

/** Writes the folder that is packed for npm. `npm run build` must have been run before. */
export function writePackageFolder(folder: string, facts: Facts): void {
  mkdirSync(folder, { recursive: true });
  for (const name of [...manifest.files, 'LICENSE', 'README.md']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(facts), null, 2)}\n`);
}
