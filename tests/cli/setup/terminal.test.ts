import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCommandApp } from '../../../src/app/command-app.ts';
import { runCommandLine } from '../../../src/cli/program.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'commonplace-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(home, path), 'utf8');

describe('on a terminal', () => {
  it('asks which, writes after a yes, and offers goals to a library that has none', async () => {
    mkdirSync(join(home, '.cursor'));
    mkdirSync(join(home, '.codex'));
    const answers = ['7', '1', 'y', 'Sleep eight hours', '1', ''];
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    let asked = '';
    stderr.on('data', (text: Buffer) => {
      asked += text.toString();
      if (/[?:)\]] $/.test(asked)) {
        const answer = answers.shift();
        asked += '\n';
        if (answer !== undefined) stdin.write(`${answer}\n`);
      }
    });
    const process = Object.assign(new EventEmitter(), { stdin, stdout, stderr });
    vi.stubEnv('HOME', home);
    try {
      const notAskedFor = () => Promise.reject(new Error('not asked for'));
      const parts = {
        openApp: openCommandApp,
        checkLibrary: notAskedFor,
        backups: notAskedFor,
        databases: notAskedFor,
        answerCommands: notAskedFor,
      };
      const run = (...argv: string[]) => runCommandLine(argv, process as never, parts, '0.0.0');
      expect(await run('setup', '--embedder', 'none'), asked).toBe(0);
      expect(answers).toEqual([]);
      expect(existsSync(join(home, '.codex/config.toml'))).toBe(false);
      expect(read('.cursor/mcp.json')).toContain('commonplace');
      stdout.read();
      expect(await run('goals', '--embedder', 'none')).toBe(0);
      expect((stdout.read() as Buffer).toString()).toContain('Sleep eight hours (Health)');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
