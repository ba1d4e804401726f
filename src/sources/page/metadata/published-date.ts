import { isoTime } from '../../../domain/clock.ts';

/**
 * Beginnings of month names: English, German, French, Spanish, Italian, Portuguese, Dutch, the Nordic languages, Russian,
 * Ukrainian, Polish, Czech, Hungarian, Romanian, Finnish, Turkish, Indonesian and Greek.
 */
const months: readonly RegExp[] = [
  /^(?:jan|jän|ian|tammi|gen|ene|янв|січ|stycz|leden|ledna|oca|ιαν)/,
  /^(?:feb|fév|helmi|fev|фев|лют|lut|únor|şub|φεβ)/,
  /^(?:mar|mär|már|mrt|maa|мар|берез|břez|μάρ|μαρ)/,
  /^(?:apr|ápr|avr|abr|huhti|апр|квіт|kwie|dubn|duben|nisan|απρ)/,
  /^(?:may|mai|maj|máj|touko|mag|mei|мая|май|трав|květ|μάι|μαΐ|μαϊ)/,
  /^(?:jun|jún|juin|iuni|kesä|giu|июн|черв|czerw|červn|červen$|haz|ιούν|ιουν)/,
  /^(?:jul|júl|juil|iuli|heinä|lug|июл|лип|lipc|lipie|červenc|červenec|temm|ιούλ|ιουλ)/,
  /^(?:aug|aoû|elok|aou|ago|агу|авг|серп|sierp|srpn|srpen|ağu|agu|αύγ|αυγ)/,
  /^(?:sep|szept|set|syys|сен|верес|wrze|září|eyl|σεπ)/,
  /^(?:oct|okt|loka|out|ott|окт|жовт|paźdz|říj|ekim|οκτ)/,
  /^(?:nov|noi|marras|ноя|листоп|listop|kas[ıi]m|νοέ|νοε)/,
  /^(?:dec|dez|joulu|déc|dic|дек|груд|grud|prosin|des|aral|δεκ)/,
];
const monthName = String.raw`(\p{L}{3,12})\.?`;
const dayFirst = new RegExp(
  String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?,?[\s-]+(?:of\s+|de\s+)?${monthName},?[\s-]+(?:de\s+|del\s+)?(\d{4})(?!\d)`,
  'giu',
);
/** With a time before the year as well: `Mar 6 10:41:19 CET 2025`, as Unix writes it. */
const monthFirst = new RegExp(
  String.raw`(?<!\p{L})${monthName}\s+(\d{1,2})(?:st|nd|rd|th)?,?(?:\s+[\d:]{5,8}(?:\s+[A-Z]{3,5})?)?\s+(\d{4})(?!\d)`,
  'giu',
);
const yearMonthDay = new RegExp(String.raw`(?<!\d)(\d{4})[.,]?\s+${monthName}\s+(\d{1,2})(?!\d)`, 'giu');
const iso =
  /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?/i;
const yearFirst =
  /(?<!\d)(\d{4})[/.] ?(\d{1,2})[/.] ?(\d{1,2})(?!\d)|(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/;
const inFigures = /(?<!\d)(\d{1,2})([/.-]) ?(\d{1,2})\2 ?(\d{4})(?!\d)/;
/** `04.02.25`: only with zeros and dots, as numbers of versions are not written. */
const ofTwoDigits = /(?<![\d.])(\d\d)\.(\d\d)\.(\d\d)(?![\d.])/;

const firstOnline = 1990;
const firstPrinted = 1500;
/** Days that programs write which know no date. */
const noDate = new Set(
  '1601-01-01 1753-01-01 1899-12-30 1899-12-31 1900-01-01 1904-01-01 1969-12-31 1970-01-01 1980-01-01'.split(' '),
);

/**
 * Reads a date as written on pages: ISO 8601, words in the larger European languages, or digits. Null if it is not a
 * date or lies outside 1990–2099; an ISO date with nothing beside it may be older, as of books and archives. A time
 * without a zone is taken as UTC. The result has the day that is written: if the time falls on another day in UTC, only
 * the day is kept.
 * @param lang language of the page, which decides whether 3/4/2024 is in March: American English puts the month first
 */
export function parsePublished(text: string | null, lang: string | null = null): string | null {
  if (text === null) return null;
  const sample = text.slice(0, 300);
  const stamp = iso.exec(sample);
  if (stamp !== null) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = stamp;
    const isOld = stamp[0].length === sample.trim().length && !noDate.has(`${year}-${month}-${day}`);
    const time = [Number(hour), Number(minute), Number(second), offsetMinutes(zone)] as const;
    return at(year, month, day, ...time, isOld ? firstPrinted : firstOnline);
  }
  return (
    inWords(sample.matchAll(monthFirst), [3, 1, 2]) ??
    inWords(sample.matchAll(dayFirst), [3, 2, 1]) ??
    inWords(sample.matchAll(yearMonthDay), [1, 2, 3]) ??
    inNumbers(sample, lang) ??
    compact(sample)
  );
}

/** The first day of a month that is given without a day (`2023/05`, `2023 May`), as papers are dated. */
export function parseMonth(text: string | null): string | null {
  const found = /^\s*(\d{4})[\s/.-]+(\d{1,2}|\p{L}{3,12})\.?\s*$/u.exec(text?.slice(0, 60) ?? '');
  if (found === null) return null;
  const month = /\d/.test(found[2] ?? '') ? Number(found[2]) : monthNumber(found[2]);
  return month === 0 ? null : at(found[1], String(month), '1');
}

/** The date in an address such as `/2025/01/29/title` or `/2025/january/29/title`. */
export function dateInPath(path: string): string | null {
  const found = /\/(\d{4})[/-](\d{1,2}|\p{L}{3,10})[/-](\d{1,2})(?:\/|-|$)/u.exec(path);
  if (found === null) return null;
  return /\d/.test(found[2] ?? '') ? at(found[1], found[2], found[3]) : inWords([found], [1, 2, 3]);
}

function inWords(
  found: Iterable<RegExpExecArray>,
  [year, month, day]: readonly [number, number, number],
): string | null {
  for (const one of found) {
    const number = monthNumber(one[month]);
    if (number > 0) return at(one[year], String(number), one[day]);
  }
  return null;
}

function inNumbers(sample: string, lang: string | null): string | null {
  const eastern = yearFirst.exec(sample);
  if (eastern !== null) return at(eastern[1] ?? eastern[4], eastern[2] ?? eastern[5], eastern[3] ?? eastern[6]);
  const figures = inFigures.exec(sample);
  if (figures === null) {
    const short = ofTwoDigits.exec(sample);
    return short === null ? null : at(`20${short[3]}`, short[2], short[1]);
  }
  const [, first, sign, second, year] = figures;
  // The month can come first only in dates with slashes. Most pages without a language put it first.
  const isAmerican = sign === '/' && Number(first) <= 12 && /^(?:en(?:-US)?)?$/i.test(lang ?? '');
  return isAmerican || Number(second) > 12 ? at(year, first, second) : at(year, second, first);
}

function compact(sample: string): string | null {
  const found = /^(\d{4})(\d{2})(\d{2})(?:\D|$)/.exec(sample);
  return found === null ? null : at(found[1], found[2], found[3]);
}

function monthNumber(name: string | undefined): number {
  const bare = (name ?? '').toLowerCase().normalize('NFC');
  return months.findIndex((month) => month.test(bare)) + 1;
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
  offset = 0,
  earliest = firstOnline,
): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (!(y >= earliest && y <= 2099 && m >= 1 && m <= 12 && d >= 1 && d <= 31 && hour <= 24)) return null;
  const start = Date.UTC(y, m - 1, d);
  const time = Date.UTC(y, m - 1, d, hour, minute - offset, second);
  return isoTime(time >= start && time < start + 86_400_000 ? time : start);
}
