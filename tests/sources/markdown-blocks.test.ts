import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../src/domain/records/texts/document.ts';
import { markdownBlocks } from '../../src/sources/text/markdown-blocks.ts';
import { runs } from '../support/vitest/thorough.ts';

const kinds = (markdown: string): string[] => markdownBlocks(markdown).map(({ kind, text }) => `${kind}: ${text}`);

describe('markdownBlocks', () => {
  it('splits a document into its blocks', () => {
    const blocks = [
      'heading: # Title',
      'paragraph: A paragraph\nof two lines.',
      'list: - one\n- two\n\n  still two\n  - nested\n- three',
      'quote: > quoted\nlazy\n> more',
      'code: ```js\n# no heading\n\n- no list\n```',
      'table: | a | b |\n|---|---|\n| 1 | 2 |',
      'code:     indented code\n\n    goes on',
      'list: 1. first\n2. second',
      'paragraph: Last.',
    ];
    expect(kinds(blocks.map((block) => block.slice(block.indexOf(':') + 2)).join('\n\n'))).toEqual(blocks);
  });

  it.each([
    ['Title\n=====\nText', ['heading: # Title', 'paragraph: Text']],
    ['Two lines\nof title\n---', ['heading: ## Two lines of title']],
    ['text\n# heading\nmore', ['paragraph: text', 'heading: # heading', 'paragraph: more']],
    ['text\n```\ncode\n```', ['paragraph: text', 'code: ```\ncode\n```']],
    ['text\n- item', ['paragraph: text', 'list: - item']],
    ['It was\n2024. A year', ['paragraph: It was\n2024. A year']],
    ['~~~\nopen to the end\n\n# no heading', ['code: ~~~\nopen to the end\n\n# no heading']],
    ['````\n```\n````', ['code: ````\n```\n````']],
    ['- item\n  ```\n  # code\n\n  ```\n- next', ['list: - item\n  ```\n  # code\n\n  ```\n- next']],
    ['a\n\n---\n\nb', ['paragraph: a', 'paragraph: b']],
    ['a | b\n--|--\n1 | 2\n\nafter', ['table: a | b\n--|--\n1 | 2', 'paragraph: after']],
    ['a\r\n\r\nb', ['paragraph: a', 'paragraph: b']],
    ['#hashtag', ['paragraph: #hashtag']],
    ['', []],
  ])('%j', (markdown, expected) => {
    expect(kinds(markdown)).toEqual(expected);
  });

  it('gives headings their level', () => {
    expect(markdownBlocks('# a\n\n### b\n\nc\n---').map(({ level }) => level)).toEqual([1, 3, 2]);
  });

  const line = fc.oneof(
    fc.constantFrom(
      '',
      '',
      '# head',
      '- item',
      '  nested',
      '    code',
      '> quote',
      '```',
      '~~~',
      '| a | b |',
      '|---|---|',
      '1. one',
    ),
    fc.stringMatching(/^[a-z` *|>#-]{0,12}$/),
  );

  it('loses no text, keeps its order and adds nothing', () => {
    // Breaks and underlines are marks, not text; of a heading of several lines one may look like them.
    const bare = (text: string): string =>
      text
        .split('\n')
        .map((one) => one.replace(/^(?:[ \t]*#+[ \t]+)+/, ''))
        .flatMap((one) => one.split(/\s+/))
        .filter((word) => !/^[-=*]+$/.test(word))
        .join('')
        .replaceAll('#', '');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), (lines) => {
        const blocks = markdownBlocks(lines.join('\n'));
        expect(bare(blocks.map(({ text }) => text).join('\n'))).toBe(bare(lines.join('\n')));
        expect(blocks.every(({ text }) => text.trim() !== '')).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('splits its own transcript the same way again', () => {
    const paragraph = fc.constantFrom(
      'Some words.',
      '# Head',
      '- a\n- b',
      '> q',
      '```\ncode\n\nmore\n```',
      '| a |\n|---|\n| 1 |',
    );
    fc.assert(
      fc.property(fc.array(paragraph, { maxLength: 12 }), (parts) => {
        const { text } = layOutTranscript(markdownBlocks(parts.join('\n\n')));
        expect(layOutTranscript(markdownBlocks(text)).text).toBe(text);
      }),
    );
  });

  it.each(['- a\n', '> ', '|a|\n', '```\n', '#\n', 'a\n\n', '    x\n'])('is fast on 100,000 times %j', (piece) => {
    expect(markdownBlocks(piece.repeat(100_000)).length).toBeGreaterThan(0);
  });
});
