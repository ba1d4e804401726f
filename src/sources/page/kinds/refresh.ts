import { scanPage } from '../html/html-scan.ts';

/** A page that changes later than this shows something of its own first. */
const maxSeconds = 10;
/** A page with more text is worth keeping itself. In characters, without white space. */
const maxText = 600;

/** The address that a page leads on to by `<meta http-equiv="refresh">`; null if it is a page of its own. */
export function refreshTarget(html: string, url: string): string | null {
  if (!/http-equiv\s{0,5}=\s{0,5}["']?\s{0,5}refresh/i.test(html)) return null;
  const { refresh, visibleCharacters, baseHref } = scanPage(html);
  if (refresh === null || refresh.seconds > maxSeconds || visibleCharacters > maxText) return null;
  const target = URL.parse(refresh.target, URL.parse(baseHref ?? '', url)?.href ?? url);
  const isWeb = target?.protocol === 'http:' || target?.protocol === 'https:';
  return target !== null && isWeb && withoutHash(target.href) !== withoutHash(url) ? target.href : null;
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? url;
}
