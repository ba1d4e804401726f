import { expect, test } from 'vitest';
import { growthOf, type Sample } from './figures.ts';

const run = (memory: (at: number) => number): Sample[] =>
  Array.from({ length: 900 }, (_, at) => ({
    at,
    memory: memory(at),
    handles: 60,
    logs: 1,
    latency: 10 + at,
    control: 5 + at / 2,
    ratio: 2,
  }));

test.each([
  ['stays the same', () => 300, true],
  ['grows while caches fill, and then no more', (at: number) => Math.min(300, at), true],
  ['has peaks, such as a backup', (at: number) => (at % 50 === 0 ? 900 : 300), true],
  ['goes up and down', (at: number) => 300 + 40 * Math.sin(at), true],
  ['grows all the time', (at: number) => 300 + at / 5, false],
  ['grows in the second half alone', (at: number) => 300 + Math.max(0, at - 450) / 5, false],
])('memory that %s', (_, memory, isFlat) => {
  expect(growthOf('memory', run(memory)).isFlat).toBe(isFlat);
});

test('a growth is reported in the unit of its figure', () => {
  expect(
    growthOf(
      'memory',
      run((at) => at),
    ).growth,
  ).toBeCloseTo(449, -1);
});

test('slower answers are judged against the control', () => {
  const samples = run(() => 300);
  expect(growthOf('latency', samples)).toMatchObject({ isFlat: null });
  expect(growthOf('ratio', samples)).toMatchObject({ isFlat: true, growth: 0 });
  const slower = samples.map((sample) => ({ ...sample, ratio: 2 + sample.at / 450 }));
  expect(growthOf('ratio', slower)).toMatchObject({ isFlat: false });
});

test.each([
  ['swing slowly', (at: number) => 30 + 20 * Math.sin(at / 200), true],
  ['grow', (at: number) => 10 + at / 10, false],
])('logs that %s', (_, logs, isFlat) => {
  const samples = run(() => 300).map((sample) => ({ ...sample, logs: logs(sample.at) }));
  expect(growthOf('logs', samples).isFlat).toBe(isFlat);
});
