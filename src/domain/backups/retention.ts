/*
 * Which backups of a folder are kept. `7d,4w,12m` keeps the newest backup of each of the last seven days that have one,
 * of four weeks and of twelve months. The newest backup is always kept.
 */

const units = ['h', 'd', 'w', 'm', 'y'] as const;
type PeriodUnit = (typeof units)[number];

/** How many periods of a unit keep their newest backup. */
export interface KeepRule {
  count: number;
  unit: PeriodUnit;
}

const maxRules = 10;
const maxCount = 10_000;

/** Null when the text is not a list such as `7d,4w,12m`. */
export function parseKeepRules(text: string): KeepRule[] | null {
  const parts = text.slice(0, 200).split(',', maxRules);
  const rules = parts.map((part) => {
    const [, digits, unit] = /^(\d{1,5})([hdwmy])$/.exec(part.trim()) ?? [];
    const count = Number(digits);
    return unit !== undefined && count >= 1 && count <= maxCount ? { count, unit: unit as PeriodUnit } : null;
  });
  return rules.some((rule) => rule === null) ? null : (rules as KeepRule[]);
}

const dayMs = 86_400_000;
/** 1 January 1970 was a Thursday; weeks begin on Mondays. */
const firstMondayMs = 4 * dayMs;

/** The period that a time belongs to, in UTC. */
function periodOf(time: number, unit: PeriodUnit): string {
  const iso = new Date(time).toISOString();
  if (unit === 'h') return iso.slice(0, 13);
  if (unit === 'd') return iso.slice(0, 10);
  if (unit === 'w') return String(Math.floor((time - firstMondayMs) / (7 * dayMs)));
  return unit === 'm' ? iso.slice(0, 7) : iso.slice(0, 4);
}

/** The backups to remove. Without rules none is removed. */
export function expiredBackups<T extends { time: number }>(backups: readonly T[], rules: readonly KeepRule[]): T[] {
  if (rules.length === 0) return [];
  const newestFirst = backups.toSorted((a, b) => b.time - a.time);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const { count, unit } of rules) {
    const periods = new Set<string>();
    for (const backup of newestFirst) {
      const period = periodOf(backup.time, unit);
      if (periods.has(period)) continue;
      if (periods.size === count) break;
      periods.add(period);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}

/** `commonplace-2026-11-23T012000Z.zip`, with the account's id before the time when it is of one account. */
export function backupName(time: number, account: string | undefined): string {
  const stamp = new Date(time).toISOString().slice(0, 19).replaceAll(':', '');
  return `commonplace-${account === undefined ? '' : `${account}-`}${stamp}Z.zip`;
}

/** The time in the name of a backup of this account, or of all; null when it is the name of something else. */
export function timeOfBackupName(name: string, account: string | undefined): number | null {
  const start = `commonplace-${account === undefined ? '' : `${account}-`}`;
  if (!name.startsWith(start)) return null;
  const [, day, hour, minute, second] =
    /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip$/.exec(name.slice(start.length)) ?? [];
  if (day === undefined) return null;
  const time = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}
