import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenSpans, readableText } from '../../../src/domain/text/readable-text.ts';
import { forAll } from '../../support/for-all.ts';

const read = (markdown: string, start = 0, end = markdown.length) =>
  readableText(markdown, hiddenSpans(markdown), { start, end });

/** Whether the characters of `part` stand in `whole` in the same order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    at = whole.indexOf(character, at) + character.length;
    if (at < character.length) return false;
  }
  return true;
}

describe('text as a reader sees it', () => {
  it.each([
    ['See [the guide](https://example.com/a?utm_source=x) first.', 'See the guide first.'],
    ['[A](https://a.example/x_(y)) and [B](<https://b.example/a b> "Title").', 'A and B.'],
    ['**[Bold](https://example.com)** stays *Markdown*', '**Bold** stays *Markdown*'],
    ['A ![chart of rain](https://example.com/rain.png) here', 'A  here'],
    ['[![logo](https://example.com/l.png) Home](https://example.com)', ' Home'],
    ['First.\n\n![alone](https://example.com/a.png)\n\nSecond.', 'First.\n\nSecond.'],
    ['Sleep matters.[[1]](#cite-1)[^2] More.', 'Sleep matters. More.'],
    ['## Title [¶](#title)', '## Title'],
    ['Not a link: f(x)[0](y) \\[a](b)', 'Not a link: f(x)0 \\[a](b)'],
    ['Code `[a](https://b.example)` and\n```\n[a](https://b.example)\n```', null],
    ['A formula $x_1[^2]$ stays', null],
    ['A list [ ] to do, an array [1] (see below)', null],
    ['| a | [b](https://example.com) |\n| --- | --- |', '| a | b |\n| --- | --- |'],
    [
      '| a     | --key----- |\n| :---- | ---------: |\n| long  b |   c |',
      '| a | --key----- |\n| :--- | ---: |\n| long  b | c |',
    ],
    ['a  |  b\n| c   d', null],
    ['```\n| a    |    b |\n```', null],
    ['https://example.com/written-out stays', null],
  ])('of %j', (markdown, shown) => {
    expect(read(markdown).trim()).toBe((shown ?? markdown).trim());
  });

  it('is right for a slice that cuts a link in two', () => {
    const markdown = 'Read [the long guide](https://example.com/long/address) now.';
    expect(read(markdown, 0, markdown.indexOf('/long'))).toBe('Read the long guide');
    expect(read(markdown, markdown.indexOf('long/'))).toBe('now.');
  });

  it('only omits characters, whatever the text and the slice', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '![',
      '](http://a.b/c)',
      '`',
      '\\',
      '\n',
      ' ',
      'word',
      '[^1]',
      '\n|  ',
      '  |\n',
      '----',
      '#',
      '🙂',
    );
    const markdown = fc.array(pieces, { maxLength: 40 }).map((all) => all.join(''));
    forAll(markdown, fc.nat(), fc.nat(), (text, a, b) => {
      const [start = 0, end = 0] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y);
      expect(isWithin(read(text, start, end), text.slice(start, end))).toBe(true);
    });
  });

  it('reads hostile text once', () => {
    for (const part of ['[', '](', '![', '[](', '`', '[^', '[a](b', '\\']) {
      const text = part.repeat(100_000);
      expect(isWithin(read(`${text}[x](y)`), `${text}[x](y)`)).toBe(true);
    }
  }, 20_000);
});
