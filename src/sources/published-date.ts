import { isoTime } from '../domain/clock.ts';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+${monthName},?\\s+(\\d{4})\\b`, 'i');
const monthFirst = new RegExp(`\\b${monthName}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'i');
const iso =
  /(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?/i;
const yearFirst = /\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b|(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日/;

/** Reads a date as pages write it, ISO 8601 or in English words; null for what is no date or lies outside 1990–2099. A time without a zone is taken as UTC. */
export function parsePublished(text: string | null): string | null {
  if (text === null) return null;
  const sample = text.slice(0, 300);
  const stamp = iso.exec(sample);
  if (stamp !== null) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = stamp;
    return at(year, month, day, Number(hour), Number(minute) - offsetMinutes(zone), Number(second));
  }
  const western = monthFirst.exec(sample);
  if (western !== null) return at(western[3], monthNumber(western[1]), western[2]);
  const european = dayFirst.exec(sample);
  if (european !== null) return at(european[3], monthNumber(european[2]), european[1]);
  const eastern = yearFirst.exec(sample);
  if (eastern !== null) return at(eastern[1] ?? eastern[4], eastern[2] ?? eastern[5], eastern[3] ?? eastern[6]);
  const compact = /^(\d{4})(\d{2})(\d{2})(?:\D|$)/.exec(sample);
  return compact === null ? null : at(compact[1], compact[2], compact[3]);
}

/** The day in an address such as `/2025/01/29/title`. */
export function dateInPath(path: string): string | null {
  const found = /\/(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?:\/|-|$)/.exec(path);
  return found === null ? null : at(found[1], found[2], found[3]);
}

function monthNumber(name: string | undefined): string {
  return String(months.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1);
}

function offsetMinutes(zone: string | undefined): number {
  const parts = /([+-])(\d{2}):?(\d{2})/.exec(zone ?? '');
  return parts === null ? 0 : (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3]));
}

function at(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  hour = 0,
  minute = 0,
  second = 0,
): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (!(y >= 1990 && y <= 2099 && m >= 1 && m <= 12 && d >= 1 && d <= 31 && hour <= 24)) return null;
  return isoTime(Date.UTC(y, m - 1, d, hour, minute, second));
}
