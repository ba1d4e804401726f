import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentences } from '../../../src/domain/text/sentences.ts';
import { runs } from '../../support/vitest/thorough.ts';
import { forAll } from '../../support/for-all.ts';

function cut(text: string): string[] {
  return sentences(text).map(({ start, end }) => text.slice(start, end));
}

const awkward = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '. ',
        '.',
        '! ',
        '? ',
        '。',
        '」',
        '“',
        '” ',
        ' ',
        '\n',
        '\n\n',
        '  \n',
        '\r\n',
        '1. ',
        '- ',
        '# ',
        '`',
        '[a. b](c)',

        'Dr. ',
        'e.g. ',
        'Jan. 5',
        '3.5',
        '…',
        '\u0301',
        '\u200d',
        '👩‍👩‍👧',
        '🇩🇪',
        '\ufe0f',
        '\u0600',
        '\u3000',
        'https://a.b/c?d=1. ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('sentences', () => {
  it('do not end at abbreviations, initials, decimals and addresses', () => {
    expect(cut('Dr. Who met Mr. J. K. Smith on Jan. 5. He left at 5 p.m. The end.')).toEqual([
      'Dr. Who met Mr. J. K. Smith on Jan. 5.',
      'He left at 5 p.m.',
      'The end.',
    ]);
    expect(
      cut(
        'See e.g. the U.S. Army. It is in the U.S. The rest is No. 5. No. It cost 3.5 dollars at https://a.b/c.d?x=1. Gone!',
      ),
    ).toEqual([
      'See e.g. the U.S. Army.',
      'It is in the U.S.',
      'The rest is No. 5.',
      'No.',
      'It cost 3.5 dollars at https://a.b/c.d?x=1.',
      'Gone!',
    ]);
    expect(cut('Am 5. Mai kam Hr. Müller. Das war z. B. gut.')).toEqual([
      'Am 5. Mai kam Hr. Müller.',
      'Das war z. B. gut.',
    ]);
  });

  it('end after the marks of their notes', () => {
    expect(
      cut(
        'It runs anyway.¹ It is 10⁶ years old.[\\[2\\]](https://a.example/x#cite_note-2)[\\[3\\]](https://a.example/x#n) “No.”[⁴](#n4) Then [this](/b). Yes.[5]',
      ),
    ).toEqual([
      'It runs anyway.¹',
      'It is 10⁶ years old.[\\[2\\]](https://a.example/x#cite_note-2)[\\[3\\]](https://a.example/x#n)',
      '“No.”[⁴](#n4)',
      'Then [this](/b).',
      'Yes.[5]',
    ]);
  });

  it('include the speaker of a quotation', () => {
    expect(cut('"What?" he said. “Go!” She went. Wait... maybe. Yes.')).toEqual([
      '"What?" he said.',
      '“Go!”',
      'She went.',
      'Wait... maybe.',
      'Yes.',
    ]);
  });

  it('are found in scripts without spaces', () => {
    expect(cut('今日は。「はい。」と言った。元気？ええ！')).toEqual([
      '今日は。',
      '「はい。」と言った。',
      '元気？',
      'ええ！',
    ]);
    expect(cut('यह है। वह है।')).toEqual(['यह है।', 'वह है।']);
  });

  it('follow the lines of Markdown and leave links and code whole', () => {
    expect(cut('1. Do this. And that.\n2. Next one\n- item\nwrapped line.\n\nNew paragraph')).toEqual([
      '1. Do this.',
      'And that.',
      '2. Next one',
      '- item\nwrapped line.',
      'New paragraph',
    ]);
    expect(cut('[Foo. Bar](http://x.y "A. B") is `a. B` here. Then.')).toEqual([
      '[Foo. Bar](http://x.y "A. B") is `a. B` here.',
      'Then.',
    ]);
  });

  it('cover every non-blank character once, in order, and cut no grapheme', () => {
    const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
    forAll(runs(500), awkward, (text) => {
      const bounds = new Set([text.length, ...Array.from(graphemes.segment(text), ({ index }) => index)]);
      let at = 0;
      for (const { start, end } of sentences(text)) {
        expect(text.slice(at, start).trim()).toBe('');
        expect(end).toBeGreaterThan(start);
        expect(bounds.has(start) && bounds.has(end)).toBe(true);
        at = end;
      }
      expect(text.slice(at).trim()).toBe('');
    });
  });
});
