import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { localBlock } from '../../../src/cli/setup/local-server.ts';
import { hostById, hosts } from '../../../src/cli/setup/hosts.ts';
import { readPublication } from '../../../src/cli/setup/program-location.ts';
import { filesWithTables, withFreshTables } from '../../../scripts/readme.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const example = {
  command: '/path/to/node',
  args: ['/path/to/commonplace/dist/main.js', 'stdio', '--manage-tools', 'true', '--analyse-tools', 'true'],
};

const docs = Object.keys(filesWithTables) as (keyof typeof filesWithTables)[];
const readDoc = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

test.each(docs)('the tables of docs/%s are current (npm run readme)', async (name) => {
  expect(await withFreshTables(name, readDoc(name))).toBe(readDoc(name));
});

test.each(['claude-desktop', 'claude-code', 'cursor', 'vscode'] as const)(
  'the block for %s is the output of `connect`',
  (host) => {
    expect(readDoc('connecting.md')).toContain(localBlock(hostById(host), example));
  },
);

test('README.md is short and names no unpublished package', () => {
  expect(readme.split('\n').length).toBeLessThan(200);
  expect(readPublication().published).toBeNull();
  expect(readme).not.toMatch(/commonplace-mcp|npx -y|npm install (?:-g|--global) [a-z]/);
  const named = ['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code'];
  expect(readme).toContain(`(${named.join(', ')} and [eight more](docs/connecting.md))`);
  expect(hosts.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  expect(hosts).toHaveLength(named.length + 8);
});

test('mcp.json.example equals that block', () => {
  const file = readFileSync(new URL('../../../mcp.json.example', import.meta.url), 'utf8');
  expect(JSON.parse(file)).toEqual(JSON.parse(localBlock(hostById('cursor'), example)));
});

const hosting = readFileSync(new URL('../../../docs/hosting.md', import.meta.url), 'utf8');

test.each([
  ['README.md', readme, '../../../'],
  ['docs/hosting.md', hosting, '../../../docs/'],
  ...[...docs, 'models.md', 'remote-assistants.md', 'saving.md', 'searching.md'].map((name) => [
    `docs/${name}`,
    readDoc(name),
    '../../../docs/',
  ]),
] as [string, string, string][])('the JSON blocks in %s are valid, and its links exist', (_, text, folder) => {
  const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  for (const block of blocks) expect(() => JSON.parse(block) as unknown, block).not.toThrow();
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const [anchors, files] = [
    links.filter((link) => link.startsWith('#')),
    links.filter((link) => !/^(#|https?:)/.test(link)),
  ];
  expect(files.filter((link) => !existsSync(new URL(`${folder}${link.split('#')[0]}`, import.meta.url)))).toEqual([]);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const anchor of anchors) expect(headings).toContain(anchor.slice(1));
});

test('the settings, program paths and the port in the hosting files exist', async () => {
  const { environmentName } = await import('../../../src/settings/config.ts');
  const { settings } = await import('../../../src/settings/settings.ts');
  const known = [...Object.keys(settings.shape), 'data'].map((name) => environmentName(name));
  const files = [
    'Dockerfile',
    'deploy/commonplace.service',
    'deploy/nginx.conf',
    'deploy/Caddyfile',
    'docs/hosting.md',
  ];
  const texts = files.map((name) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
  const named = texts.flatMap((text) => text.match(/COMMONPLACE_[A-Z_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  const ports = texts.flatMap((text) => [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port)));
  expect(new Set(ports)).toEqual(new Set([settings.shape.httpPort.parse(undefined)]));
});
