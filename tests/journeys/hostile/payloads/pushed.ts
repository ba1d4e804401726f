import { hostileStrings } from '../../../support/texts/hostile-strings.ts';
import type { PushedPayload } from './payload.ts';

const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));
const pushed = (name: string, fields: () => Record<string, unknown>, isSlow = false): PushedPayload => ({
  kind: 'pushed',
  name,
  fields,
  isSlow,
});

const captions: PushedPayload[] = [
  pushed('captions that each repeat the one before', () => ({
    captions: Array.from({ length: 600 }, (_, at) => ({ start: at, text: repeated('again and ', 1_000) })),
  })),
  pushed('captions of one growing line', () => ({
    captions: Array.from({ length: 1_000 }, (_, at) => ({ start: at, text: repeated('grow ', at) })),
  })),
  pushed(
    '200,000 captions of one letter',
    () => ({
      captions: Array.from({ length: 200_000 }, (_, at) => ({ start: at, text: 'a' })),
    }),
    true,
  ),
  pushed('600 kB of WebVTT that repeats itself', () => ({
    captions: `WEBVTT\n\n${repeated('00:00.000 --> 00:01.000\nthe same words\n\n', 600_000)}`,
  })),
  pushed('WebVTT of tags', () => ({
    captions: `WEBVTT\n\n00:00.000 --> 00:01.000\n${repeated('<c><00:00:00.100>', 600_000)}`,
  })),
  pushed('stamped lines without words', () => ({ text: repeated('0:00\n', 600_000) })),
];

const texts: PushedPayload[] = [
  pushed('400,000 closing parentheses', () => ({ text: repeated(')', 400_000) })),
  pushed('9 MB of one word', () => ({ text: repeated('a', 9_000_000) }), true),
  pushed('9 MB of short words', () => ({ text: repeated('a b c d ', 9_000_000) }), true),
  pushed('9 MB of headings', () => ({ text: repeated('# a\n\nb\n\n', 9_000_000) }), true),
  pushed('2 MB of paragraphs', () => ({
    text: repeated('Somebody wrote a sentence here, and another one. ', 2_000_000),
  })),
  pushed('escaped NULs', () => ({ text: repeated('\0', 300_000) })),
  pushed('a title of tags and controls', () => ({
    title: repeated('\u202e\u{e0041}', 900),
    text: 'Some words to keep.',
  })),
];

const html: PushedPayload[] = [
  pushed('HTML nested 50,000 deep', () => ({ html: `<article>${'<b>'.repeat(50_000)}text` }), true),
  pushed('HTML of comments', () => ({ html: repeated('<!--', 600_000) })),
];

/** A text full of one thing. */
const full: PushedPayload[] = hostileStrings(100_000)
  .filter((_, at) => at % 3 === 1)
  .map(({ name, text }) => ({ ...pushed(`text full of ${name}`, () => ({ text })), isOneOfMany: true }));

export const pushedTexts: readonly PushedPayload[] = [...captions, ...texts, ...html, ...full];
