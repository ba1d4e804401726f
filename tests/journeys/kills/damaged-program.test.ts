import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/* The built program with a file of it gone, as a broken installation leaves it. `npm test` builds it first. */

const page = '<!doctype html><article><h1>Ferries</h1><p>The ferry leaves the old harbour at seven.</p></article>';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-damaged-'));
  for (const name of ['node_modules', 'assets']) symlinkSync(resolve(name), join(folder, name));
  cpSync('package.json', join(folder, 'package.json'));
  writeFileSync(join(folder, 'page.html'), page);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Extracts the page with a copy of the program that lacks what `isGone` names. */
function extractWithout(isGone: (file: string) => boolean): Promise<{ code: number; stdout: string; stderr: string }> {
  const program = join(folder, 'dist');
  rmSync(program, { recursive: true, force: true });
  cpSync('dist', program, { recursive: true });
  const all = readdirSync(program, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const gone = all.filter(isGone);
  expect(gone.length).toBeGreaterThan(0);
  for (const file of gone) rmSync(join(program, file));
  const args = [
    join(program, 'main.js'),
    'extract',
    join(folder, 'page.html'),
    '--json',
    '--data',
    join(folder, 'data'),
  ];
  return new Promise((done) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

const holds = (words: string) => (file: string) =>
  file.startsWith('worker-parts') && readFileSync(join('dist', file), 'utf8').includes(words);

describe('A program with a missing file', () => {
  it.each([
    ['the reading process itself', (file: string) => /[\\/]reading-worker\.js$/.test(file)],
    ['what reads pages', holds('src/sources/page/extract-page.ts')],
  ])('does not blame the page: %s', async (_name, isGone) => {
    const { code, stdout, stderr } = await extractWithout(isGone);
    expect(code).toBe(4);
    expect(stdout + stderr).toContain('Nothing is wrong with what you saved');
    expect(stdout + stderr).not.toMatch(/breaks its reader|too large/);
  });
});
