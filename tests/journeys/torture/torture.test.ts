import { expect, test } from 'vitest';
import { seed } from '../../support/vitest/seed.ts';
import { isThorough } from '../../support/vitest/thorough.ts';
import { torture } from './torture.ts';

/** A run of the torture itself makes 10,000 (docs/reliability.md). */
const kills = isThorough ? 50 : 10;

test(
  'a server killed repeatedly, at random moments and at chosen points, keeps its promises',
  { timeout: 600_000 },
  async () => {
    const tally = await torture({ kills, seed });
    expect(tally.failures, `npm run torture -- --kills ${kills} --seed ${seed}`).toEqual([]);
    expect(tally.kills).toBeGreaterThanOrEqual(kills);
    // It has really been at work, under faults.
    expect(tally.calls.done).toBeGreaterThan(kills);
    expect(tally.items['completed']).toBeGreaterThan(0);
    expect(tally.clocks).toBeGreaterThan(0);
  },
);
