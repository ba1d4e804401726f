/**
 * Cookies of one fetch, for sites that redirect in a loop until their cookie is sent back. They are dropped when the
 * fetch ends.
 */
export interface Cookies {
  keep(url: URL, setCookie: string | string[] | undefined): void;
  header(url: URL): { cookie?: string };
}

const maxCookies = 50;
const maxLength = 4_096;

/**
 * Cookies are sent back only to the exact host that set them. Browsers send them more widely; this way nothing can leak
 * between hosts.
 */
export function createCookies(): Cookies {
  const byHost = new Map<string, Map<string, string>>();
  return {
    keep(url, setCookie) {
      const jar = byHost.get(url.host) ?? new Map<string, string>();
      byHost.set(url.host, jar);
      for (const line of [setCookie ?? []].flat().slice(0, maxCookies)) {
        const [pair = ''] = line.split(';', 1);
        const separator = pair.indexOf('=');
        if (separator > 0 && pair.length <= maxLength) jar.set(pair.slice(0, separator).trim(), pair.trim());
      }
    },
    header(url) {
      const cookie = [...(byHost.get(url.host)?.values() ?? [])].join('; ');
      return cookie === '' || cookie.length > 2 * maxLength ? {} : { cookie };
    },
  };
}
