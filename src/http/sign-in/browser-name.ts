/** What a `User-Agent` has of the browser; the first that is found counts, because most name others beside themselves. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['iPhone', 'an iPhone'],
  ['iPad', 'an iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'a Mac'],
  ['Linux', 'Linux'],
] as const;

const maxLength = 60;

/** What a person calls the browser that sent this `User-Agent`: “Firefox on Windows”. */
export function browserName(userAgent: string): string {
  if (userAgent === '') return 'A browser that does not say what it is';
  const find = (known: readonly (readonly [string, string])[]) => known.find(([sign]) => userAgent.includes(sign))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return userAgent.slice(0, maxLength);
  return system === undefined ? browser : `${browser} on ${system}`;
}
