import { assert, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { createFileNames, endingOf, safeName } from '../../../src/exporting/file-names.ts';
import { harmless } from '../../../src/exporting/markdown.ts';
import { csvRow } from '../../../src/exporting/csv-row.ts';
import { frontMatter, quotedYaml } from '../../../src/exporting/vault/template.ts';

const anyText = oneof(string({ unit: 'binary', maxLength: 400 }), string({ unit: 'grapheme', maxLength: 400 }));
const id = 'c_aaaaaaaaaaaaaaaa';

test('no title becomes a file name that a system refuses, hides or reads as a path', () => {
  assert(
    property(anyText, (title) => {
      const name = createFileNames()(title, id);
      expect(name).not.toMatch(/["*/:<>?\\|#^[\]\p{Cc}\p{Cf}]|^[. ]|[. ]$/u);
      expect(name.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(`${name}.md`)).toBeLessThanOrEqual(255);
      expect(name.isWellFormed()).toBe(true);
    }),
  );
});

test.each([
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['com¹', '_com¹'],
  ['conin$', '_conin$'],
  ['Console', 'Console'],
  ['../../etc/passwd', 'etc passwd'],
  ['C:\\Windows\\win.ini', 'C Windows win.ini'],
  ['...hidden. . .', 'hidden'],
  ['a\u0000b\u202ec\ufeffd', 'a b c d'],
  [' \t ', ''],
  ['x'.repeat(79) + '😀', 'x'.repeat(79)],
])('%j becomes %j', (title, name) => {
  expect(safeName(title)).toBe(name);
});

test('names that differ only in letter case or Unicode composition get the id', () => {
  const names = createFileNames();
  expect(names('Straße', 'c_1')).toBe('Straße');
  expect(names('STRASSE', 'c_2')).toBe('STRASSE');
  expect(names('straße', 'c_3')).toBe('straße c_3');
  expect(names('e\u0301', 'c_4')).toBe('é');
  expect(names('É', 'c_5')).toBe('É c_5');
  expect(names('x'.repeat(200), 'c_6')).toHaveLength(80);
  expect(names('X'.repeat(200), 'c_7')).toHaveLength(80);
  expect(names(null, 'c_8')).toBe('c_8');
});

test('any text becomes one YAML string on one line', () => {
  assert(
    property(anyText, (text) => {
      const quoted = quotedYaml(text);
      expect(JSON.parse(quoted)).toBe(text.toWellFormed());
      // oxlint-disable-next-line no-control-regex
      expect(quoted).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/);
    }),
  );
  expect(frontMatter({ title: '---\nid: x', tags: ['a: b', '- c'], none: null, count: 2, empty: [] })).toBe(
    '---\ntitle: "---\\nid: x"\ntags:\n  - "a: b"\n  - "- c"\ncount: 2\n---\n',
  );
});

test('code blocks that a plugin would run are exported inert', () => {
  const run = ['```dataviewjs', '> ~~~tasks', '- ```js-engine', '1. ````query x', '  ```run-python', '```{python}'];
  run.push('- - ```dataviewjs', '- > ~~~dataviewjs', '[^1]: ```dataviewjs', `\`\`\`${' '.repeat(30)}dataviewjs`);
  run.push(`${'> '.repeat(200)}\`\`\`dataviewjs`);
  for (const line of run) {
    const shown = harmless(`${line}\nx\n`).split('\n')[0];
    expect(shown).toMatch(/(?:`{3,}|~{3,})\s*text /);
  }
  for (const line of ['```js', '~~~ Python', '```', 'a ```dataview', '```c++'])
    expect(harmless(`${line}\nx`)).toBe(`${line}\nx`);
});

test('inline queries that a plugin would run are exported inert', () => {
  // Dataview takes each element `code`, trims its text and looks how it begins.
  const isRun = (code: string) => /^\$?=/.test(code.trim());
  for (const code of ['$= 1', '= 1', ' $= 1', '\n= 1', '\u00a0$=1', '\ufeff= 1']) {
    expect(isRun(code)).toBe(true);
    const [, span = ''] = harmless(`a \`${code}\` b`).split('`');
    expect(isRun(span)).toBe(false);
    expect(span.replaceAll('\u2060', '')).toBe(code);
    expect(harmless(`a <CODE class="x">${code}</code>`)).not.toMatch(/<code/i);
  }
  expect(harmless('`a = b`, 1 = 1, <b>')).toBe('`a = b`, 1 = 1, <b>');
});

test('no table cell begins a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '  =1', '\n=HYPERLINK("x")', '＝1+1', ' ＠x', '\ta'])
    expect(csvRow([text])).toMatch(/^"?'/);
  expect(csvRow([`${' '.repeat(200)}=1`])).toMatch(/^'/);
  expect(csvRow(['a "b", c', 'd'])).toBe('"a ""b"", c",d\r\n');
});

test('an original gets a file extension that no system runs', () => {
  expect(
    ['text/html; charset=utf-8', 'application/pdf', 'image/svg+xml', 'application/x-msdownload', null].map(endingOf),
  ).toEqual(['html', 'pdf', 'bin', 'bin', 'bin']);
});
