import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCommandApp } from '../../../src/app/command-app.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { askGoals, askWhich, type Questions } from '../../../src/cli/setup/ask-person.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'commonplace-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(home, path), 'utf8');

describe('questions', () => {
  /** Asks with answers that were typed beforehand. @returns what was found, and how often it asked */
  async function asking<T>(question: (questions: Questions) => Promise<T>, ...answers: string[]): Promise<[T, number]> {
    let asked = 0;
    const ask = () => Promise.resolve(answers[asked++] ?? '');
    return [await question({ ask, close: () => undefined }), asked];
  }
  const which = (...answers: string[]) =>
    asking(
      (questions) =>
        askWhich(questions, '?', [
          ['Claude Desktop', 'claude-desktop'],
          ['Claude Code', 'claude-code'],
          ['Cursor', 'cursor'],
        ]),
      ...answers,
    );

  it.each([
    ['2', [1]],
    ['1,3', [0, 2]],
    ['3 1 3', [2, 0]],
    ['cursor', [2]],
    ['Claude Code, CUR', [1, 2]],
    ['claude-desktop cursor', [0, 2]],
    ['all', [0, 1, 2]],
    ['', [0, 1, 2]],
  ])('accept %j as an answer', async (answer, chosen) => {
    expect(await which(answer)).toEqual([chosen, 1]);
  });

  it('are repeated after an answer that names nothing or more than one', async () => {
    expect(await which('claude', '0', '4', 'zed', '1,', 'cursor zed', '-1', '2')).toEqual([[1], 8]);
  });

  it('accept one category, by its number or name', async () => {
    const goals = await asking(
      (questions) => askGoals(questions, () => undefined),
      'Sleep',
      'Health',
      'Save',
      'wealth',
      'Call home',
      '',
      '1,2',
      'love',
      'rel',
    );
    expect(goals[0].map(({ category }) => category)).toEqual(['Health', 'Wealth', 'Relationships']);
    expect(goals[1]).toBe(9);
  });
});

describe('on a terminal', () => {
  it('asks which hosts to set up, writes after a yes, and offers goals to a library that has none', async () => {
    mkdirSync(join(home, '.cursor'));
    mkdirSync(join(home, '.codex'));
    const answers = ['7', 'cursor', 'y', 'Sleep eight hours', 'Health', ''];
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
