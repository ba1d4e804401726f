import { expect, it } from 'vitest';
import { branches, withoutSets } from '../../scripts/regex-gate/rewrite-patterns.ts';
import { verdictOf } from '../../scripts/regex-gate/verdict.ts';

it.each([
  ['exponential', /^(?:a|a)*$/],
  ['a repetition in a repetition', /(?:x\d+)*\d+y/],
  ['white space before an end', /\s+$/],
  ['an unanchored run', /a+b/],
  ['a sticky one, which its caller tries at each place', /a+b/y],
  ['one with a set', /[\w--\d]+!/v],
  ['one of many branches, of which the last is slow', /one|two|(?:three|\s+four)/i],
])('%s is flagged', { timeout: 120_000 }, (_what, { source, flags }) => {
  expect(verdictOf({ source, flags })).toMatchObject({ status: 'vulnerable' });
});

it.each([
  ['an anchored run', /^\s+/],
  ['a run behind a mark', /<[^<>]*>/g],
  ['a set', /[\w--\d]/v],
  ['a back reference', /^(["'])[^"']*\1$/],
])('%s is safe', { timeout: 120_000 }, (_what, { source, flags }) => {
  expect(verdictOf({ source, flags })).toEqual({ status: 'safe' });
});

it('what the checker does not know is undecided, not safe', () => {
  expect(verdictOf({ source: String.raw`\p{RGI_Emoji}+x`, flags: 'v' })).toMatchObject({ status: 'unknown' });
});

it('sets are said in other words with the same meaning', () => {
  const characters = Array.from({ length: 0x3_00 }, (_, code) => String.fromCodePoint(code));
  for (const pattern of [/[\w--\d]/v, /[[\p{L}\p{N}]--[a-z]]/v, /[\p{L}&&\p{ASCII}]/v, /[^\w--\d]/v, /[\]\-a]/v]) {
    const { source, flags } = withoutSets(pattern);
    expect(flags).toBe('u');
    const rewritten = new RegExp(`^(?:${source})$`, flags);
    const original = new RegExp(`^(?:${pattern.source})$`, pattern.flags);
    expect(characters.filter((character) => rewritten.test(character))).toEqual(
      characters.filter((character) => original.test(character)),
    );
  }
});

it('a pattern is split where its branches stand in no repetition', () => {
  const split = (source: string): string[] => branches({ source, flags: 'u' }).map((part) => part.source);
  expect(split('a|b(c|d)')).toEqual(['(?:a)', '(?:b(c|d))']);
  expect(split('x(?:a|b)y')).toEqual(['x(?:a)y', 'x(?:b)y']);
  expect(split('x(?:ab)?y')).toEqual(['xy', 'x(?:ab)y']);
  expect(split('(?:a|b)+')).toEqual(['(?:a|b)+']);
  expect(split(String.raw`(a|b)\1`)).toEqual([String.raw`(a|b)\1`]);
});
