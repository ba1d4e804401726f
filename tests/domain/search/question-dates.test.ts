import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrowest, spanOfDate, startOfDate } from '../../../src/domain/search/dates.ts';
import { datesIn, type QuestionDates } from '../../../src/domain/search/question-dates.ts';
import { forAll } from '../../support/for-all.ts';

const now = Date.parse('2026-03-06T09:00:00Z'); // a Friday
const span = (since: string, before: string) => ({
  since: Date.parse(`${since}T00:00:00Z`),
  before: Date.parse(`${before}T00:00:00Z`),
});

describe('dates in a question', () => {
  it.each<[string, QuestionDates]>([
    ['what was written in 2016?', { published: span('2016-01-01', '2017-01-01') }],
    ['What have I saved that was written in 2016?', { published: span('2016-01-01', '2017-01-01') }],
    ['what I saved in 2025 about tea', { saved: span('2025-01-01', '2026-01-01') }],
    ['the 2019 paper on genes', { published: span('2019-01-01', '2020-01-01') }],
    ['posts from December 2025 about jobs', { published: span('2025-12-01', '2026-01-01') }],
    ['the post of December 5th, 2025', { published: span('2025-12-05', '2025-12-06') }],
    ['der Artikel vom 5. März 2024', { published: span('2024-03-05', '2024-03-06') }],
    ['saved this week', { saved: span('2026-03-02', '2026-03-09') }],
    ['and last week?', { saved: span('2026-02-23', '2026-03-02') }],
    ['was habe ich letzte Woche gespeichert', { saved: span('2026-02-23', '2026-03-02') }],
    ['what did I save yesterday', { saved: span('2026-03-05', '2026-03-06') }],
    ['things I saved in the last few days', { saved: span('2026-03-02', '2026-03-07') }],
    ['published last month', { published: span('2026-02-01', '2026-03-01') }],
    ['essays from last year', { published: span('2025-01-01', '2026-01-01') }],
    [
      'saved this month and published in 2020',
      { saved: span('2026-03-01', '2026-04-01'), published: span('2020-01-01', '2021-01-01') },
    ],
  ])('reads %j', (question, dates) => {
    expect(datesIn(question, now)).toEqual(dates);
  });

  it.each([
    'how to sleep',
    '2016',
    'Windows 2000 drivers',
    'may I ask',
    'in 5 minutes',
    'this is last',
    'in 12016',
    'libraries today',
    '',
  ])('finds none in %j', (question) => {
    expect(datesIn(question, now)).toEqual({});
  });

  it('reads any question, and a period always begins before it ends', () => {
    const words = ['in', 'may', '2024', '31', 'last', 'this', 'week', 'month', 'year', 'today', 'saved', 'published'];
    forAll(fc.array(fc.constantFrom(...words)), fc.integer({ min: 0, max: 4e12 }), (some, at) => {
      for (const { since, before } of Object.values(datesIn(some.join(' '), at)))
        expect(since).toBeLessThan(before as number);
    });
  });
});

describe('a typed date', () => {
  it.each([
    ['2024', '2024-01-01', '2025-01-01'],
    ['2024-12', '2024-12-01', '2025-01-01'],
    ['2024-02-29', '2024-02-29', '2024-03-01'],
  ])('%s lasts from %s to %s', (date, since, before) => {
    expect(spanOfDate(date)).toEqual(span(since, before));
  });

  it.each(['', '24', '2024-13', '2023-02-29', '2024-2', 'today', '2024-01-01T00'])('is not %j', (text) => {
    expect(startOfDate(text)).toBeNull();
  });

  it('may include a time, in any zone', () => {
    expect(startOfDate('2024-05-01T02:00:00+02:00')).toBe(Date.parse('2024-05-01T00:00:00Z'));
    expect(startOfDate('2024-05')).toBe(Date.parse('2024-05-01T00:00:00Z'));
  });

  it('narrows another one, in either order', () => {
    const time = fc.option(fc.integer(), { nil: undefined });
    const some = fc.record({ since: time, before: time });
    forAll(some, some, fc.integer(), (one, other, at) => {
      const isIn = ({ since = -Infinity, before = Infinity }: typeof one) => at >= since && at < before;
      expect(narrowest(one, other)).toEqual(narrowest(other, one));
      expect(isIn(narrowest(one, other) as typeof one)).toBe(isIn(one) && isIn(other));
    });
  });
});
