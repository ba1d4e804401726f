import { z } from 'zod';

const dayMs = 24 * 3_600_000;

/** How many there were in the day that began at `since`. */
export const dayCount = z.object({ since: z.number(), count: z.number().min(0) });
type DayCount = z.infer<typeof dayCount>;

/** The count to go on with: a new day begins when that of the last count is over. */
export function countOfDay(last: DayCount | undefined, now: number): DayCount {
  return last !== undefined && now - last.since < dayMs ? last : { since: now, count: 0 };
}
