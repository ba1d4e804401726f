import { expect, it } from 'vitest';
import { withSmallAlphabet, type Pattern } from '../../../scripts/regex-gate/small-alphabet.ts';
import { attackText, branches, faultOf, refusal, withoutLastRun } from '../../../scripts/regex-gate/verdict.ts';
import { isThorough } from '../../support/vitest/thorough.ts';

/** Slow in ways that everybody knows. Nothing of them is rewritten for the checker: what it says of them changes with its version alone. */
const wellKnown: [what: string, pattern: RegExp][] = [
  ['one of many branches, of which the last is slow', /one|two|(?:three|\s+four)/i],
  ['mail addresses', /^([\w.-]+)+@(?:[\w-]+\.)+\w+$/],
  ['numbers with separators', /^(?:\d+,?)+$/],
  ['quoted words', /"(?:\\?.)*"/],
  ['trimming', /^\s+|\s+$/g],
  ['a comment', /\/\*(?:.|\n)*?\*\//],
  ['names in a path', /(?:\/?[^/]+)*\?/],
  ['a tag', /<\w+(?:\s*[^>]*\s*)*>/],
  ['two runs of anything', /^.*=.*=.*!$/],
  ['three optional runs', /^a*a*a*$/],
  ['two ways to one space', /^(?:\w+ ?)*$/],
  ['a run before what it holds', /\d+:\d+;/],
  ['a list', /^(?:\w*,)*\w*\w*$/],
  ['a lazy run', /^(?:a+?)+?$/],
  ['a date', /^(?:\d|\d\d|\d+)+-$/],
  ['a quote in brackets', /\[(?:[^\]]|\[.*\])*\]!/],
  ['an address', /^(?:https?:\/\/)?(?:[\da-z.-]+)+\.(?:[a-z.]{2,6})(?:[/\w .-]*)*\/?$/],
];

