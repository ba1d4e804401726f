/** An http, https or mail address, absolute; null for everything that a reader must not be led to. */
export function webAddress(href: string, baseUrl: string): string | null {
  const url = URL.parse(href.trim(), baseUrl);
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null;
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}
