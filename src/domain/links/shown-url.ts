/**
 * An address of the settings as it may be shown: user name, password and the values of its parameters, which may be keys,
 * are left out. What is no address comes back as it is.
 */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === '' && url.password === '' && url.search === '')) return text;
  if (url.username !== '') url.username = '***';
  if (url.password !== '') url.password = '***';
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, '***');
  return url.href;
}
