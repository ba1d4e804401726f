// Second stage, alone.
import { describe, expect, it } from 'vitest';
import { createAddressFilter } from '../../../src/domain/links/addresses.ts';
import { cleanLine } from '../../../src/domain/text/clean-text.ts';
import { countWords, layOutTranscript, maxBlocks, type Block } from '../../../src/domain/records/texts/document.ts';
import { headingName } from '../../../src/domain/text/plain-text.ts';
import { outlineOf } from '../../../src/domain/records/texts/outline.ts';
import { createQuoteFinder } from '../../../src/domain/text/quotes.ts';
import { sentences } from '../../../src/domain/text/sentences.ts';
import { bestWindow } from '../../../src/domain/text/window.ts';

/* Millions of characters: what is quadratic takes hours, and the runner's time limit is the assertion; what matches all at once overflows the stack. */
describe('a text of millions of characters', { timeout: 60_000 }, () => {
  it.each(['.', '。', '.)', '\n', '\u0301'])('is cut into sentences even if it is all %j', (unit) => {
    const text = unit.repeat(6_000_000 / unit.length);
    const found = sentences(`Begin. ${text}x`);
    expect(found[0]).toMatchObject({ start: 0 });
    expect(found.at(-1)).toMatchObject({ end: 'Begin. '.length + text.length + 1 });
  });

  it('is searched for a quote at its end after millions of words, marks or half quotes', () => {
    const quote = 'the “harbour”  wakes early';
    for (const before of ['a '.repeat(3_500_000), 'é\u0301'.repeat(200_000), 'ﷺ'.repeat(200_000)]) {
      const text = `${before} The harbour: the "harbour" wakes early.`;
      const span = createQuoteFinder(text)(quote);
      expect(span === null ? null : text.slice(span.start, span.end)).toBe('the "harbour" wakes early');
    }
  });

  it('is given up for a quote that cuts words at every occurrence', () => {
    expect(createQuoteFinder('ab '.repeat(2_000_000))(`${'ab '.repeat(600)}a`)).toBeNull();
    expect(createQuoteFinder('a'.repeat(4_000_000))('a'.repeat(1_999))).toBeNull();
  });

  it('has its words counted however long they are', () => {
    expect(countWords(`two words ${'é\u0301'.repeat(2_000_000)}漢`)).toBeGreaterThan(3);
  });

  it('is searched for addresses', () => {
    const text = `${'a.b.'.repeat(500_000)} see https://a.example/b ${'x@'.repeat(500_000)}`;
    const own = createAddressFilter(text);
    expect(own('At https://a.example/b and https://b.example/c.')).toBe('At https://a.example/b and […].');
  });

  it('is made one line without invisible characters', () => {
    const run = '\u200b'.repeat(300_000);
    expect(cleanLine(`${run}a${run}b${run}`)).toBe('ab');
  });
});

describe('a text of millions of blocks', () => {
  const block = (nth: number): Block => ({
    kind: 'heading',
    level: 1,
    text: `# ${nth}`,
    locator: { kind: 'page', page: nth + 1 },
  });
  const blocks = Array.from({ length: 4 * maxBlocks + 1 }, (_, nth) => block(nth));

  it('is laid out whole in a limited number of contiguous blocks', () => {
    const { text, blocks: placed } = layOutTranscript(blocks);
    expect(text).toBe(blocks.map((one) => one.text).join('\n\n'));
    expect(placed.length).toBeLessThanOrEqual(maxBlocks);
    let at = 0;
    for (const { start, end } of placed) {
      expect(start).toBe(at);
      at = end + '\n\n'.length;
    }
    expect(placed.at(-1)?.end).toBe(text.length);
    const third = placed[2];
    expect(third?.locator).toEqual({ kind: 'page', page: Number(text.slice(third?.start).slice(2, 5).trim()) + 1 });
  });

  it('keeps its blocks when there are not too many', () => {
    const { blocks: placed } = layOutTranscript(blocks.slice(0, maxBlocks));
    expect(placed).toHaveLength(maxBlocks);
    expect(placed.every(({ kind, level }) => kind === 'heading' && level === 1)).toBe(true);
  });

  it('has an outline, even for a recording with more cues than a call can have arguments', () => {
    const cues = Array.from({ length: 200_000 }, (_, nth) => ({
      start: 2 * nth,
      end: 2 * nth + 1,
      kind: 'caption' as const,
      locator: { kind: 'time' as const, seconds: nth },
    }));
    const outline = outlineOf({ text: 'a '.repeat(200_000), blocks: cues }, 60);
    expect(outline.length).toBeGreaterThan(1);
    expect(outline.length).toBeLessThanOrEqual(61);
  });
});

describe('the title from a heading', () => {
  it('is its visible text on one line', () => {
    expect(headingName('## The *quiet*  [harbour](https://a.example/b) ##')).toBe('The quiet harbour');
  });

  it('is short, however long the heading is', () => {
    const name = headingName(`# ${'harbour '.repeat(1_000_000)}`);
    expect(name).toMatch(/^harbour .*…$/);
    expect(name.length).toBeLessThanOrEqual(300);
  });
});

describe('the window of a passage with many matches', () => {
  it('is the first of the shortest ones with the most words', () => {
    const text = 'Rain! '.repeat(30_000);
    const matches = Array.from({ length: 30_000 }, (_, nth) => ({ start: 6 * nth, end: 6 * nth + 4 }));
    expect(bestWindow(text, matches, 60_000)).toEqual({ start: 0, end: 59_999 });
  });
});
