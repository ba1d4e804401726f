// Second stage, alone.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Caption, readChapters, readStampedText } from '../../src/domain/captions/timed-lines.ts';
import { parseCaptions } from '../../src/domain/captions/caption-formats.ts';
import { readCaptionXml } from '../../src/sources/captions/read-captions.ts';
import { growthOf, maxGrowth } from '../support/texts/growth.ts';
import { forAll } from '../support/for-all.ts';
import { runs } from '../support/vitest/thorough.ts';

const parse = (text: string): Caption[] => parseCaptions(text, readCaptionXml);
const brief = (text: string) => parse(text).map(({ start, duration, text }) => [start, duration, text]);

describe('captions', () => {
  it('are read from WebVTT, with speakers and without notes, styles and tags', () => {
    const vtt = `\ufeffWEBVTT - a talk
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

STYLE
::cue { color: red }

NOTE 00:00:09.000 is not
a cue --> at all

intro
00:00:01.000 --> 00:00:02.500 align:start position:0%
<v.loud Ann Lee>Fish &amp; <i.x>chips</i>,
a &lt;tag&gt;

1
01:00:00.250 --> 01:00:01.000
<00:00:00.300><c> two</c> 3 < 4
42

bad --> times
00:10 --> 00:12
short`;
    expect(parse(vtt)).toEqual([
      { start: 1, duration: 1.5, text: 'Fish & chips,\na <tag>', speaker: 'Ann Lee' },
      { start: 10, duration: 2, text: 'short' },
      { start: 3600.25, duration: 0.75, text: 'two 3 < 4\n42' },
    ]);
  });

  it('are read from real-world SRT', () => {
    const srt =
      '1\r\n00:00:01,000 --> 00:00:02,000\r\n<font color="red">One</font>\r\n\r\nstill one\r\n\r\n2\r\n00:00:03,5 --> 00:00:04,000\r\n42\r\n\r\n3\r\n0:00:05,000 --> 0:00:06,000\r\nlast\r\n4\r\n00:00:07,000 --> 00:00:08,000\r\nno blank before{\\an8}{\\k20\\bord2}{\\alpha&H80&}, x^{\\alpha}';
    expect(brief(srt)).toEqual([
      [1, 1, 'One\nstill one'],
      [3.5, 0.5, '42'],
      [5, 1, 'last'],
      [7, 1, 'no blank before, x^{\\alpha}'],
    ]);
  });

  it.each([
    [
      'srv1',
      '<?xml version="1.0"?><transcript><text start="1.5" dur="2">it&amp;#39;s &lt;i>so&lt;/i></text><text start="9"/><text start="4">end</text></transcript>',
    ],
    [
      'srv3',
      '<timedtext format="3"><head><ws id="0"/></head><body><p t="1500" d="2000" w="1"><s>it&#39;s</s><s t="9"> so</s></p><p t="1600" a="1">\n</p><p t="4000">end</p></body></timedtext>',
    ],
    [
      'TTML',
      '<tt xmlns="http://www.w3.org/ns/ttml"><head><metadata><ttm:title>T</ttm:title></metadata><styling><style xml:id="s"/></styling></head><body><div><p begin="00:00:01.500" end="00:00:03.500">it\'s <span>so</span></p><tt:p begin="4s">end</tt:p></div></body></tt>',
    ],
    [
      'json3',
      JSON.stringify({
        events: [
          { tStartMs: 1_500, dDurationMs: 2_000, segs: [{ utf8: "it's" }, { utf8: ' so' }] },
          { tStartMs: 1_600, aAppend: 1, segs: [{ utf8: '\n' }] },
          { id: 1 },
          { tStartMs: 4_000, segs: [{ utf8: 'end' }] },
        ],
      }),
    ],
    ['SBV', "0:00:01.500,0:00:03.500\nit's so\n\n0:00:04.000,0:00:04.000\nend\n"],
  ])('are read from %s', (format, text) => {
    expect(brief(text)).toEqual([
      [1.5, 2, "it's so"],
      [4, format === 'SBV' ? 0 : null, 'end'],
    ]);
  });

  it.each([
    '',
    'words',
    '{"events":[null,{"segs":3},{"tStartMs":"x","segs":[{"utf8":"a"}]}]}',
    '{',
    '<p t="x">a</p>',
    '<p t="-5">a</p>',
    'WEBVTT',
    '[1]',
    '<p begin="5f">a</p>',
  ])('are not found in %j', (text) => {
    expect(parse(text)).toEqual([]);
  });

  const word = fc.stringMatching(/^[\p{L}][\p{L}\p{N}'’,.!?-]{0,9}$/u);
  const cue = fc.record({ gap: fc.nat({ max: 5_000 }), words: fc.array(word, { minLength: 1, maxLength: 6 }) });
  const clock = (millis: number, mark: string) =>
    `${new Date(millis).toISOString().slice(11, 19)}${mark}${String(millis % 1_000).padStart(3, '0')}`;

  it('keep every word and time in any format', () => {
    forAll(runs(50), fc.array(cue, { minLength: 1, maxLength: 20 }), (cues) => {
      let at = 0;
      const timed = cues.map(({ gap, words }) => ({ from: (at += gap), to: (at += 700), text: words.join(' ') }));
      const expected = timed.map(({ from, text }) => [from / 1_000, 0.7, text]);
      const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      const srt = timed.map(
        ({ from, to, text }, index) => `${index + 1}\n${clock(from, ',')} --> ${clock(to, ',')}\n${text}\n`,
      );
      expect(brief(srt.join('\n'))).toEqual(expected);
      const vtt = timed.map(({ from, to, text }) => `${clock(from, '.')} --> ${clock(to, '.')}\n${escape(text)}\n`);
      expect(brief(`WEBVTT\n\n${vtt.join('\n')}`)).toEqual(expected);
      const xml = timed.map(({ from, text }) => `<p t="${from}" d="700">${escape(text)}</p>`);
      expect(brief(`<timedtext>${xml.join('')}</timedtext>`)).toEqual(expected);
      const events = timed.map(({ from, text }) => ({ tStartMs: from, dDurationMs: 700, segs: [{ utf8: text }] }));
      expect(brief(JSON.stringify({ events }))).toEqual(expected);
    });
  });

  it('never throw, whatever the input, and are in order', () => {
    const scrap = fc.constantFrom(
      'WEBVTT\n\n',
      '1\n',
      '00:00:01.000 --> 00:00:02.000\n',
      '\n\n',
      '<v A>',
      '<p t="1" d="2">',
      '</p>',
      '<text start="1">',
      '&#x110000;',
      '&#0;',
      '&lt;',
      '{"events":[',
      '<',
      '<i ',
      '-->',
      'NOTE',
      '\u0000',
      '\ud800',
      '99999:99:99.999 --> 1:00',
    );
    const mixed = fc
      .array(fc.oneof(scrap, fc.string({ unit: 'grapheme' })), { maxLength: 30 })
      .map((parts) => parts.join(''));
    forAll(runs(300), mixed, (text) => {
      const captions = parse(text);
      for (const [index, { start, text }] of captions.entries()) {
        expect(start).toBeGreaterThanOrEqual(captions[index - 1]?.start ?? 0);
        expect(text.trim()).not.toBe('');
      }
      readStampedText(text);
      readChapters(text);
    });
  });

  it.each(['<i ', '<v ', '&', '00:', '\n', '<p t="1">', '<br', '1:00 ', '[', '-->', '<00:', '\t'])(
    'take time in proportion to their length: %j',
    (scrap) => {
      const read = (text: string): void => {
        parse(text);
        parse(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}`);
        readStampedText(text);
        readChapters(text);
      };
      expect(growthOf((size) => scrap.repeat(size / scrap.length), read, 25_000)).toBeLessThan(maxGrowth);
    },
  );
});

describe('a pasted transcript', () => {
  it('is recognised by its times', () => {
    expect(readStampedText('0:00\nHello there\n0:05\n\nall of you\n1:02:03 the end')).toEqual([
      { start: 0, duration: 5, text: 'Hello there' },
      { start: 5, duration: 3_718, text: 'all of you' },
      { start: 3_723, duration: null, text: 'the end' },
    ]);
    expect(readStampedText('[00:01] a\n[00:02] b\n(00:03) c')?.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    'Notes\n0:00 a\n0:01 b\n0:02 c',
    '0:00 a\n0:01 b',
    '5:00 a\n4:00 b\n6:00 c',
    '12:30pm a\n13:00x b',
    'just words',
  ])('is not recognised in %j', (text) => {
    expect(readStampedText(text)).toBeNull();
  });
});

describe('chapters of a description', () => {
  it('follow the rules of the player', () => {
    expect(readChapters('Hi\n0:00 Intro\n• 1:30 – The middle\nText\n(1:00:00) End\n')).toEqual([
      { start: 0, title: 'Intro' },
      { start: 90, title: 'The middle' },
      { start: 3_600, title: 'End' },
    ]);
    expect(readChapters('0:00 Intro\n1:00 End')).toEqual([]);
    expect(readChapters('0:10 Late\n1:00 Middle\n2:00 End')).toEqual([]);
  });
});
