/** Numbers with their marks: `1,200.50`, `10:45`. */
const numbers = /\p{N}+(?:[.,:'’]\p{N}+)*/gu;

/** Longer texts are not compared, nor more than so many characters that differ: others wait to write meanwhile. */
const [maxLength, maxDifferent] = [200_000, 40_000];

/** Whether two texts have the same paragraphs, apart from numbers, months and days of the week in their language or English. */
export function differInNumbersAlone(one: string, other: string, language: string | null): boolean {
  if (Math.max(one.length, other.length) > maxLength) return false;
  const [paragraphs, others] = [one.split('\n'), other.split('\n')];
  if (paragraphs.length !== others.length) return false;
  const names = namesOfDays(language ?? 'en');
  let different = 0;
  return paragraphs.every((paragraph, at) => {
    const changed = others[at] ?? '';
    if (paragraph === changed) return true;
    different += paragraph.length + changed.length;
    return different <= maxDifferent && withoutNumbers(paragraph, names) === withoutNumbers(changed, names);
  });
}

function withoutNumbers(text: string, names: ReadonlySet<string>): string {
  return text
    .toLowerCase()
    .replaceAll(numbers, '0')
    .replaceAll(/\p{L}+/gu, (word) => (names.has(word) ? '0' : word));
}

/** By language. Making them takes 20 ms. */
const known = new Map<string, ReadonlySet<string>>();
const maxKnown = 100;

/** The names of months and days in a language and in English, in small letters. */
function namesOfDays(language: string): ReadonlySet<string> {
  const before = known.get(language);
  if (before !== undefined) return before;
  const names = new Set(['am', 'pm']);
  for (const each of new Set(['en', language].filter((code) => /^[a-z]{2,3}$/.test(code))))
    for (const style of ['long', 'short'] as const) {
      const months = new Intl.DateTimeFormat(each, { month: style, timeZone: 'UTC' });
      const days = new Intl.DateTimeFormat(each, { weekday: style, timeZone: 'UTC' });
      for (let at = 0; at < 12; at += 1)
        for (const name of [months.format(Date.UTC(2024, at)), days.format(Date.UTC(2024, 0, at + 1))])
          names.add(name.toLowerCase().replace('.', ''));
    }
  if (known.size >= maxKnown) known.clear();
  known.set(language, names);
  return names;
}
