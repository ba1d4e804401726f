import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuilt, noteBuilt } from '../../../scripts/built.ts';

describe('A build', () => {
  let root: string;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'commonplace-built-'));
    write('src/cli/program.ts', 'one');
    write('dist/main.js', 'one');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is missing before it was recorded', () => {
    expect(isBuilt(root)).toBe(false);
    noteBuilt(root);
    expect(isBuilt(root)).toBe(true);
  });

  it.each(['src/cli/program.ts', 'src/new.ts', 'kernels/scan.ts', 'scripts/build.mjs', 'package-lock.json'])(
    'changes when %s has changed, and is the same otherwise',
    (file) => {
      write(file, 'one');
      noteBuilt(root);
      write(file, 'two');
      expect(isBuilt(root)).toBe(false);
      write(file, 'one');
      expect(isBuilt(root)).toBe(true);
      rmSync(join(root, file));
      expect(isBuilt(root)).toBe(false);
    },
  );

  it('is invalid when one of its files was removed, changed or added', () => {
    write('dist/part.js', 'one');
    noteBuilt(root);
    write('dist/part.js', 'longer');
    expect(isBuilt(root)).toBe(false);
    noteBuilt(root);
    rmSync(join(root, 'dist/part.js'));
    expect(isBuilt(root)).toBe(false);
    noteBuilt(root);
    write('dist/other.js', 'one');
    expect(isBuilt(root)).toBe(false);
  });
});
