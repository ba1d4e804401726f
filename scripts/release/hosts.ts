import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleEnvironment, manifest, root, title, type Facts } from './facts.ts';

/* What assistants install by themselves: a Claude Code plugin with its marketplace, a Gemini CLI extension, install links. */

/** How a host starts the published package. */
export function startCommand(facts: Facts) {
  return { command: 'npx', args: ['-y', `${manifest.name}@${facts.version}`, 'stdio'], env: { ...bundleEnvironment } };
}

/** All files of the folder, by path. */
export function hostFiles(facts: Facts): Map<string, unknown> {
  const { version, homepage } = facts;
  const { description, license, keywords } = manifest;
  const author = { name: `The ${title} authors`, url: homepage };
  const servers = { commonplace: startCommand(facts) };
  return new Map<string, unknown>([
    [
      '.claude-plugin/marketplace.json',
      {
        name: 'commonplace',
        owner: author,
        metadata: { description, version },
        plugins: [{ name: 'commonplace', source: './commonplace', description, version, category: 'productivity' }],
      },
    ],
    [
      'commonplace/.claude-plugin/plugin.json',
      { name: 'commonplace', version, description, author, homepage, repository: homepage, license, keywords },
    ],
    ['commonplace/.mcp.json', { mcpServers: servers }],
    [
      'gemini-extension.json',
      { name: 'commonplace', version, description, mcpServers: servers, contextFileName: 'GEMINI.md' },
    ],
    ['install-links.md', installLinksPage(facts)],
  ]);
}

export function writeHostFolder(folder: string, facts: Facts): void {
  for (const [path, content] of hostFiles(facts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(join(folder, path), text);
  }
  cpSync(join(root, 'scripts', 'release', 'icon.png'), join(folder, 'commonplace', '.claude-plugin', 'icon.png'));
  const skills = join(root, 'scripts', 'release', 'skills');
  cpSync(skills, join(folder, 'commonplace', 'skills'), { recursive: true });
  // Gemini CLI reads one file with every conversation: the same guidance.
  cpSync(join(skills, 'commonplace', 'SKILL.md'), join(folder, 'GEMINI.md'));
}

/** Links that open Cursor and VS Code with the server filled in. */
export function installLinks(facts: Facts): { cursor: string; vscode: string } {
  const start = startCommand(facts);
  const cursor = new URLSearchParams({
    name: 'commonplace',
    config: Buffer.from(JSON.stringify(start)).toString('base64'),
  });
  const vscode = new URLSearchParams({ name: 'commonplace', config: JSON.stringify({ type: 'stdio', ...start }) });
  return {
    cursor: `https://cursor.com/en/install-mcp?${cursor.toString()}`,
    vscode: `https://vscode.dev/redirect/mcp/install?${vscode.toString()}`,
  };
}

function installLinksPage(facts: Facts): string {
  const { cursor, vscode } = installLinks(facts);
  return `# ${title} ${facts.version}\n\n- [Add to Cursor](${cursor})\n- [Add to VS Code](${vscode})\n`;
}
