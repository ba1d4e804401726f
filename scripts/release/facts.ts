import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prompts } from '../../src/mcp/prompts.ts';
import { operations } from '../../src/operations/index.ts';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Manifest {
  name: string;
  version: string;
  description: string;
  keywords: string[];
  license: string;
  bin: Record<string, string>;
  files: string[];
  type: string;
  engines: { node: string };
  scripts: { preinstall: string };
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, unknown>;
  commonplace: {
    /** Whether the npm package may be named by documentation and `connect`. Set by hand with the first release. */
    published: boolean;
    /** `owner/name` on GitHub. Every address in the released files is made from it. */
    repository: string;
  };
}

export const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Manifest;

export const title = 'Commonplace';

/** What every released file says about the project. */
export interface Facts {
  version: string;
  /** `owner/name` on GitHub. */
  repository: string;
  homepage: string;
  bugs: string;
  /** Where the files of this release are downloaded. */
  downloads: string;
  /** Name in the MCP registry. The registry compares it with the package's `mcpName`. */
  mcpName: string;
}

export function factsOf(repository: string, version: string = manifest.version): Facts {
  const homepage = `https://github.com/${repository}`;
  const [owner = '', name = ''] = repository.split('/');
  return {
    version,
    repository,
    homepage,
    bugs: `${homepage}/issues`,
    downloads: `${homepage}/releases/download/v${version}`,
    mcpName: `io.github.${owner}/${name}`,
  };
}

/** What desktop bundles pass to the program: the assistant may write summaries itself. */
export const bundleEnvironment = { COMMONPLACE_ANALYSE_TOOLS: 'true' };

/** The tools that a server with `bundleEnvironment` shows. */
export const bundleTools = operations
  .filter(({ set }) => set === 'core' || set === 'analyse')
  .map(({ name, description }) => ({ name, description }));

export const bundlePrompts = prompts.map(({ name, description, arguments: given }) => ({
  name,
  description,
  arguments: Object.keys(given),
}));
