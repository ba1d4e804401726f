// Second stage.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutTranscript, type Block } from '../../src/domain/records/texts/document.ts';
import type { SourceLocator } from '../../src/domain/records/texts/locator.ts';
import { splitTranscript } from '../../src/pipeline/splitting/split.ts';
import { markdownBlocks } from '../../src/sources/text/markdown-blocks.ts';
import { hostileString } from '../support/texts/hostile-strings.ts';
import { forAll } from '../support/for-all.ts';
import { isThorough, runs } from '../support/vitest/thorough.ts';

/** Words and marks, as a tokenizer would part them, and long words in pieces of four characters. */
function countTokens(text: string): number {
  let count = 0;
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) count += Math.ceil(word.length / 4);
  return count;
}

const countSlicesOf = (text: string) => (start: number, end: number) => countTokens(text.slice(start, end));

function split(blocks: readonly Block[], maxTokens: number) {
  const transcript = layOutTranscript(blocks);
  const passages = splitTranscript(transcript, countSlicesOf(transcript.text), { maxTokens });
  return { transcript, passages, texts: passages.map(({ start, end }) => transcript.text.slice(start, end)) };
}

const sentence = fc.constantFrom(
  'The tide came in at noon.',
  'Nobody knew why the boats had gone.',
  'A ferry leaves every hour, and comes back with the evening.',
);
const prose = fc.array(sentence, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' '));

