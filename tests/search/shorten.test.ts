import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../src/domain/text/token-budget.ts';
import { shortenTexts } from '../../src/search/shorten.ts';
import { forAll } from '../support/for-all.ts';

const mark = '[cut; more tokens show all]';

describe('shortening a record', () => {
  it('leaves one that fits unchanged', () => {
    const record = { id: 'c_1', title: 'x'.repeat(300) };
    expect(shortenTexts(record, 100)).toBe(record);
  });

  it('cuts the longest texts first and marks where', () => {
    const record = { title: 'A title', notes: 'n'.repeat(4_000), summary: 's'.repeat(200) };
    const shorter = shortenTexts(record, 200);
    expect(shorter).toMatchObject({ title: 'A title', summary: record.summary });
    expect(shorter.notes.endsWith(mark)).toBe(true);
    expect(tokensOf(shorter)).toBeLessThanOrEqual(200);
    expect(tokensOf(shorter)).toBeGreaterThan(120);
  });

  it('reaches texts within lists and records', () => {
    const record = { warnings: [{ code: 'partial', message: 'm'.repeat(3_000) }] };
    expect(shortenTexts(record, 100).warnings[0]?.message).toContain(mark);
  });

  it('keeps a quote an exact slice', () => {
    const quote = '🙂 word '.repeat(500);
    const shorter = shortenTexts({ text: quote, quote }, 200);
    expect(quote.startsWith(shorter.quote)).toBe(true);
    expect(shorter.quote.isWellFormed()).toBe(true);
    expect(shorter.text).toContain(mark);
  });

  it('cuts addresses and tags only as a last resort, and ids never', () => {
    const url = `https://example.com/${'a'.repeat(400)}`;
    const tags = Array.from({ length: 50 }, (_, index) => `${index} ${'t'.repeat(90)}`);
    expect(shortenTexts({ id: 'c_1', url, notes: 'n'.repeat(900) }, 200)).toMatchObject({ id: 'c_1', url });
    const shorter = shortenTexts({ id: 'c_aaaaaaaaaaaaaaaa', url, tags }, 400);
    expect(shorter.id).toBe('c_aaaaaaaaaaaaaaaa');
    expect(shorter.tags).toHaveLength(50);
    expect(tokensOf(shorter)).toBeLessThanOrEqual(400);
  });

  it('may prefer a smaller target than its limit', () => {
    const record = { title: 'short', url: `https://example.com/${'a'.repeat(400)}` };
    expect(shortenTexts(record, 50, 200)).toEqual(record);
  });

  it('meets the budget for any record', () => {
    forAll(
      fc.record({
        title: fc.string({ unit: 'binary', maxLength: 5_000, size: 'max' }),
        url: fc.string({ unit: 'binary', maxLength: 2_048, size: 'max' }),
        tags: fc.array(fc.string({ maxLength: 100, size: 'max' }), { maxLength: 50, size: 'max' }),
        author: fc.option(fc.string({ maxLength: 1_000, size: 'max' })),
      }),
      fc.integer({ min: 400, max: 5_000 }),
      (record, maxTokens) => {
        expect(tokensOf(shortenTexts(record, maxTokens))).toBeLessThanOrEqual(maxTokens);
      },
    );
  });
});
