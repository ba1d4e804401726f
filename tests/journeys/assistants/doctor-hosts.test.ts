import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBuiltIn } from '../../support/command.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'commonplace-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const commonplace = (...args: string[]) =>
  runBuiltIn({ HOME: home, PATH: '', XDG_CONFIG_HOME: undefined }, ...args, '--embedder', 'none');

function put(path: string, text: string): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}
const entry = (value: object) => JSON.stringify({ mcpServers: { commonplace: value } });

/** A server of another version, and one that ends at once. */
const oldServer = `
process.stdin.setEncoding('utf8').on('data', (text) => {
  for (const line of text.trim().split('\\n')) {
    const { id, method } = JSON.parse(line);
    const result = method === 'initialize'
      ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'commonplace', version: '0.0.1' } }
      : { tools: [{ name: 'search', inputSchema: { type: 'object' } }] };
    if (id !== undefined) console.log('not JSON\\n' + JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
});`;
const endingServer = `console.error('no such library'); process.exit(3);`;

test('doctor reports what each assistant sees and how to repair it', async () => {
  put('.cursor/mcp.json', '{}');
  expect((await commonplace('setup', '--yes', '--host', 'cursor')).code).toBe(0);
  mkdirSync(join(home, '.codex'));
  put('.codeium/windsurf/mcp_config.json', entry({ command: join(home, 'gone/node'), args: [] }));
  put('.gemini/settings.json', entry({ command: process.execPath, args: [put('old/main.js', oldServer), 'stdio'] }));
  put('.lmstudio/mcp.json', entry({ command: process.execPath, args: [put('ending/main.js', endingServer)] }));
  put('.cline/data/settings/cline_mcp_settings.json', entry({ note: 'nothing to start' }));
  put('.config/zed/settings.json', '{ "context_servers": ');
  put(
    '.config/opencode/opencode.jsonc',
    '{ "mcp": { "commonplace": { "type": "remote", "url": "https://x.example/mcp" } } } // mine',
  );

  const outcome = await commonplace('doctor', '--json');
  expect(outcome.code).toBe(1);
  const { checks } = JSON.parse(outcome.stdout) as {
    checks: { name: string; state: string; detail: string; fix?: string }[];
  };
  const said = (name: string) => checks.find((check) => check.name === name);
  expect(said('Cursor')).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^sees \d+ tools after [\d.]+ s from .*main\.js stdio .*mcp\.json\)\.$/) as string,
  });
  expect(said('Codex')).toMatchObject({ state: 'optional', fix: 'commonplace setup --host codex' });
  expect(said('Windsurf')).toMatchObject({
    state: 'error',
    detail: expect.stringContaining(`names ${join(home, 'gone/node')}, which is not there`) as string,
    fix: 'commonplace setup --host windsurf',
  });
  expect(said('Gemini CLI')).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('That is version 0.0.1; this is ') as string,
  });
  expect(said('LM Studio')).toMatchObject({
    state: 'error',
    detail: expect.stringContaining('exit code 3. It said: no such library') as string,
  });
  expect(said('Cline')).toMatchObject({ state: 'error', fix: 'commonplace setup --host cline' });
  expect(said('Zed')).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('not valid: line 1') as string,
  });
  expect(said('opencode')).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('token that it keeps') as string,
  });
  expect(said('Goose')).toBeUndefined();

  const mended = await commonplace('setup', '--yes', '--host', 'windsurf,gemini,cline');
  expect(mended.code, mended.stderr).toBe(0);
  const after = JSON.parse((await commonplace('doctor', '--json')).stdout) as object;
  expect(JSON.stringify(after)).not.toContain('0.0.1');
  expect(JSON.parse(readFileSync(join(home, '.cline/data/settings/cline_mcp_settings.json'), 'utf8'))).toMatchObject({
    mcpServers: { commonplace: { note: 'nothing to start', command: process.execPath } },
  });
});

test('a disabled entry is reported, and setup enables it', async () => {
  mkdirSync(join(home, '.config/opencode'), { recursive: true });
  expect((await commonplace('setup', '--yes')).code).toBe(0);
  const path = join(home, '.config/opencode/opencode.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"enabled": true', '"enabled": false'));
  expect((await commonplace('doctor')).stdout).toMatch(
    /! opencode: would see \d+ tools .* the server is switched off there/,
  );
  await commonplace('setup', '--yes');
  expect((await commonplace('doctor')).stdout).toMatch(/✓ opencode: sees \d+ tools/);
});
