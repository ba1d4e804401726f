import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { localBlock, remoteBlock } from '../../../src/cli/setup/local-server.ts';
import { configPath, hostById, hosts, isInstalled, type ConfigFormat } from '../../../src/cli/setup/hosts.ts';
import type { Machine } from '../../../src/cli/setup/machine.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'commonplace-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const machine = (environment: Record<string, string> = {}): Machine => ({ platform: 'linux', home, environment });
const put = (path: string, text = '{}') => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const server = { command: '/opt/node/bin/node', args: ['/opt/my library/dist/main.js', 'stdio', '--data', 'C:\\x'] };
const remote = { url: 'https://library.example.com/mcp', token: null };

describe('where a host keeps its servers', () => {
  it('follows the environment variables that move it', () => {
    const moved = machine({
      CLAUDE_CONFIG_DIR: '/moved/claude',
      CODEX_HOME: '/moved/codex',
      GEMINI_CLI_HOME: '/moved/gemini',
      XDG_CONFIG_HOME: '/moved/config',
    });
    expect(
      ['claude-code', 'codex', 'gemini', 'opencode', 'zed', 'goose', 'vscode'].map((id) =>
        configPath(hostById(id), moved),
      ),
    ).toEqual([
      '/moved/claude/.claude.json',
      '/moved/codex/config.toml',
      '/moved/gemini/.gemini/settings.json',
      '/moved/config/opencode/opencode.json',
      '/moved/config/zed/settings.json',
      '/moved/config/goose/config.yaml',
      '/moved/config/Code/User/mcp.json',
    ]);
    expect(configPath(hostById('zed'), machine({ XDG_CONFIG_HOME: 'relative' }))).toBe(
      join(home, '.config/zed/settings.json'),
    );
  });

  it('is the existing file, else the one whose folder exists, else the preferred one', () => {
    const opencode = hostById('opencode');
    expect(configPath(opencode, machine())).toBe(join(home, '.config/opencode/opencode.json'));
    put(join(home, '.config/opencode/opencode.jsonc'));
    expect(configPath(opencode, machine())).toBe(join(home, '.config/opencode/opencode.jsonc'));
    mkdirSync(join(home, '.cache/lm-studio'), { recursive: true });
    expect(configPath(hostById('lm-studio'), machine())).toBe(join(home, '.cache/lm-studio/mcp.json'));
  });

  it("is the package's own folder for Claude Desktop installed as a Windows package", () => {
    const windows: Machine = {
      platform: 'win32',
      home: 'C:\\Users\\ann',
      environment: { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' },
    };
    expect(hostById('claude-desktop').files(windows)).toEqual([
      'C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ]);
    expect(hostById('goose').files(windows)).toEqual([
      'C:\\Users\\ann\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
    ]);
  });
});

describe('an installed host', () => {
  it('is recognised by its folder, its file or its program', () => {
    const found = (on: Machine) => hosts.filter((host) => isInstalled(host, on)).map(({ id }) => id);
    expect(found(machine())).toEqual([]);
    mkdirSync(join(home, '.cursor'));
    put(join(home, '.claude.json'));
    put(join(home, 'bin/codex'));
    expect(found(machine({ PATH: join(home, 'bin') }))).toEqual(['claude-code', 'cursor', 'codex']);
  });
});

describe('the block of a host', () => {
  const readers: Record<ConfigFormat, (text: string) => unknown> = {
    json: (text) => JSON.parse(text) as unknown,
    jsonc: (text) => JSON.parse(text) as unknown,
    toml: (text) => parseToml(text),
    yaml: (text) => parseYaml(text) as unknown,
  };
  test.each(hosts.filter(({ id }) => id !== 'claude-code'))(
    '$id reads its block back with every character of the command',
    (host) => {
      expect(readers[host.format](localBlock(host, server))).toEqual({
        [host.serversKey]: { commonplace: host.local(server) },
      });
    },
  );

  it('is a quoted command line for Claude Code', () => {
    expect(localBlock(hostById('claude-code'), server)).toBe(
      String.raw`claude mcp add --scope user commonplace -- /opt/node/bin/node '/opt/my library/dist/main.js' stdio --data 'C:\x'`,
    );
  });

  it('puts the header last for Claude Code and a remote server, because that option takes all following values', () => {
    expect(remoteBlock(hostById('claude-code'), remote)).toBe(
      'claude mcp add --transport http --scope user commonplace https://library.example.com/mcp --header "Authorization: Bearer $COMMONPLACE_TOKEN"',
    );
    expect(remoteBlock(hostById('claude-code'), { ...remote, token: 'cpl_x' })).toMatch(
      /--header 'Authorization: Bearer cpl_x'$/,
    );
  });

  it('describes a remote server in the formats that are not JSON', () => {
    expect(remoteBlock(hostById('codex'), remote)).toMatchInlineSnapshot(`
      "[mcp_servers.commonplace]
      url = "https://library.example.com/mcp"
      bearer_token_env_var = "COMMONPLACE_TOKEN""
    `);
    expect(remoteBlock(hostById('codex'), { ...remote, token: 'cpl_x' })).toMatchInlineSnapshot(`
      "[mcp_servers.commonplace]
      url = "https://library.example.com/mcp"

      [mcp_servers.commonplace.http_headers]
      Authorization = "Bearer cpl_x""
    `);
    expect(remoteBlock(hostById('goose'), remote)).toMatchInlineSnapshot(`
      "extensions:
        commonplace:
          enabled: true
          name: commonplace
          description: "What I saved: pages, papers, videos and notes"
          timeout: 300
          type: streamable_http
          uri: https://library.example.com/mcp
          headers:
            Authorization: Bearer cpl_…"
    `);
    expect(remoteBlock(hostById('claude-desktop'), remote)).toBeNull();
    expect(JSON.parse(remoteBlock(hostById('vscode'), remote) ?? '')).toMatchObject({
      inputs: [{ id: 'commonplace-token', password: true }],
      servers: { commonplace: { headers: { Authorization: 'Bearer ${input:commonplace-token}' } } },
    });
  });
});
