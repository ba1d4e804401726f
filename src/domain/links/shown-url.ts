/**
 * An address from the settings, safe to show: without user name, password and the values of its parameters, which may
 * be keys. Text that is not an address is returned unchanged.
 */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === '' && url.password === '' && url.search === '')) return text;
  if (url.username !== '') url.username = '***';
  if (url.password !== '') url.password = '***';
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, '***');
  return url.href;
}
