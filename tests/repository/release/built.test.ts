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

  it('is not there before it was noted', () => {
    expect(isBuilt(root)).toBe(false);
    noteBuilt(root);
    expect(isBuilt(root)).toBe(true);
  });

  it.each(['src/cli/program.ts', 'src/new.ts', 'kernels/scan.ts', 'scripts/build.mjs', 'package-lock.json'])(
    'is another one when %s has changed, and the same when it is as before',
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

  it('is not there when a file of it was taken away, changed or added', () => {
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
