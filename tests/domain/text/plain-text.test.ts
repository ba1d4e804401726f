import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainBlocks, plainText } from '../../../src/domain/text/plain-text.ts';
import { forAll } from '../../support/for-all.ts';

describe('plainText', () => {
  it.each([
    ['# Title #', 'Title'],
    ['Title\n=====\n\nText', 'Title\n\nText'],
    [
      'Some **bold**, *italic*, ***both***, _under_ and ~~gone~~ words',
      'Some bold, italic, both, under and gone words',
    ],
    ['==marked== words', 'marked words'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['a [link](https://example.com/a_(b) "title") here', 'a link here'],
    ['a [link][ref] here\n\n[ref]: https://example.com', 'a link here'],
    ['[**bold [inner]** link](x)', 'bold [inner] link'],
    ['See [[1][a]](x) and [one][a].', 'See [1][a] and one.'],
    ['**Related: [*Updates*](x)** and (*so on*)', 'Related: Updates and (so on)'],
    ['**a*b*c** d, **「x」**y, *a **b***', 'abc d, 「x」y, a b'],
    ['before ![alt text](image.png) after', 'before  after'],
    ['[![alt](i.png)](https://example.com) text', 'text'],
    ['`code *kept*` and ``a ` b``', 'code *kept* and a ` b'],
    ['\\*not emphasis\\* \\# \\[x\\]', '*not emphasis* # [x]'],
    ['<https://example.com/x> and <b>bold</b> and 1 < 2', 'https://example.com/x and bold and 1 < 2'],
    ['&amp; &lt;b&gt; &#8364; &#x20AC; &unknown;', '& <b> € € &unknown;'],
    ['first line\nsame paragraph  \nnew line', 'first line same paragraph\nnew line'],
    ['- one\n- two\n  - three\n- [x] done', 'one\ntwo\nthree\ndone'],
    ['1. one\n2) two', 'one\ntwo'],
    ['It was in\n2024. That year', 'It was in 2024. That year'],
    ['> quoted\n> text\n\nafter', 'quoted text\n\nafter'],
    ['| a | b |\n| --- | :-: |\n| **1** | x \\| y |', 'a\tb\n1\tx | y'],
    ['```js\nconst a = `x`; // **no**\n```\nafter', 'const a = `x`; // **no**\n\nafter'],
    ['    indented *code*\n\ntext', 'indented *code*\n\ntext'],
    ['a claim[^1] here\n\n[^1]: the note', 'a claim here\n\nthe note'],
    ['one\n\n---\n\ntwo', 'one\n\ntwo'],
    [String.raw`as $\{x*y*z\}\,d_1$ and $$a_1 \\ b$$ say`, String.raw`as $\{x*y*z\}\,d_1$ and $$a_1 \\ b$$ say`],
    ['**$FOO_A** and **$BAR**, *$5* to $10_000 or US$ *7*', '$FOO_A and $BAR, $5 to $10_000 or US$ 7'],
    ['A$[5_a](https://a.example) or US$', 'A$5_a or US$'],
    ['', ''],
  ])('renders %j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  it('keeps every word of marked-up text in place', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    forAll(
      fc.array(fc.record({ word, mark: fc.constantFrom('', '*', '**', '_', '`', '~~') }), {
        minLength: 1,
        maxLength: 30,
      }),
      (parts) => {
        const markdown = parts.map(({ word, mark }) => mark + word + mark).join(' ');
        expect(plainText(markdown)).toBe(parts.map(({ word }) => word).join(' '));
      },
    );
  });

  it('terminates on any text', () => {
    forAll(
      fc.array(fc.constantFrom('*', '_', '`', '[', ']', '(', ')', '<', '>', '|', '\\', '\n', '-', '#', 'a', ' ', '!')),
      (characters) => {
        expect(typeof plainText(characters.join(''))).toBe('string');
      },
    );
  });

  it.each(['[', '![](', '`', '*a', '<a ', '](', '_a_', '> ', '|'])('handles 200,000 times %j', (piece) => {
    expect(typeof plainText(piece.repeat(200_000))).toBe('string');
  });
});

describe('plainBlocks', () => {
  it('separates cells, items and lines of code', () => {
    expect(plainBlocks('# Head\n\n| a | b |\n|---|---|\n| c |  |\n\n- x\n- y\n\n```\none\n\ntwo\n```')).toEqual([
      'Head',
      'a',
      'b',
      'c',
      'x',
      'y',
      'one',
      'two',
    ]);
  });
});
