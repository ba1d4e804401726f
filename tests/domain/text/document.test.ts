import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../src/domain/text/clean-text.ts';
import { countWords, layOutTranscript, locatorAt, type Block } from '../../../src/domain/records/texts/document.ts';
import { forAll } from '../../support/for-all.ts';

const block = (text: string, locator?: Block['locator']): Block => ({ text, kind: 'paragraph', locator });

describe('a cleaned text', () => {
  it('has one kind of line ending, no control characters and whole characters', () => {
    expect(cleanText('a\r\nb\rc\u0000d\u001b[31me\tf\ufeff')).toBe('a\nb\ncd[31me\tf');
    expect(cleanText('broken \ud83d pair')).toBe('broken \ufffd pair');
  });

  it('is unchanged when it is cleaned again', () => {
    forAll(fc.string({ unit: 'binary' }), (text) => {
      const cleaned = cleanText(text);
      expect(cleanText(cleaned)).toBe(cleaned);
      expect(cleaned.isWellFormed()).toBe(true);
    });
  });
});

describe('a transcript', () => {
  it('has a blank line between blocks and records their offsets', () => {
    const { text, blocks } = layOutTranscript([
      { text: '# Title', kind: 'heading', level: 1 },
      block('  \n'),
      block('\n\n  indented\nlines  \n'),
      block('end', { kind: 'page', page: 2 }),
    ]);
    expect(text).toBe('# Title\n\n  indented\nlines\n\nend');
    expect(blocks).toEqual([
      { start: 0, end: 7, kind: 'heading', level: 1 },
      { start: 9, end: 25, kind: 'paragraph' },
      { start: 27, end: 30, kind: 'paragraph', locator: { kind: 'page', page: 2 } },
    ]);
  });

  it('contains every block’s text at its offsets, and otherwise only blank lines', () => {
    forAll(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const { text, blocks } = layOutTranscript(texts.map((one) => block(one)));
      expect(blocks.map(({ start, end }) => text.slice(start, end)).join('\n\n')).toBe(text);
      for (const { start, end } of blocks) expect(text.slice(start, end).trim()).not.toBe('');
      for (const [index, { start }] of blocks.entries()) {
        expect(start).toBe(index === 0 ? 0 : (blocks[index - 1]?.end ?? Number.NaN) + 2);
      }
    });
  });

  it('leaves out invisible text', () => {
    expect(layOutTranscript([block('\u200b'), block('\u00ad\u2060 '), block('\u3164')]).text).toBe('');
  });

  it('takes linear time even with a million blanks within a text', () => {
    const { text } = layOutTranscript([{ text: `a${' '.repeat(1_000_000)}b`, kind: 'code' }]);
    expect(text).toHaveLength(1_000_002);
  });
});

describe('the locator of a span', () => {
  const spoken = layOutTranscript([
    block('before any time'),
    block('one', { kind: 'time', seconds: 10 }),
    block('two'),
    block('three', { kind: 'time', seconds: 30.5 }),
  ]);
  const at = (word: string) => {
    const start = spoken.text.indexOf(word);
    return locatorAt(spoken, start, start + word.length);
  };

  it('is the second or page of its block, or of the nearest block before it', () => {
    expect(at('one')).toEqual({ kind: 'time', seconds: 10 });
    expect(at('two')).toEqual({ kind: 'time', seconds: 10 });
    expect(at('hree')).toEqual({ kind: 'time', seconds: 30.5 });
  });

  it('is the span itself where no block has one', () => {
    expect(at('any')).toEqual({ kind: 'text', start: 7, end: 10 });
    expect(locatorAt({ blocks: [] }, 3, 9)).toEqual({ kind: 'text', start: 3, end: 9 });
  });
});

describe('words', () => {
  it.each([
    ['', 0],
    ['  — … 🙂 ', 0],
    ['Two words.', 2],
    ["don’t and doesn't", 3],
    ['mp3 file, 2 MB', 4],
    ['漢字かな', 4],
    ['abc漢字', 3],
    ['コーヒー', 4],
    ['हिन्दी में लिखा', 3],
    ['cafe\u0301 ole\u0301', 2],
    ['한국어 문장', 2],
  ])('%j has %i', (text, count) => {
    expect(countWords(text)).toBe(count);
  });

  it('of two texts add up', () => {
    forAll(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      expect(countWords(`${one} | ${other}`)).toBe(countWords(one) + countWords(other));
    });
  });
});
