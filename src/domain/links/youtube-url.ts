const hosts = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'gaming.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
]);
const idPattern = /^[\w-]{11}$/;
const idInPath = /^\/(?:shorts|live|embed|v|e|vi|watch)\/([\w-]{11})(?:\/|$)/;

/** The id of the video that a YouTube address of any form leads to; null for every other address. */
export function youtubeVideoId(url: URL): string | null {
  return idBehind(url, 2);
}

/** @param hops maximum number of nested addresses still to follow */
function idBehind(url: URL, hops: number): string | null {
  const inner = innerAddress(url);
  if (inner !== null) return hops === 0 ? null : idBehind(inner, hops - 1);
  const host = withoutEndDots(url.hostname);
  if (host === 'youtu.be' || host === 'www.youtu.be') return videoId(url.pathname.split('/')[1]);
  if (!hosts.has(host)) return null;
  if (url.pathname === '/watch' || url.pathname === '/watch/') return videoId(url.searchParams.get('v'));
  return videoId(idInPath.exec(url.pathname)?.[1]);
}

/** The target in YouTube's own redirects: attribution and redirect links, the consent form, the robot check. */
function innerAddress(url: URL): URL | null {
  const host = withoutEndDots(url.hostname);
  const carried = (name: string): URL | null => URL.parse(url.searchParams.get(name) ?? '', 'https://www.youtube.com/');
  if (host === 'consent.youtube.com' || host === 'consent.google.com') return carried('continue');
  if (host === 'www.google.com' && url.pathname.startsWith('/sorry/')) return carried('continue');
  if (!hosts.has(host)) return null;
  if (url.pathname === '/attribution_link') return carried('u');
  if (url.pathname === '/oembed') return carried('url');
  return url.pathname === '/redirect' ? carried('q') : null;
}

/** A name for the kind of page at a YouTube address that is not a video; null for videos and for other sites. */
export function youtubePageName(url: URL): string | null {
  const host = withoutEndDots(url.hostname);
  if ((!hosts.has(host) && host !== 'youtu.be') || idBehind(url, 2) !== null) return null;
  const { pathname } = url;
  if (pathname === '/playlist' || pathname === '/embed/videoseries') return 'a YouTube playlist';
  if (/^\/(?:@|channel\/|c\/|user\/)/.test(pathname)) return 'a YouTube channel';
  if (pathname === '/results') return 'a YouTube search';
  if (/^\/(?:watch|shorts|live|embed|v|e|vi)(?:\/|$)/.test(pathname) || host === 'youtu.be') {
    return 'a YouTube address without a valid video id (11 letters, digits, - or _)';
  }
  return 'a YouTube page without a video';
}

/** Removes trailing dots from a host. A loop, because `\.+$` takes quadratic time on dots within it. */
export function withoutEndDots(host: string): string {
  let end = host.length;
  while (end > 0 && host[end - 1] === '.') end -= 1;
  return host.slice(0, end);
}

function videoId(candidate: string | null | undefined): string | null {
  // `embed/videoseries` plays a playlist and happens to be as long as an id.
  return typeof candidate === 'string' && idPattern.test(candidate) && candidate !== 'videoseries' ? candidate : null;
}
