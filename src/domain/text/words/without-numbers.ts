/** Numbers with their marks: `1,200.50`, `10:45`. */
const numbers = /\p{N}+(?:[.,:'’]\p{N}+)*/gu;

/** A text in small letters in which all numbers, months and days of the week are the same: those of its language and of English. */
export function withoutNumbers(text: string, language: string | null): string {
  const names = new Set(['am', 'pm', ...namesOfDays('en'), ...namesOfDays(language ?? 'en')]);
  return text
    .toLowerCase()
    .replaceAll(numbers, '0')
    .replaceAll(/\p{L}+/gu, (word) => (names.has(word) ? '0' : word));
}

function namesOfDays(language: string): string[] {
  if (!/^[a-z]{2,3}$/.test(language)) return [];
  const named = (part: 'month' | 'weekday', style: 'long' | 'short', date: number): string =>
    new Intl.DateTimeFormat(language, { [part]: style, timeZone: 'UTC' }).format(date).toLowerCase().replace('.', '');
  return (['long', 'short'] as const).flatMap((style) =>
    Array.from({ length: 12 }, (_, at) => [
      named('month', style, Date.UTC(2024, at)),
      named('weekday', style, Date.UTC(2024, 0, at + 1)),
    ]).flat(),
  );
}
