/** An absolute http, https or mailto address. Null for anything else: a reader must not be led there. */
export function webAddress(href: string, baseUrl: string): string | null {
  const url = URL.parse(href.trim(), baseUrl);
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null;
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}
