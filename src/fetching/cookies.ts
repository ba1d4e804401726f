/** Cookies of one fetch, for sites that redirect in a circle until their cookie comes back. Gone when the fetch ends. */
export interface Cookies {
  keep(url: URL, setCookie: string | string[] | undefined): void;
  header(url: URL): { cookie?: string };
}

const maxCookies = 50;
const maxLength = 4_096;

/** Cookies go back to exactly the host that set them: less than a browser does, and nothing can leak between hosts. */
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
