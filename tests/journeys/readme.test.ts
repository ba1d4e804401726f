import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pasteBlock } from '../../src/cli/connect.ts';
import { withFreshTables } from '../../scripts/readme.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const example = { command: '/path/to/node', args: ['/path/to/commonplace/dist/main.js', 'stdio'] };

test('the tables of tools, commands and settings are current (npm run readme)', () => {
  expect(withFreshTables(readme)).toBe(readme);
});

test.each(['claude-desktop', 'claude-code', 'cursor', 'vscode'] as const)(
  'the block for %s is what `connect` prints',
  (host) => {
    expect(readme).toContain(pasteBlock(host, example));
  },
);

test('mcp.json.example is that block', () => {
  const file = readFileSync(new URL('../../mcp.json.example', import.meta.url), 'utf8');
  expect(JSON.parse(file)).toEqual(JSON.parse(pasteBlock('cursor', example)));
});
