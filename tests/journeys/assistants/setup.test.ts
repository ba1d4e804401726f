import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceConfigFile } from '../../../src/cli/setup/config-files/config-file.ts';
import { type Outcome, runBuilt } from '../../support/command.ts';
import { builtProgram } from '../../support/mcp.ts';

// Each step starts the program, which starts the server.
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'commonplace-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Runs the built program with a home folder of its own and nothing on PATH. */
function setup(args: readonly string[], { input = '', environment = {} } = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [builtProgram, ...args],
      { env: { HOME: home, PATH: join(home, 'bin'), ...environment } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

function put(path: string, text: string, mode = 0o644): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  return whole;
}
const read = (path: string) => readFileSync(join(home, path), 'utf8');

describe('setup', () => {
  it('writes the configuration, tests it, and changes nothing the second time', async () => {
    const cursor = put(
      '.cursor/mcp.json',
      '{\n  "mcpServers": {\n    "other": { "command": "x" } // mine\n  }\n}\n',
      0o640,
    );
    mkdirSync(join(home, '.codex'));
    const first = await setup(['setup', '--yes', '--json']);
    expect(first.code, first.stderr).toBe(0);
    const { hosts, trials } = JSON.parse(first.stdout) as {
      hosts: { host: string; state: string; copy?: string }[];
      trials: { ok: boolean; tools: string[] }[];
    };
    expect(hosts.map(({ host, state }) => [host, state])).toEqual([
      ['cursor', 'written'],
      ['codex', 'written'],
    ]);
    expect(trials).toEqual([expect.objectContaining({ ok: true })]);
    expect(trials[0]?.tools).toEqual(expect.arrayContaining(['search', 'save_content', 'submit_analysis']));
    expect(read('.cursor/mcp.json')).toContain('"other": { "command": "x" }, // mine\n    "commonplace": {');
    expect(statSync(cursor).mode & 0o777).toBe(0o640);
    expect(hosts[0]?.copy).toBe(`${cursor}.commonplace-backup`);
    expect(statSync(`${cursor}.commonplace-backup`).mode & 0o777).toBe(0o640);
    expect(read('.cursor/mcp.json.commonplace-backup')).not.toContain('commonplace');
    expect(statSync(join(home, '.codex/config.toml')).mode & 0o777).toBe(0o600);

    const before = read('.cursor/mcp.json');
    const second = await setup(['setup', '--yes']);
    expect(second.code, second.stderr).toBe(0);
    expect(second.stdout).toContain('nothing to change');
    expect(second.stdout).toMatch(/It works: \d+ tools after/);
    expect(read('.cursor/mcp.json')).toBe(before);
    expect(readdirSync(join(home, '.cursor')).sort()).toEqual(['mcp.json', 'mcp.json.commonplace-backup']);

    const removed = await setup(['setup', '--remove', '--yes', '--host', 'cursor,codex']);
    expect(removed.code, removed.stderr).toBe(0);
    expect(JSON.parse(read('.cursor/mcp.json').replace(' // mine', ''))).toEqual({
      mcpServers: { other: { command: 'x' } },
    });
    expect(readdirSync(join(home, '.cursor'))).toContain('mcp.json.commonplace-backup-2');
  });

  it('prints the plan and changes nothing with --dry-run or without a terminal', async () => {
    const secret = '{"mcpServers": {\n  "other": {"env": {"KEY": "s3cret"}},\n  "last": {}\n}}\n';
    put('.cursor/mcp.json', secret);
    const dry = await setup(['setup', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('+   "commonplace": {') as string });
    expect(dry.stdout).not.toContain('s3cret');
    const silent = await setup(['setup']);
    expect(silent).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
    expect(silent.stdout).toContain('changes');
    expect(read('.cursor/mcp.json')).toBe(secret);
    expect(readdirSync(join(home, '.cursor'))).toEqual(['mcp.json']);
  });

  it('skips an invalid file and sets up the others', async () => {
    put('.cursor/mcp.json', '{\n  "mcpServers": {\n');
    const outcome = await setup(['setup', '--yes', '--host', 'cursor', '--host', 'windsurf']);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(/✗ Cursor: .*mcp\.json is not valid: line 3/);
    expect(outcome.stdout).toContain('✓ Windsurf: written');
    expect(read('.cursor/mcp.json')).toBe('{\n  "mcpServers": {\n');
    expect(existsSync(join(home, '.cursor/mcp.json.commonplace-backup'))).toBe(false);
  });

  it('writes the target of a symbolic link and refuses a read-only file', async () => {
    const target = put('dotfiles/cursor.json', '{}\n');
    mkdirSync(join(home, '.cursor'));
    symlinkSync(target, join(home, '.cursor/mcp.json'));
    put('.codeium/windsurf/mcp_config.json', '{}\n', 0o444);
    const outcome = await setup(['setup', '--yes']);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain('✗ Windsurf:');
    expect(lstatSync(join(home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true);
    expect(read('dotfiles/cursor.json')).toContain('"commonplace"');
    expect(read('.codeium/windsurf/mcp_config.json')).toBe('{}\n');
  });

  it('reports that no assistant was found, and refuses flags that do not fit', async () => {
    expect(await setup(['setup', '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No assistant was found') as string,
    });
    for (const flags of [
      ['--host', 'emacs'],
      ['--remote', 'https://x.example/mcp'],
      ['--token', 'cpl_x'],
      ['--remote', 'ftp://x'],
    ])
      expect(await setup(['setup', '--yes', ...flags])).toMatchObject({ code: 2, stdout: '' });
  });

  it('connects a remote server where the host supports it, and tests that server directly', async () => {
    const data = join(home, 'data');
    const token = (await setup(['token', 'create', 'laptop', '--data', data])).stdout.trim();
    const server = execFile(process.execPath, [builtProgram, 'serve', '--port', '0', '--data', data], {
      env: { HOME: home, PATH: '' },
    });
    try {
      const url = await new Promise<string>((resolve) => {
        let said = '';
        for (const stream of [server.stdout, server.stderr])
          stream?.on('data', (text: string) => {
            said += text;
            const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
            if (found !== undefined) resolve(`${found}/mcp`);
          });
      });
      const written = await setup(
        ['setup', '--yes', '--remote', url, '--token', '-', '--host', 'cursor,claude-desktop'],
        {
          input: `${token}\n`,
        },
      );
      expect(written.code).toBe(1);
      expect(written.stdout).toContain('✗ Claude Desktop: Claude Desktop takes no address');
      expect(written.stdout).toMatch(/It works: \d+ tools/);
      expect(JSON.parse(read('.cursor/mcp.json'))).toEqual({
        mcpServers: { commonplace: { url, headers: { Authorization: `Bearer ${token}` } } },
      });
      mkdirSync(join(home, '.config/Claude'), { recursive: true });
      const found = await setup(['setup', '--yes', '--remote', url, '--token', token]);
      expect(found).toMatchObject({ code: 0, stderr: expect.stringContaining('Claude Desktop takes no') as string });
      const dry = await setup(['setup', '--dry-run', '--remote', url, '--token', token, '--host', 'zed']);
      expect(dry.stdout).toContain('Bearer cpl_…');
      const wrong = await setup(['setup', '--yes', '--remote', url, '--token', 'cpl_wrong', '--host', 'zed']);
      expect(wrong).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('does not accept the token (401). Nothing was written.') as string,
      });
      expect(existsSync(join(home, '.config/zed/settings.json'))).toBe(false);
    } finally {
      server.kill();
    }
  });
});

describe('a configuration file', () => {
  it('that another program changed meanwhile is not overwritten', () => {
    const path = put('.claude.json', '{"numStartups": 2}');
    expect(() => replaceConfigFile(path, '{"numStartups": 1}', '{}')).toThrow('changed by another program');
    expect(readFileSync(path, 'utf8')).toBe('{"numStartups": 2}');
    expect(readdirSync(home).filter((name) => name.includes('.commonplace-') && !name.includes('backup'))).toEqual([]);
  });

  it('that is a dangling link is refused, and the link stays', async () => {
    mkdirSync(join(home, '.cursor'));
    symlinkSync(join(home, 'dotfiles/gone.json'), join(home, '.cursor/mcp.json'));
    const outcome = await setup(['setup', '--yes']);
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringContaining('link to a file that is not') as string });
    expect(lstatSync(join(home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true);
  });

  it('that is not text is refused', async () => {
    writeFileSync(put('.cursor/mcp.json', ''), Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
    const outcome = await setup(['setup', '--yes']);
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringContaining('cannot be read as text') as string });
  });
});

it.each([
  ['https://library.example.com', 'https://library.example.com/mcp'],
  ['https://library.example.com/', 'https://library.example.com/mcp'],
  ['https://example.com/library/mcp', 'https://example.com/library/mcp'],
])('setup --print --remote %s names %s', async (given, named) => {
  const { code, stdout } = await runBuilt('setup', '--print', '--host', 'claude-code', '--remote', given);
  expect(code).toBe(0);
  expect(stdout).toContain(` ${named} `);
});