it.each([
  ...(isThorough ? wellKnown : []),
  ['hyphens in words', /\p{L}+(?:-\p{L}+)*-$/u],
  ['words with an apostrophe', /^(?:\p{L}+'?\p{L}*)+$/u],
  ['exponential', /^(?:a|a)*$/],
  ['a repetition in a repetition', /(?:x\d+)*\d+y/],
  ['white space before an end', /\s+$/],
  ['an unanchored run', /a+b/],
  ['a sticky one, which its caller tries at each place', /a+b/y],
  ['one with a set', /[\w--\d]+!/v],
  ['one that is slow in letters beyond ASCII alone', /^(?:\p{Lu}+\P{Lu}?)+$/u],
  ['one whose sets overlap in a single letter', /^(?:[а-п]+[п-я]?)+$/u],
  ['one whose sets overlap when case does not count', /^(?:[А-П]+[п-я]?)+$/iu],
  ['letters that the Kelvin sign is one of', /^(?:k+\u212a?)+$/iu],
  ['spaces before the end of a line', /\s+$/m],
  ['characters of two units', /^(?:[𝒜-𝒵]+\p{L}?)+$/u],
  ['a run in a look behind', /(?<=^\p{L}*\p{L}*)!/u],
])('%s is flagged', (_what, { source, flags }) => {
  expect(faultOf({ source, flags })).toHaveProperty('attack');
});

it.each([
  ['an anchored run', /^\s+/],
  ['a run behind a mark', /<[^<>]*>/g],
  ['a set', /[\w--\d]/v],
  ['a back reference', /^(["'])[^"']*\1$/],
  ['sets that do not overlap', /^(?:\p{Lu}+\P{Lu})+$/u],
  ['letters and digits of all languages', /[\p{L}\p{N}]+/gu],
  ['a large set and the rest of it', /(?<han>[\p{scx=Han}&&\p{L}]+)|[\p{L}--\p{scx=Han}]+/gv],
  ['what ends in a run behind a long bound', /\b[a-z][a-z\d]{0,30}:\P{Z}+/giu],
  ['anything to the end', /^\s*[^]*$/],
])('%s is safe', (_what, { source, flags }) => {
  expect(faultOf({ source, flags })).toBeNull();
});

it('an expression unknown to the checker is undecided, not safe', () => {
  expect(faultOf({ source: String.raw`\p{RGI_Emoji}+x`, flags: 'v' })).toEqual({ why: 'undecided' });
  expect(faultOf({ source: String.raw`\p{RGI_Emoji}|x?`, flags: 'v' })).toBeNull();
});

it('an attack has the requested length', () => {
  const attack = {
    pumps: [
      { prefix: 'a', pump: 'bc', bias: 0 },
      { prefix: '-', pump: 'd', bias: 0 },
    ],
    suffix: '!',
  };
  expect(attackText(attack, 9)).toBe('abcbc-dd!');
  expect(attackText(attack, 2)).toBe('a-');
});

it('a slow expression may stay where the longest possible attack takes no time', () => {
  const slow = { source: String.raw`\s+$`, flags: '' };
  expect(refusal(slow)).toContain('say above what bounds its input');
  expect(refusal({ ...slow, maxInput: 80 })).toBeNull();
  expect(refusal({ ...slow, maxInput: 15_000 })).toContain('is slow at its bound already');
  expect(refusal({ source: '^(?:a|a)*$', flags: '', maxInput: 400 })).toContain('exponential');
  expect(refusal({ source: '<[^<>]*>', flags: '', maxInput: 40 })).toContain('remove the comment');
  expect(refusal({ source: String.raw`\p{RGI_Emoji}+x`, flags: 'v', maxInput: 40 })).toContain('undecided');
});

function small(pattern: Pattern): Pattern {
  const rewritten = withSmallAlphabet(pattern);
  if (rewritten === null) throw new Error('needs the v flag');
  return rewritten;
}

/** Some of every kind: the characters of Latin, Greek and Cyrillic, line ends, what folds to ASCII, and two of two units. */
const characters = [
  ...Array.from({ length: 0x4_80 }, (_, code) => code),
  0x20_28,
  0x20_29,
  0x21_2a,
  0x4e_00,
  0x1_d4_9c,
  0x1_f6_00,
];

it('an expression of one element is replaced by one that matches the same stand-ins', () => {
  for (const pattern of [
    /[\w--\d]/v,
    /[[\p{L}\p{N}]--[a-z]]/v,
    /[\p{L}&&\p{ASCII}]/v,
    /[^\w--\d]/v,
    /[\]\-a]/v,
    /\p{Lu}/u,
    /\p{Lu}/iu,
    /\W/iu,
    /s/iu,
    /[^k]/iu,
    /./,
    /./s,
    /./u,
    /[^а-я]/i,
    /\P{L}/u,
    /[^]/,
    /\uD83D/,
    /𝒜/u,
    /]/,
  ]) {
    const { source, flags } = small(pattern);
    expect(flags).not.toMatch(/[isv]/);
    const rewritten = new RegExp(`^${source}$`, flags);
    const original = new RegExp(`^${pattern.source}$`, pattern.flags);
    const matched = characters.map((code) => String.fromCodePoint(code));
    const ascii = matched.filter((character) => /^[\0-\x7f\u2028\u2029]$/.test(character));
    expect(ascii.filter((character) => rewritten.test(character))).toEqual(
      ascii.filter((character) => original.test(character)),
    );
    // Each of the others has a stand-in that the same elements match.
    const isOriginal = (is: boolean): boolean => matched.some((character) => original.test(character) === is);
    const isRewritten = (is: boolean): boolean => matched.some((character) => rewritten.test(character) === is);
    expect([isRewritten(true), isRewritten(false)]).toEqual([isOriginal(true), isOriginal(false)]);
  }
});

it('stand-ins keep which elements match a character together', () => {
  // Greek capitals, other capitals, other letters and all the rest are four groups.
  const { source } = small(/\p{Lu}\p{L}[Α-Ρ]/u);
  const [capitals, letters, greek] = source
    .match(/\[[^\]]*\]|\\u[\da-f]{4}/g)!
    .map((element) => characters.filter((code) => new RegExp(`^${element}$`, 'u').test(String.fromCodePoint(code))));
  const beyondAscii = (codes: number[] | undefined): number[] => (codes ?? []).filter((code) => code >= 0x80);
  expect(beyondAscii(greek)).toHaveLength(1);
  expect(beyondAscii(capitals)).toContain(beyondAscii(greek)[0]);
  expect(beyondAscii(letters)).toEqual(expect.arrayContaining(beyondAscii(capitals)));
});

it('characters that fold to an ASCII letter have no stand-in of their own', () => {
  expect(small(/\bs/iu).source).toBe(String.raw`\b[\u0053\u0073]`);
  expect(small(/[s\u017f]/u).source).toBe(String.raw`[\u0073\u017f]`);
});

it('flags for a part of an expression, and back references, are left to the checker', () => {
  for (const { source, flags } of [/(é|É)\1/iu, /(?<mark>["“])é\k<mark>/, /(?i:é)/u])
    expect(withSmallAlphabet({ source, flags })).toEqual({ source, flags });
  expect(withSmallAlphabet({ source: String.raw`(["“])\1`, flags: 'v' })).toBeNull();
  expect(withSmallAlphabet({ source: String.raw`[\q{ab|c}]`, flags: 'v' })).toBeNull();
});

it('only a run at the very end is left out', () => {
  const without = (source: string): string => withoutLastRun({ source, flags: 'u' }).source;
  expect(without('ab+')).toBe('ab{1}');
  expect(without('a[bc]*?|(?<x>d{2,})')).toBe('a[bc]{0}|(?<x>d{2})');
  for (const kept of ['ab+$', 'ab+c', '(?:ab+)*', '(?:ab+)?', 'a(?=b+)', 'ab{1,30}', '(?:ab)+'])
    expect(without(kept)).toBe(kept);
});

it('a pattern is split where its branches are not repeated', () => {
  const split = (source: string): string[] => branches({ source, flags: 'u' }).map((part) => part.source);
  expect(split('a|b(c|d)')).toEqual(['(?:a)', '(?:b(c|d))']);
  expect(split('x(?:a|b)y')).toEqual(['x(?:a)y', 'x(?:b)y']);
  expect(split('x(?:ab)?y')).toEqual(['xy', 'x(?:ab)y']);
  expect(split('(?:a|b)+')).toEqual(['(?:a|b)+']);
  expect(split(String.raw`(a|b)\1`)).toEqual([String.raw`(a|b)\1`]);
});
