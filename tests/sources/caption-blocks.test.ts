import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caption } from '../../src/domain/captions/timed-lines.ts';
import { parseCaptions } from '../../src/domain/captions/caption-formats.ts';
import { captionBlocks } from '../../src/sources/captions/caption-blocks.ts';

const caption = (start: number, text: string, duration = 2): Caption => ({ start, duration, text });
const texts = (captions: readonly Caption[]) => captionBlocks(captions).map(({ text }) => text);
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

describe('speech', () => {
  it('is laid out in paragraphs of sentences, each with its second', () => {
    const sentence = (index: number) => `Sentence number ${index} goes on until here, where it comes to its end.`;
    const captions = Array.from({ length: 20 }, (_, index) => caption(index * 3, sentence(index), 3));
    const blocks = captionBlocks(captions);
    expect(blocks.length).toBeGreaterThan(3);
    for (const { text, locator } of blocks) {
      expect(text.length).toBeLessThan(700);
      expect(text).toMatch(/end\.$/);
      const first = Number(/number (\d+)/.exec(text)?.[1]);
      expect(locator).toEqual({ kind: 'time', seconds: first * 3 });
    }
  });

  it('keeps the same words of two speakers', () => {
    const said = (start: number, speaker: string, text: string): Caption => ({ ...caption(start, text, 1), speaker });
    const captions = [
      said(8, 'Ada', 'No.'),
      said(9, 'Tom', 'No.'),
      said(10, 'Ada', 'Then we leave.'),
      said(11, 'Tom', 'Then we leave.'),
    ];
    expect(texts(captions)).toEqual(['Ada: No.', 'Tom: No.', 'Ada: Then we leave.', 'Tom: Then we leave.']);
  });

  it('names each speaker of a shared caption', () => {
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>No.</v>\n<v Tom>No, it is not.</v>';
    expect(texts(parseCaptions(vtt, () => []))).toEqual(['Ada: No.', 'Tom: No, it is not.']);
  });

  it('ends a paragraph at a pause, a chapter and a change of speaker', () => {
    const captions = [
      caption(0, 'one two'),
      caption(2, 'three'),
      caption(9, 'after the pause'),
      caption(11, '>> somebody else. &gt;&gt; And I.'.replaceAll('&gt;', '>')),
      { ...caption(13, 'named'), speaker: 'Ann' },
      { ...caption(15, 'still her'), speaker: 'Ann' },
      caption(17, 'a >> 2 is no speaker'),
      caption(20, 'next chapter'),
    ];
    const blocks = captionBlocks(captions, [{ start: 20.3, title: 'Two' }]);
    expect(blocks.map(({ text }) => text)).toEqual([
      'one two three',
      'after the pause',
      'somebody else.',
      'And I.',
      'Ann: named still her a >> 2 is no speaker',
      '## Two',
      'next chapter',
    ]);
  });

  it('omits sounds and keeps every other remark', () => {
    const captions = [
      caption(0, '[Music]'),
      caption(2, '♪ la la ♪'),
      caption(4, '[Applause] thanks (laughs)'),
      caption(6, '[in French] oui'),
      caption(8, '[Musik]'),
    ];
    expect(texts(captions).join(' ')).toBe('la la thanks [in French] oui');
    expect(captionBlocks([caption(0, '[Music]'), caption(1, '♪♪')])).toEqual([]);
  });

  it('does not repeat rolling captions', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index} of them`);
    const rolling = lines.flatMap((line, index) => {
      const above = lines[index - 1];
      return [
        caption(index * 2, above === undefined ? line : `${above}\n${line}`, 1.99),
        caption(index * 2 + 1.99, line, 0.01),
      ];
    });
    expect(texts(rolling).join(' ')).toBe(lines.join(' '));
    const growing = lines.map((_, index) => caption(index, lines.slice(0, index + 1).join(' '), 1));
    expect(texts(growing).join(' ')).toBe(lines.join(' '));
  });

  it('keeps words that somebody says twice', () => {
    const captions = [
      caption(0, 'no'),
      caption(2, 'no'),
      caption(4, 'I said no'),
      caption(6, 'never'),
      caption(8, 'and yes'),
    ];
    expect(texts(captions)).toEqual(['no no I said no never and yes']);
  });

  it('joins scripts without spaces without one', () => {
    expect(texts([caption(0, '今日は'), caption(2, '晴れです。'), caption(4, 'OK')])).toEqual(['今日は晴れです。 OK']);
  });

  it('loses no word and never goes back in time', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}[.?!]?$/);
    const made = fc.array(
      fc.record({ gap: fc.nat({ max: 20 }), words: fc.array(word, { minLength: 1, maxLength: 12 }) }),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(made, fc.array(fc.nat({ max: 500 }), { maxLength: 4 }), (cues, chapters) => {
        let at = 0;
        // Numbered, so that nothing looks repeated.
        const captions = cues.map(({ gap, words }, index) =>
          caption((at += gap), `w${index} ${words.join(' ')}`, gap / 2),
        );
        const blocks = captionBlocks(
          captions,
          chapters.map((start) => ({ start, title: 'C' })),
        );
        const said = blocks.filter(({ kind }) => kind === 'paragraph');
        expect(said.flatMap(({ text }) => wordsOf(text))).toEqual(captions.flatMap(({ text }) => wordsOf(text)));
        const seconds = said.map(({ locator }) => (locator?.kind === 'time' ? locator.seconds : -1));
        expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
      }),
    );
  });
});
