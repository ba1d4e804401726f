import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { editConfig, readConfig } from '../../../src/cli/setup/config-files/config-edit.ts';
import { ConfigSyntaxError, UneditableConfigError } from '../../../src/cli/setup/config-files/config-entry.ts';
import { type Entry, hostById, hosts, ownKeys } from '../../../src/cli/setup/hosts.ts';
import { runs } from '../../support/vitest/thorough.ts';
import { forAll } from '../../support/for-all.ts';

const server = { command: '/usr/bin/node', args: ['/opt/commonplace/dist/main.js', 'stdio'] };

function edit(id: string, text: string, entry: 'local' | 'removed' | Entry = 'local'): string {
  const host = hostById(id);
  return editConfig(host.format, text, {
    path: [host.serversKey, 'commonplace'],
    entry: entry === 'local' ? host.local(server) : entry === 'removed' ? undefined : entry,
    ownKeys: ownKeys(host),
  });
}

const zedSettings = `// Zed settings
//
// For information on how to configure Zed, see the Zed documentation.
{
  "telemetry": { "metrics": false, }, // no thanks
  "theme": {
    "mode": "system",
    "light": "One Light",
  },
  /* servers */
  "context_servers": {
    "other": {
      "command": "uvx", // keep
      "args": ["mcp-server-git"],
    },
  },
  "vim_mode": true,
}
`;

const codexConfig = `# Codex
model = "gpt-5.5"   # which model
approval_policy = "on-request"
notify = [
  "python3", # [not a table]
  "/home/ann/notify.py",
]
instructions = """
[mcp_servers.commonplace]
is only text here
"""

[mcp_servers.other]
command = "npx"
args = ["-y", "other"] # keep me
env = { "A" = "b" }

[projects."/home/ann/work"]
trust_level = "trusted"
# the end
`;

const gooseConfig = `# Goose
GOOSE_PROVIDER: anthropic
GOOSE_MODEL: "claude-sonnet"   # quoted
extensions:
  # built in
  developer:
    enabled: true
    type: builtin
    name: developer
    timeout: 300

  fetch:
    enabled: false
    type: stdio
    cmd: uvx
    args:
    - mcp-server-fetch
    envs: {}

# written by hand
slash_commands: []
`;

describe('JSON with comments', () => {
  it('gains an entry, and no other line changes', () => {
    expect(edit('zed', zedSettings)).toMatchInlineSnapshot(`
      "// Zed settings
      //
      // For information on how to configure Zed, see the Zed documentation.
      {
        "telemetry": { "metrics": false, }, // no thanks
        "theme": {
          "mode": "system",
          "light": "One Light",
        },
        /* servers */
        "context_servers": {
          "other": {
            "command": "uvx", // keep
            "args": ["mcp-server-git"],
          },
          "commonplace": {
            "command": "/usr/bin/node",
            "args": [
              "/opt/commonplace/dist/main.js",
              "stdio"
            ]
          },
        },
        "vim_mode": true,
      }
      "
    `);
  });

  it('is restored exactly when the entry is removed', () => {
    expect(edit('zed', edit('zed', zedSettings), 'removed')).toBe(zedSettings);
  });

  it.each([
    // A comment stays behind what it is about.
    [
      '{\n  "mcpServers": {\n    "a": { "command": "x" } // mine\n    // the end\n  }\n}\n',
      '{\n  "mcpServers": {\n    "a": { "command": "x" }, // mine\n    "commonplace": {',
    ],
    ['{"mcpServers": {"a": {}}}', '{"mcpServers": {"a": {}, "commonplace": {"command":'],
    ['{"mcpServers": {"a": {},}}', '{"mcpServers": {"a": {}, "commonplace": {"command":'],
    ['{\n\t"mcpServers": {}\n}', '{\n\t"mcpServers": {\n\t\t"commonplace": {\n\t\t\t"command":'],
    ['{\n  "mcpServers": {\n    // none yet\n  }\n}', '{\n  "mcpServers": {\n    "commonplace": {\n      "command":'],
    ['{ } // empty', '{\n  "mcpServers": {\n    "commonplace": {\n      "command":'],
    ['{\n  "a": 1 /* one */\n}', '{\n  "a": 1, /* one */\n  "mcpServers": {\n    "commonplace": {'],
  ])('%j becomes %j', (text, beginning) => {
    const edited = edit('cursor', text);
    expect(edited.slice(0, beginning.length)).toBe(beginning);
    expect(readConfig('jsonc', edit('cursor', edited, 'removed'))['mcpServers']).toEqual(
      readConfig('jsonc', text)['mcpServers'] ?? {},
    );
  });

  it('loses an entry at the start, in the middle, or on a line with another', () => {
    expect(edit('cursor', '{"mcpServers": {"commonplace": {}, "a": {}}}', 'removed')).toBe(
      '{"mcpServers": { "a": {}}}',
    );
    expect(
      edit('cursor', '{"mcpServers": {\n  "a": {},\n  "commonplace": {\n  }, // ours\n  "b": {}\n}}', 'removed'),
    ).toBe('{"mcpServers": {\n  "a": {},\n // ours\n  "b": {}\n}}');
    expect(edit('cursor', '{"mcpServers": {\n  "a": {}, // mine\n  "commonplace": {}\n}}', 'removed')).toBe(
      '{"mcpServers": {\n  "a": {} // mine\n}}',
    );
  });

  it("keeps the user's additions to the entry and drops the fields of the other kind of server", () => {
    const text = JSON.stringify(
      { mcpServers: { commonplace: { url: 'https://old.example', headers: { A: 'b' }, autoApprove: ['search'] } } },
      null,
      '\t',
    );
    expect(edit('cline', text)).toMatchInlineSnapshot(`
      "{
      	"mcpServers": {
      		"commonplace": {
      			"autoApprove": [
      				"search"
      			],
      			"command": "/usr/bin/node",
      			"args": [
      				"/opt/commonplace/dist/main.js",
      				"stdio"
      			],
      			"disabled": false
      		}
      	}
      }"
    `);
  });

  it('keeps tabs, line endings and a byte order mark', () => {
    const text = '\ufeff{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n';
    const edited = edit('cursor', text);
    expect(edited.startsWith('\ufeff{\r\n\t"mcpServers": {\r\n\t\t"a": {')).toBe(true);
    expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
    expect(edited).toContain('\r\n\t\t"commonplace": {\r\n\t\t\t"command": "/usr/bin/node",');
    expect(edit('cursor', edited)).toBe(edited);
  });

  it('is refused with the line number when it is invalid, or when its host allows no comments', () => {
    expect(() => edit('zed', zedSettings.replace('"theme": {', '"theme": '))).toThrow(ConfigSyntaxError);
    expect(() => edit('cursor', '{\n  "mcpServers": {\n    "a": }\n}')).toThrow(
      expect.objectContaining({ line: 3 }) as Error,
    );
    expect(() => edit('claude-desktop', '{\n  // servers\n  "mcpServers": {}\n}')).toThrow(
      expect.objectContaining({ line: 2 }) as Error,
    );
    expect(() => edit('cursor', '[]')).toThrow(ConfigSyntaxError);
    expect(() => edit('cursor', '{"mcpServers": []}')).toThrow(UneditableConfigError);
  });

  it('keeps numbers and escapes as they are written', () => {
    const text = '{ "big": 12345678901234567890, "e": 1e3, "s": "\\u00e9\\/" }';
    expect(edit('claude-code', text).startsWith(text.slice(0, -2))).toBe(true);
  });
});

