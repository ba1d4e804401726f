import { readFileSync } from 'node:fs';

interface Manifest {
  name: string;
  version: string;
  commonplace?: { published?: boolean };
}

/** What package.json says of how people get this program. */
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
