/*
 * The day that a task names. Names of months and days are those of the platform. A wrong day is worse than none: two days, a
 * day of the past, "next Friday" and "every Monday" are none.
 */

const dayMs = 86_400_000;
/** A day and month this long ago are meant for the next year; a nearer past is not to be told. */
const longAgo = 90;

interface Names {
  /** Long and short names, in lower case. */
  months: ReadonlyMap<string, number>;
  days: ReadonlyMap<string, number>;
  /** "tomorrow" → 1; the words of those with several stand with spaces. */
  relative: readonly { words: string; days: number }[];
}
const known = new Map<string, Names>();

const wordsIn = (text: string): string => ` ${(text.toLowerCase().match(/\p{L}+/gu) ?? []).join(' ')} `;

function namesOf(code: string): Names {
  const forms = (name: 'month' | 'weekday', date: number, value: number): [string, number][] =>
    (['long', 'short'] as const).flatMap((length): [string, number][] => {
      // Short names of days are words: "sun", "mar", "so", "do".
      if (length === 'short' && name === 'weekday') return [];
      const format = new Intl.DateTimeFormat(code, { [name]: length, timeZone: 'UTC' });
      return [[format.format(date).toLowerCase().replace('.', '').replace('-feira', ''), value]];
    });
  const relative = new Intl.RelativeTimeFormat(code, { numeric: 'auto' });
  return {
    months: new Map(Array.from({ length: 12 }, (_, month) => forms('month', Date.UTC(2026, month, 15), month)).flat()),
    // The 4th of January 2026 is a Sunday.
    days: new Map(Array.from({ length: 7 }, (_, day) => forms('weekday', Date.UTC(2026, 0, 4 + day), day)).flat()),
    relative: [2, 1, 0].flatMap((days) => {
      const words = relative.format(days, 'day');
      // Without its number "in 2 days" would be any number of days.
      return /\p{N}/u.test(words) ? [] : [{ days, words: wordsIn(words) }];
    }),
  };
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day by which `text` is to be done, `2026-03-31`, or null. @param today the day on which it was written */
export function dueIn(text: string, code: string, today: string): string | null {
  const names = known.get(code) ?? namesOf(code);
  known.set(code, names);
  const now = Date.parse(`${today}T00:00:00Z`);
  const found = new Set<string>();
  const add = (year: number | null, month: number, day: number): void => {
    const inYear = (one: number): number => Date.UTC(one, month, day);
    let time = inYear(year ?? new Date(now).getUTCFullYear());
    if (new Date(time).getUTCMonth() !== month || new Date(time).getUTCDate() !== day) return;
    if (year === null && (now - time) / dayMs > longAgo) time = inYear(new Date(now).getUTCFullYear() + 1);
    found.add(time < now ? '' : isoDay(time));
  };
  for (const [, year, month, day] of text.matchAll(/\b(20\d\d)-(\d\d)-(\d\d)\b/g))
    add(Number(year), Number(month) - 1, Number(day));
  // "20.03." and, outside English, "20/03"; "2.10" and "3/4" are numbers.
  const numeric = [...text.matchAll(/\b(\d{1,2})\.(\d{1,2})\.(20\d\d)?/g)];
  if (code !== 'en') numeric.push(...text.matchAll(/\b(\d{1,2})\/(0\d|1[0-2])(?:\/(20\d\d))?\b/g));
  for (const [, day, month, year] of numeric)
    add(year === undefined ? null : Number(year), Number(month) - 1, Number(day));
  const words = [...text.matchAll(/\p{L}+/gu)];
  for (const { 0: word, index } of words) {
    const month = names.months.get(word.toLowerCase());
    if (month === undefined) continue;
    const before = /(\d{1,2})(?:st|nd|rd|th|er|º|°|\.)?(?: of| de| di| d['’])? ?$/i.exec(
      text.slice(Math.max(0, index - 12), index),
    )?.[1];
    const behind = text.slice(index + word.length, index + word.length + 20);
    const [, after, year] = /^\.?(?: (\d{1,2})(?!\d)(?:st|nd|rd|th)?)?(?:,? (?:de )?(20\d\d))?/.exec(behind) ?? [];
    const day = before ?? (code === 'en' ? after : undefined);
    if (day !== undefined) add(year === undefined ? null : Number(year), month, Number(day));
  }
  if (found.size === 0) {
    for (const { 0: word, index } of words) {
      const day = names.days.get(word.toLowerCase());
      if (day === undefined) continue;
      const isOther =
        notThisDay.test(text.slice(Math.max(0, index - 20), index)) || afterDay.test(text.slice(index + word.length));
      found.add(isOther ? '' : isoDay(now + (((day - new Date(now).getUTCDay() + 6) % 7) + 1) * dayMs));
    }
    const all = wordsIn(text);
    const soon = names.relative.find((one) => all.includes(one.words));
    if (soon !== undefined && !morning.test(text)) found.add(isoDay(now + soon.days * dayMs));
    else if (all.includes(' tonight ')) found.add(isoDay(now));
  }
  const [day] = found;
  return found.size === 1 && day !== '' ? (day ?? null) : null;
}

const notThisDay =
  /(?:every|each|next|last|since|on a|jeden?|nächsten?|letzten?|seit|chaque|dernier|depuis|tous les|cada|todos los|desde|pasado|ogni|scorso|todas as|elke|volgende|vorige|sinds)\s+$/i;
const afterDay = /^ (?:dernier|pasado|scorso|passad[oa])\b/i;
/** "mañana" and "morgen" are mornings, too. */
const morning = /\b(?:la mañana|am morgen|guten morgen|jeden morgen|de morgen)\b/i;
