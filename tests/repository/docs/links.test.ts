import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const notOurs = new Set(['node_modules', 'dist', 'coverage']);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || notOurs.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return [path];
  });
}

const files = filesBelow(root);
const names = new Set(files.map((path) => basename(path)));
const pages = files.filter((path) => path.endsWith('.md'));

const link = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g;
/** A path in the repository, wherever it stands in a page. */
const path = /(?<![\w./@-])(?:src|tests|bench|scripts|kernels|deploy|docs)\/[\w./-]*\w/g;
/** A file of source code by its name, with or without the folders before it. A diff puts `a/` and `b/` before these. */
const sourceFile = /(?<![\w./@*-])(?:[ab]\/)?((?:[\w-]+\/)*[\w-]+\.(?:test\.)?ts)\b/g;

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);
}

describe.each(pages.map((page) => [relative(root, page), page]))('%s', (_name, page) => {
  const text = readFileSync(page, 'utf8');

  test('links only to files that exist', () => {
    const missing = matches(text, link).filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(join(dirname(page), target)),
    );
    expect(missing).toEqual([]);
  });

  test('names only files that exist', () => {
    const missingPaths = matches(text, path).filter((named) => !existsSync(join(root, named)));
    const missingFiles = matches(text, sourceFile).filter((named) =>
      named.includes('/') ? !files.some((file) => file.endsWith(`/${named}`)) : !names.has(named),
    );
    expect([...missingPaths, ...missingFiles]).toEqual([]);
  });
});

test('the table of contents of the decisions names every record', () => {
  const folder = join(root, 'docs/decisions');
  const records = readdirSync(folder).filter((name) => name !== 'README.md');
  const named = matches(readFileSync(join(folder, 'README.md'), 'utf8'), /\]\(([\w-]+\.md)\)/g);
  expect(named.toSorted()).toEqual(records.toSorted());
});
