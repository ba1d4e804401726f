import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyNativePackages, desktopPlatforms } from './native-packages.ts';
import { writePackageFolder } from './program-folder.ts';
import { bundleEnvironment, bundlePrompts, bundleTools, manifest, root, title, type Facts } from './facts.ts';

/** The manifest of the desktop bundle: https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
export function bundleManifest(facts: Facts) {
  const environment = {
    ...bundleEnvironment,
    COMMONPLACE_DATA: '${user_config.data_folder}',
    COMMONPLACE_CLAUDE_API_KEY: '${user_config.claude_api_key}',
    COMMONPLACE_MANAGE_TOOLS: '${user_config.manage_tools}',
  };
  return {
    manifest_version: '0.3',
    name: manifest.name,
    display_name: title,
    version: facts.version,
    description: manifest.description,
    long_description:
      'Commonplace keeps the pages, videos, PDFs and notes that you save, in one folder on your machine. Your assistant searches them and answers with the exact passage and a link that opens the source at that place. Needs Node.js 22.19 or newer.',
    author: { name: `The ${title} authors`, url: facts.homepage },
    repository: { type: 'git', url: `${facts.homepage}.git` },
    homepage: facts.homepage,
    documentation: `${facts.homepage}#readme`,
    support: facts.bugs,
    icon: 'icon.png',
    license: manifest.license,
    keywords: manifest.keywords,
    server: {
      type: 'binary',
      entry_point: 'server/launch.sh',
      mcp_config: {
        // Not the assistant's own runtime: on macOS it refuses the compiled parts of the database.
        command: '/bin/sh',
        args: ['${__dirname}/server/launch.sh'],
        env: environment,
        platform_overrides: { win32: { command: 'node', args: ['${__dirname}/server/start.mjs'] } },
      },
    },
    tools: bundleTools,
    // The setting `manage_tools` adds to them.
    tools_generated: true,
    // Their text is written from what is saved; the manifest's own schema wants one.
    prompts: bundlePrompts.map((prompt) => ({ ...prompt, text: prompt.description })),
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: manifest.engines['node'] } },
    user_config: {
      data_folder: {
        type: 'directory',
        title: 'Data folder',
        description: 'Where everything is kept. Empty: the folder for user data of your system.',
        required: false,
      },
      claude_api_key: {
        type: 'string',
        title: 'Claude API key',
        description:
          'With a key, saved items are summarised by Claude. Without one they are summarised on your machine.',
        sensitive: true,
        required: false,
      },
      manage_tools: {
        type: 'boolean',
        title: 'Let the assistant edit and delete',
        description: 'Shows the tools that change titles, tags and goals, and that delete and restore items.',
        default: false,
        required: false,
      },
    },
  };
}

/** Writes the folder that `mcpb pack` packs: one bundle for all desktop platforms. */
export function writeBundleFolder(folder: string, facts: Facts): void {
  const server = join(folder, 'server');
  writePackageFolder(server, facts);
  copyNativePackages(server, desktopPlatforms);
  for (const file of ['launch.sh', 'start.mjs'])
    cpSync(join(root, 'scripts', 'release', 'mcpb', file), join(server, file));
  cpSync(join(root, 'scripts', 'release', 'icon.png'), join(folder, 'icon.png'));
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(bundleManifest(facts), null, 2)}\n`);
}
