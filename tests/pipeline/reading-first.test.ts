import { describe, expect, it } from 'vitest';
import { SharedPlaces } from '../../src/domain/turns/shared-places.ts';
import { ReadingFirst } from '../../src/pipeline/queue/account-turns.ts';

const onePlace = () => new SharedPlaces({ total: 1, reserved: 0 });

describe('separate slots for reading and enriching', () => {
  it('enrich when an account reads nothing, and one item after fifteen seconds of continuous short readings', () => {
    const places = { read: onePlace(), enrich: onePlace() };
    const first = new ReadingFirst(places);
    expect(first.roomToEnrich('a', 0)).toBe(1);
    for (let second = 0; second < 15; second += 1) {
      const reading = places.read.tryTake('a')!;
      expect(first.roomToEnrich('a', second * 1_000)).toBe(0);
      // The next item is claimed before anything is looked for to enrich.
      reading.leave();
    }
    const reading = places.read.tryTake('a')!;
    expect(first.roomToEnrich('a', 15_000)).toBe(1);
    expect(first.roomToEnrich('b', 15_000)).toBe(1);
    expect(first.isEnrichingNext(60_000)).toBe(false);
    reading.leave();
    expect(first.roomToEnrich('a', 15_001)).toBe(1);
  });

  it('start over with new readings after a pause, also when nothing of them was to be enriched', () => {
    const places = { read: onePlace(), enrich: onePlace() };
    const first = new ReadingFirst(places);
    const reading = places.read.tryTake('a')!;
    expect(first.roomToEnrich('a', 0)).toBe(0);
    first.noteNothingWaits('a');
    // What is still read counts.
    expect(first.roomToEnrich('a', 15_000)).toBe(1);
    reading.leave();
    first.noteNothingWaits('a');
    places.read.tryTake('a');
    expect(first.roomToEnrich('a', 60_000)).toBe(0);
  });
});

it('enrich one item before further readings when there is one slot and reading held it for fifteen seconds', () => {
  const only = onePlace();
  const first = new ReadingFirst({ read: only, enrich: only });
  expect(first.isEnrichingNext(0)).toBe(false);
  first.noteGiven('read', 1_000);
  first.noteGiven('read', 9_000);
  expect([15_999, 16_000].map((now) => first.isEnrichingNext(now))).toEqual([false, true]);
  first.noteGiven('enrich', 16_000);
  expect(first.isEnrichingNext(40_000)).toBe(false);
});