describe('TOML', () => {
  it('gains a table at the end', () => {
    const edited = edit('codex', codexConfig);
    expect(edited.startsWith(codexConfig)).toBe(true);
    expect(edited.slice(codexConfig.length)).toMatchInlineSnapshot(`
      "
      [mcp_servers.commonplace]
      command = "/usr/bin/node"
      args = [ "/opt/commonplace/dist/main.js", "stdio" ]
      "
    `);
    expect(edit('codex', edited, 'removed')).toBe(codexConfig);
  });

  it("has its table replaced in place, with the user's additions", () => {
    const table = `[ mcp_servers . "commonplace" ]
command = 'old'
args = [
  "a", # one
]
startup_timeout_sec = 20

[mcp_servers.commonplace.env]
KEY = "value"

# about projects
`;
    const text = codexConfig.replace('[projects.', `${table}[projects.`);
    const edited = edit('codex', text);
    expect(edited.slice(0, edited.indexOf('[mcp_servers.other]'))).toBe(
      text.slice(0, text.indexOf('[mcp_servers.other]')),
    );
    expect(edited.slice(edited.indexOf('[mcp_servers.other]'))).toMatchInlineSnapshot(`
      "[mcp_servers.other]
      command = "npx"
      args = ["-y", "other"] # keep me
      env = { "A" = "b" }

      [mcp_servers.commonplace]
      command = "/usr/bin/node"
      args = [ "/opt/commonplace/dist/main.js", "stdio" ]
      startup_timeout_sec = 20

      [mcp_servers.commonplace.env]
      KEY = "value"

      # about projects
      [projects."/home/ann/work"]
      trust_level = "trusted"
      # the end
      "
    `);
    expect(edit('codex', edited)).toBe(edited);
    expect(edit('codex', text, 'removed')).toBe(codexConfig.replace('[projects.', '# about projects\n[projects.'));
  });

  it('keeps its line endings and a missing final one', () => {
    const text = codexConfig.replaceAll('\n', '\r\n').trimEnd();
    const edited = edit('codex', text);
    expect(edited.startsWith(text)).toBe(true);
    expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each([
    ['mcp_servers = { commonplace = { command = "x" } }\n', UneditableConfigError],
    ['mcp_servers.commonplace.command = "x"\n', UneditableConfigError],
    ['mcp_servers = { other = { command = "x" } }\n', UneditableConfigError],
    ['model = "unclosed\n', ConfigSyntaxError],
  ])('%j is refused and not changed', (text, error) => {
    expect(() => edit('codex', text)).toThrow(error);
  });
});

describe('YAML', () => {
  it('gains an entry after the others', () => {
    expect(edit('goose', gooseConfig)).toMatchInlineSnapshot(`
      "# Goose
      GOOSE_PROVIDER: anthropic
      GOOSE_MODEL: "claude-sonnet"   # quoted
      extensions:
        # built in
        developer:
          enabled: true
          type: builtin
          name: developer
          timeout: 300

        fetch:
          enabled: false
          type: stdio
          cmd: uvx
          args:
          - mcp-server-fetch
          envs: {}
        commonplace:
          enabled: true
          name: commonplace
          description: "What I saved: pages, papers, videos and notes"
          timeout: 300
          type: stdio
          cmd: /usr/bin/node
          args:
            - /opt/commonplace/dist/main.js
            - stdio
          envs: {}

      # written by hand
      slash_commands: []
      "
    `);
    expect(edit('goose', edit('goose', gooseConfig), 'removed')).toBe(gooseConfig);
  });

  it("has its entry replaced in place, with the user's additions", () => {
    const text = gooseConfig.replace(
      '  fetch:',
      '  commonplace:\n    type: stdio\n    cmd: old # gone\n    available_tools: [search]\n\n  # fetching\n  fetch:',
    );
    const edited = edit('goose', text);
    expect(edited).toContain('    available_tools:\n      - search\n\n  # fetching\n  fetch:');
    expect(edited).toContain('    cmd: /usr/bin/node\n');
    expect(edited.slice(edited.indexOf('  # fetching'))).toBe(text.slice(text.indexOf('  # fetching')));
    expect(edit('goose', edited)).toBe(edited);
  });

  it.each([
    ['', 'extensions:\n  commonplace:\n'],
    ['extensions:\n', 'extensions:\n  commonplace:\n'],
    ['extensions: {} # none\nGOOSE_MODE: auto\n', 'extensions:\n  commonplace:\n'],
    ['GOOSE_MODE: auto', 'GOOSE_MODE: auto\nextensions:\n  commonplace:\n'],
  ])('%j gains its first entry', (text, beginning) => {
    const edited = edit('goose', text);
    expect(edited.startsWith(beginning)).toBe(true);
    expect(readConfig('yaml', edit('goose', edited, 'removed'))).toMatchObject(
      text.includes('MODE') ? { GOOSE_MODE: 'auto', extensions: {} } : { extensions: {} },
    );
  });

  it.each([
    ['extensions: { other: { enabled: true } }\n', UneditableConfigError],
    ['extensions:\n  - a\n', UneditableConfigError],
    ['a: [\n', ConfigSyntaxError],
    ['- a\n', ConfigSyntaxError],
  ])('%j is refused and not changed', (text, error) => {
    expect(() => edit('goose', text)).toThrow(error);
  });

  it('keeps its line endings', () => {
    const text = gooseConfig.replaceAll('\n', '\r\n');
    const edited = edit('goose', text);
    expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
    expect(edit('goose', edited, 'removed')).toBe(text);
  });
});

describe('every host', () => {
  test.each(hosts)(
    '$id: an empty file gains an entry; a second run changes nothing; removal leaves no server',
    ({ id }) => {
      const once = edit(id, '');
      expect(edit(id, once)).toBe(once);
      const host = hostById(id);
      expect(readConfig(host.format, once)).toEqual({ [host.serversKey]: { commonplace: host.local(server) } });
      const removed = readConfig(host.format, edit(id, once, 'removed'));
      expect(removed[host.serversKey] ?? {}).toEqual({});
    },
  );

  it('keeps everything else in any JSON, in any indentation, with or without trailing commas', () => {
    forAll(
      runs(300),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.record({ command: fc.string(), env: fc.dictionary(fc.string(), fc.string()) })),
      fc.constantFrom('', ' ', '    ', '\t'),
      fc.boolean(),
      (around, servers, indent, hasComma) => {
        const { commonplace: _, ...others } = servers;
        let text = JSON.stringify({ ...around, mcpServers: others }, null, indent);
        if (hasComma)
          text = text.replace(/\s*\}\s*\}$/, (end) => (/[{]\s*$/.test(text.slice(0, -end.length)) ? end : `,${end}`));
        const edited = edit('cursor', text);
        expect(edit('cursor', edited)).toBe(edited);
        expect(readConfig('jsonc', edited)).toEqual({
          ...readConfig('jsonc', text),
          mcpServers: { ...others, commonplace: hostById('cursor').local(server) },
        });
        expect(readConfig('jsonc', edit('cursor', edited, 'removed'))).toEqual(readConfig('jsonc', text));
      },
    );
  });
});
