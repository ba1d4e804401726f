const hosts = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
]);
const idPattern = /^[\w-]{11}$/;
const idInPath = /^\/(?:shorts|live|embed|v|e|watch)\/([\w-]{11})(?:\/|$)/;

/** The id of the video that a YouTube address of any shape leads to; null for every other address. */
export function youtubeVideoId(url: URL): string | null {
  const host = withoutEndDots(url.hostname);
  if (host === 'youtu.be' || host === 'www.youtu.be') return videoId(url.pathname.split('/')[1]);
  if (!hosts.has(host)) return null;
  if (url.pathname === '/watch' || url.pathname === '/watch/') return videoId(url.searchParams.get('v'));
  if (url.pathname === '/attribution_link') {
    const target = url.searchParams.get('u') ?? '';
    return target.startsWith('/watch?') ? videoId(new URLSearchParams(target.slice(7)).get('v')) : null;
  }
  return videoId(idInPath.exec(url.pathname)?.[1]);
}

/** A host may end in any number of dots. Counted, since `\.+$` takes quadratic time on dots within it. */
export function withoutEndDots(host: string): string {
  let end = host.length;
  while (end > 0 && host[end - 1] === '.') end -= 1;
  return host.slice(0, end);
}

function videoId(candidate: string | null | undefined): string | null {
  // `embed/videoseries` plays a list and happens to be as long as an id.
  return typeof candidate === 'string' && idPattern.test(candidate) && candidate !== 'videoseries' ? candidate : null;
}