describe('a code fence that fits into a passage', () => {
  const mark = fc.constantFrom('```', '~~~', '````', '~~~~~');
  /** Code that holds what a careless reader takes for the end of it, or for the beginning of something else. */
  const line = fc.constantFrom(
    'let tide = 1;',
    '',
    '- not an item',
    '# not a heading',
    '> no quote',
    '| a | b |',
    '``',
    '~~',
  );
  const fence = fc
    .record({ mark, info: fc.constantFrom('', 'js', ' python'), lines: fc.array(line, { minLength: 1, maxLength: 6 }) })
    .map(({ mark: around, info, lines }) => {
      // Shorter fences, those of the other kind and those with a language stand inside as text.
      const other = around.startsWith('`') ? '~~~' : '```';
      return [`${around}${info}`, ...lines, other, `${around}js`, other, around];
    });
  const placed = fc.oneof(
    fence.map((lines) => lines.join('\n')),
    fc
      .tuple(prose, fence)
      .map(([text, lines]) => `- ${text}\n\n${lines.map((one) => `  ${one}`).join('\n')}\n- ${text}`),
    fc
      .tuple(prose, fence)
      .map(
        ([text, [first = '', ...lines]]) => `1. ${first}\n${lines.map((one) => `   ${one}`).join('\n')}\n2. ${text}`,
      ),
    fc.tuple(prose, fence).map(([text, lines]) => `> ${text}\n${lines.map((one) => `> ${one}`).join('\n')}\n> ${text}`),
  );

  it('is never split: not in a list, not in a quote, not with other fences inside', () => {
    const markdown = fc.array(fc.oneof(prose, placed), { minLength: 1, maxLength: 6 });
    forAll(runs(400), markdown, fc.integer({ min: 60, max: 120 }), (parts, maxTokens) => {
      const { texts } = split(markdownBlocks(parts.join('\n\n')), maxTokens);
      for (const text of texts) expect(openFence(text), text).toBe(false);
    });
  });

  it('is treated as code where it is indented, too', () => {
    const code = Array.from({ length: 10 }, (_, i) => `    tide(${i})`).join('\n');
    const { texts } = split(
      markdownBlocks(`${'Some words. '.repeat(20)}\n\n${code}\n\n${'Some words. '.repeat(20)}`),
      64,
    );
    // What stands before the first visible character belongs to no passage.
    expect(texts).toContainEqual(expect.stringContaining(code.trim()));
  });

  /** Whether a fence is opened in `text` and not closed, by the rules of CommonMark as far as the fences above need them. */
  function openFence(text: string): boolean {
    let open = '';
    for (const one of text.split('\n')) {
      const [, marks = '', rest = ''] = /^[ >]*(?:(?:-|\d\.) +)*(`{3,}|~{3,})(.*)$/.exec(one) ?? [];
      if (marks === '') continue;
      if (open === '') open = marks;
      else if (marks.startsWith(open) && rest === '') open = '';
    }
    return open !== '';
  }
});

describe('a passage', () => {
  it('never begins after an abbreviation or an initial', () => {
    const abbreviated = fc.constantFrom(
      'Yesterday Dr. Weber came by boat.',
      'Many insects, e.g. Bees and moths, fly at dusk.',
      'Since Jan. 5 nothing has moved.',
      'Then the U.S. Navy left the harbour.',
      'Man nimmt z. B. Honig oder Wachs.',
      'Man nimmt z.B. Honig oder Wachs.',
      'We read J. R. R. Tolkien by the fire.',
      'See pp. 3 and Fig. 4 of the log.',
      'The ship of Mr. Jones vs. St. Mary was lost.',
      'Prof. Ada M. Tester wrote it down.',
      'At 5 p.m. Berlin time it was 3.5 degrees.',
      'It is made by Tide Inc. Boston and others.',
    );
    const openings = /^(?:Yesterday|Many|Since|Then|Man|We|See|The|Prof|At|It|Nobody|A ferry)\b/;
    forAll(fc.array(fc.oneof(abbreviated, sentence), { minLength: 8, maxLength: 40 }), (parts) => {
      for (const text of split([{ kind: 'paragraph', text: parts.join(' ') }], 60).texts) {
        expect(text).toMatch(openings);
        expect(parts).toContainEqual(expect.stringMatching(new RegExp(`${text.slice(-8).replaceAll('.', '\\.')}$`)));
      }
    });
  });

  it('never splits an emoji sequence, a flag, a letter with its marks, a syllable or a line ending', () => {
    const cluster = fc.constantFrom(
      '👩‍👩‍👧‍👦',
      '👍🏽',
      '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
      '🇩🇪',
      '🇫🇷',
      'e\u0301\u0302',
      'ก็',
      'नि',
      '\u1112\u1161\u11ab',
      '한',
      '1️⃣',
      '\r\n',
      'a',
      ' ',
    );
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    forAll(
      fc.array(cluster, { minLength: 10, maxLength: 400 }),
      fc.integer({ min: 4, max: 12 }),
      (clusters, maxTokens) => {
        const { transcript, passages } = split([{ kind: 'paragraph', text: clusters.join('') }], maxTokens);
        const bounds = new Set([transcript.text.length]);
        for (const { index } of segmenter.segment(transcript.text)) bounds.add(index);
        for (const { start, end } of passages) expect(bounds.has(start) && bounds.has(end)).toBe(true);
      },
    );
  });

  it('names the headings above it, and never precedes the previous one', () => {
    const part = fc.record({
      level: fc.integer({ min: 0, max: 4 }),
      text: prose,
      step: fc.integer({ min: 0, max: 2 }),
      placed: fc.boolean(),
    });
    const kinds = fc.constantFrom('page' as const, 'time' as const);
    forAll(fc.array(part, { minLength: 1, maxLength: 30 }), kinds, (parts, kind) => {
      let place = 1;
      const blocks = parts.map(({ level, text, step, placed }, i): Block => {
        place += step;
        const locator: SourceLocator = kind === 'page' ? { kind, page: place } : { kind, seconds: place };
        return {
          ...(level === 0
            ? { kind: 'paragraph', text }
            : { kind: 'heading', level, text: `${'#'.repeat(level)} Heading ${i}` }),
          ...(placed && { locator }),
        };
      });
      const { transcript, passages } = split(blocks, 60);
      let before = 0;
      let at = 0;
      for (const { start, end, headingPath, locator } of passages) {
        // Everything once: between two passages there is nothing to see.
        expect(transcript.text.slice(at, start).trim()).toBe('');
        at = end;
        const now = locator.kind === 'page' ? locator.page : locator.kind === 'time' ? locator.seconds : before;
        expect(now).toBeGreaterThanOrEqual(before);
        before = now;
        const above: { level: number; name: string }[] = [];
        for (const [i, block] of transcript.blocks.entries()) {
          const level = parts[i]?.level ?? 0;
          if (level === 0 || block.start >= end) continue;
          while ((above.at(-1)?.level ?? 0) >= level) above.pop();
          above.push({ level, name: `Heading ${i}` });
        }
        expect(headingPath).toEqual(above.map(({ name }) => name));
      }
      expect(transcript.text.slice(at).trim()).toBe('');
    });
  });
});

/* What is quadratic takes hours for a million characters, and longer than the runner waits for a quarter of that: its time limit is the assertion. */
describe('a hostile megabyte', () => {
  const length = isThorough ? 1_000_000 : 250_000;

  it.each([
    ['paragraph', 'one long word'],
    ['paragraph', 'lines that end in spaces'],
    ['paragraph', 'abbreviations with dots'],
    ['paragraph', 'numbers with dots'],
    ['paragraph', 'families of emoji'],
    ['paragraph', 'flags'],
    ['list', 'fence openings of two kinds'],
    ['list', 'backticks'],
    ['code', 'table rows'],
    ['table', 'ideographs'],
  ] as const)('is split as a %s of %s', { timeout: 60_000 }, (kind, name) => {
    const { transcript, passages } = split([{ kind, text: hostileString(name, length) }], 250);
    const visible = (whole: string): number => whole.replaceAll(/\s+/g, '').length;
    const kept = passages.reduce((sum, { start, end }) => sum + visible(transcript.text.slice(start, end)), 0);
    expect(kept).toBe(visible(transcript.text));
    expect(kept).toBeGreaterThan(0);
  });
});
