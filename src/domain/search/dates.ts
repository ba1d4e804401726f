/** From `since` on and before `before`, in milliseconds since the epoch. */
export interface TimeSpan {
  since?: number | undefined;
  before?: number | undefined;
}

/** The time, in UTC, of a year, a month or a day (`2024`, `2024-05`, `2024-05-31`); null for anything else. */
export function spanOfDate(value: string): { since: number; before: number } | null {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value);
  if (match === null) return null;
  const [, year = '', month, day] = match;
  const since = Date.parse(`${year}-${month ?? '01'}-${day ?? '01'}T00:00:00.000Z`);
  const start = new Date(since);
  // 30 February is parsed as 2 March.
  if (Number.isNaN(since) || (day !== undefined && start.getUTCDate() !== Number(day))) return null;
  const [y, m, d] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  if (month === undefined) return { since, before: Date.UTC(y + 1, 0) };
  return { since, before: day === undefined ? Date.UTC(y, m + 1) : Date.UTC(y, m, d + 1) };
}

/** The start of a date, or a time with its zone (`2024-05-31T08:00:00Z`); null for anything else. */
export function startOfDate(value: string): number | null {
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(value);
  if (!isTime) return spanOfDate(value)?.since ?? null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

/** The intersection: all must hold, so the narrowest of several dates wins. */
export function narrowest(one: TimeSpan, other: TimeSpan): TimeSpan {
  const since = extreme(Math.max, one.since, other.since);
  const before = extreme(Math.min, one.before, other.before);
  return { ...(since !== undefined && { since }), ...(before !== undefined && { before }) };
}

function extreme(pick: (...times: number[]) => number, ...times: (number | undefined)[]): number | undefined {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? undefined : pick(...given);
}
