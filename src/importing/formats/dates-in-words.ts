/*
 * Dates as devices and pages write them in the language of their user: "Montag, 30. Dezember 2024 14:46:33",
 * "2024年12月30日月曜日 14:46:33", "September 1, 2026 9:04:11 PM".
 */

/** Beginnings of the names of months, January first: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Polish. */
const months =
  `jan ene gen янв sty; feb fév fev фев lut; march mar märz mär mars marzo março maart mrt марта март marca;
  apr avr abr апр kwi; mai may mei mag мая май maj; jun juin giu июн cze; jul juil lug июл lip; aug août ago авг sie;
  sep set сен wrz; oct okt out ott окт paź; nov ноя lis; dec dez déc dic дек gru`
    .split(';')
    .map((names) => names.trim().split(/\s+/));
/** Names of days begin like March. */
const march = 2;

/** @returns a date that needs no language; undefined when there is none in these words */
export function dateInWords(words: string): string | undefined {
  const text = words.slice(0, 200).normalize('NFKC').toLowerCase();
  const [time = '', hour = '', minute = '', second = '00'] =
    /(?<!\d)(\d{1,2}):(\d\d)(?::(\d\d))?(?!\d)/.exec(text) ?? [];
  const day = dayIn(text.replace(time, ' '));
  if (day === null || time === '') return day ?? undefined;
  const isAfternoon = /\d\s?p\.?\s?m\b|午後|下午|오후/.test(text);
  const isMorning = /\d\s?a\.?\s?m\b|午前|上午|오전/.test(text);
  const of24 = isAfternoon ? (Number(hour) % 12) + 12 : isMorning ? Number(hour) % 12 : Number(hour);
  return `${day} ${of24}:${minute}:${second}`;
}

function dayIn(text: string): string | null {
  const [, year, month, day] =
    /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/.exec(text) ?? /(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  if (day !== undefined) return isoDay(year, Number(month), day);
  const [numbers] = /(?<!\d)\d{1,2}([./])\d{1,2}\1\d{4}(?!\d)/.exec(text) ?? [];
  if (numbers !== undefined) return numbers;
  const named = (text.match(/\p{L}{3,20}/gu) ?? []).map(monthOf).find((at) => at !== -1);
  const [written] = /(?<!\d)\d{4}(?!\d)/.exec(text) ?? [];
  const [ofMonth] = /(?<!\d)\d{1,2}(?!\d)/.exec(text) ?? [];
  return named === undefined ? null : isoDay(written, named + 1, ofMonth);
}

function monthOf(word: string): number {
  return months.findIndex((names, at) => names.some((name) => (at === march ? word === name : word.startsWith(name))));
}

function isoDay(year: string | undefined, month: number, day: string | undefined): string | null {
  if (year === undefined || day === undefined) return null;
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
