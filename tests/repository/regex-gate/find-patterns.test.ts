import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { findPatterns } from '../../../scripts/regex-gate/find-patterns.ts';

const root = mkdtempSync(join(tmpdir(), 'patterns-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** In its own process, as the gate runs: a test runner that rewrites modules moves their lines. */
function patternsOf(folder: string): Awaited<ReturnType<typeof findPatterns>> {
  const module = new URL('../../../scripts/regex-gate/find-patterns.ts', import.meta.url).href;
  const program = `const { findPatterns } = await import(${JSON.stringify(module)});
    process.stdout.write(JSON.stringify(await findPatterns(${JSON.stringify(folder)})));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return JSON.parse(printed) as Awaited<ReturnType<typeof findPatterns>>;
}

it('every regular expression in a folder is found, wherever it is', () => {
  mkdirSync(join(root, 'src'));
  writeFileSync(
    join(root, 'src/one.ts'),
    [
      '// a comment with /no+pattern/',
      'const text: string = `a ${"b".replace(/in a template/g, "")} /no pattern/`;',
      'const half = 8 / 2 / 1;',
      'export const part = String.raw`\\d`;',
      'export const built = new RegExp(`${part}+`, "u");',
      'export function build(name: string): RegExp { return new RegExp(`^${name}`); }',
      'export const called = build("once");',
      'export const found = text.match("a+");',
      'export const kept = half;',
      '// regex: at most 1,200 characters: cut off above',
      'export const bounded = /a+b/;',
      '// regex: built on loading: the names are those of this file',
      'const named = (name: string): RegExp => new RegExp(name);',
      'export const names = ["one", "two"].map(named);',
    ].join('\n'),
  );
  const { patterns, faults } = patternsOf(root);
  const found = patterns.map(({ at, source, flags, maxInput = '' }) => `${at} /${source}/${flags} ${maxInput}`.trim());
  expect(found).toEqual([
    'src/one.ts:2 /in a template/g',
    'src/one.ts:11 /a+b/ 1200',
    String.raw`src/one.ts:5 /\d+/u`,
    'src/one.ts:6 /^once/',
    'src/one.ts:13 /one/',
    'src/one.ts:13 /two/',
  ]);
  expect(faults).toEqual(['src/one.ts:6 builds an expression of what is not known: build it outside functions.']);
});
