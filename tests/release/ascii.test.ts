import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inAscii } from '../../scripts/ascii.ts';

const dist = join(import.meta.dirname, '../../dist');

describe('code in ASCII', () => {
  it.each([
    ['a string', `'a – b “c” 😀'`],
    ['a backslash that nothing needs', String.raw`'\–' + '\\–' + '\\\–'`],
    ['a template', '`a – ${`é`} \\–`'],
    ['a raw template', 'String.raw`a\\d–${1 + 1}é 😀`'],
    ['a raw template in a template', '`é${String.raw`ñ\\s`}`'],
    ['a regular expression', String.raw`/[“”]\–/.exec('a ”–').index`],
    ['a regular expression of code points', `/[é-😀]/u.exec('a 😀')[0]`],
    ['names', `(({ é, 𝜆 }) => é + 𝜆)({ é: 1, 𝜆: 2 })`],
    ['a comment', '1 /* – © */'],
  ])('says the same: %s', (_, code) => {
    const written = inAscii(code, 'a.js');
    expect(written).toMatch(/^[\0-\x7f]*$/);
    expect(written).not.toBe(code);
    // oxlint-disable-next-line no-eval -- it is the code above
    const run = (text: string): unknown => (0, eval)(text);
    expect(run(written)).toEqual(run(code));
  });

  it('is refused when an escape cannot stand there', () => {
    expect(() => inAscii('const a =\u00a01;', 'a.js')).toThrow('a.js cannot be written in ASCII');
  });

  it('is all that the program loads', () => {
    const files = globSync(['**/*.js', '**/*.mjs'], { cwd: dist, exclude: ['page/app-*.js'] });
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => !/^[\0-\x7f]*$/.test(readFileSync(join(dist, file), 'utf8')))).toEqual([]);
  });
});
