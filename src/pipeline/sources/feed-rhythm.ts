import type { FeedEntry, FeedHints } from '../../domain/records/sources/feed.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const shortestMs = 15 * minuteMs;
/** For what a person chose. */
const shortestChosenMs = 5 * minuteMs;
const longestMs = 24 * hourMs;
const firstMs = hourMs;
/** Entries whose dates say how often a feed changes. */
const sampleSize = 10;

export interface Rhythm {
  /** Until the next check, before hints. */
  intervalMs: number;
  hints: FeedHints;
}

export const firstRhythm: Rhythm = { intervalMs: firstMs, hints: { minMinutes: 0, skipHours: [], skipDays: [] } };

/** Shorter after news, longer after none: a feed that changes once a week is soon asked once a day. */
export function nextRhythm({ intervalMs, hints }: Rhythm, hasNews: boolean): Rhythm {
  const wanted = hasNews ? intervalMs / 2 : intervalMs * 1.5;
  return { intervalMs: Math.min(longestMs, Math.max(shortestMs, wanted)), hints };
}

/** The rhythm that the dates of a new feed's entries tell; without dates, the first guess. */
export function rhythmOf(entries: readonly Pick<FeedEntry, 'publishedAt'>[], hints: FeedHints, now: number): Rhythm {
  const dates = entries
    .flatMap(({ publishedAt }) => (publishedAt === null || publishedAt > now ? [] : [publishedAt]))
    .toSorted((a, b) => b - a)
    .slice(0, sampleSize);
  const oldest = dates.at(-1);
  const gapMs = oldest === undefined ? firstMs * 2 : (now - oldest) / dates.length;
  return { intervalMs: Math.min(longestMs, Math.max(shortestMs, gapMs / 2)), hints };
}

/**
 * Milliseconds until the next check.
 * @param everyMinutes what the person chose, which counts instead of everything else
 * @param freshForMs how long the server says that its answer stays fresh
 * @param random in [0, 1): feeds of one server are not all asked in the same moment
 */
export function pauseMs(
  { intervalMs, hints }: Rhythm,
  about: { everyMinutes: number | null; freshForMs: number; now: number; random: number },
): number {
  const { everyMinutes, freshForMs, now, random } = about;
  if (everyMinutes !== null) return Math.max(shortestChosenMs, everyMinutes * minuteMs);
  const hintedMs = Math.min(longestMs, Math.max(freshForMs, hints.minMinutes * minuteMs));
  const at = now + Math.min(longestMs, Math.max(shortestMs, intervalMs, hintedMs) * (1 + 0.1 * random));
  return afterSkipped(at, hints) - now;
}

/** The first moment from `at` on that is in no hour and on no day in which the feed does not change. */
function afterSkipped(at: number, { skipHours, skipDays }: FeedHints): number {
  for (let hours = 0; hours < 48; hours += 1) {
    const time = hours === 0 ? new Date(at) : new Date(Math.floor(at / hourMs) * hourMs + hours * hourMs);
    if (!skipHours.includes(time.getUTCHours()) && !skipDays.includes(time.getUTCDay())) return time.getTime();
  }
  return at;
}
