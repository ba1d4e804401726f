import { expect, it } from 'vitest';
import { SharedPlaces } from '../../src/domain/turns/shared-places.ts';
import { ReadingFirst } from '../../src/pipeline/queue/reading-first.ts';

function placesOf(total: number) {
  return { read: new SharedPlaces({ total, reserved: 0 }), enrich: new SharedPlaces({ total, reserved: 0 }) };
}

it('enriches when an account reads nothing, and one item beside its reading after fifteen seconds without a break', () => {
  const places = placesOf(1);
  const first = new ReadingFirst(places);
  expect(first.roomToEnrich('a', 0)).toBe(1);
  first.noteReading('a', 1_000);
  const reading = places.read.tryTake('a')!;
  expect([15_999, 16_000].map((now) => first.roomToEnrich('a', now))).toEqual([0, 1]);
  expect(first.roomToEnrich('b', 16_000)).toBe(1);
  reading.leave();
  expect(first.roomToEnrich('a', 16_000)).toBe(1);
});

it('counts from the beginning of what an account reads now, also when nothing of what it read before was to be enriched', () => {
  const places = placesOf(1);
  const first = new ReadingFirst(places);
  first.noteReading('a', 0);
  places.read.tryTake('a')!.leave();
  first.noteReading('a', 60_000);
  places.read.tryTake('a');
  expect(first.roomToEnrich('a', 60_001)).toBe(0);
});
