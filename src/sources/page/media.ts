import type { PageFacts } from './html/html-scan.ts';
import { readTokens } from './html/html-tokens.ts';
import { isOf, jsonLdObjects, type JsonObject, textOf } from './metadata/json-ld.ts';
import { meta } from './metadata/names.ts';

export interface PageMedia {
  kind: 'video' | 'podcast';
  durationSeconds: number | null;
  /** Addresses of its captions, best first. */
  captions: string[];
  chapters: string | null;
  transcript: string | null;
}

interface Track {
  src: string;
  kind: string;
  language: string;
  isDefault: boolean;
}

/** With more text, the only recording of a page does not count as its main content. */
const maxSurroundingText = 6_000;
const maxTracks = 50;

/** The recording that is the page's main content. Null if there is none, or if it only accompanies an article. */
export function findMedia(html: string, facts: PageFacts, url: string): PageMedia | null {
  if (!/<(?:video|audio)[\s>]|VideoObject|AudioObject|PodcastEpisode|RadioEpisode|["']video\.|og:audio/i.test(html))
    return null;
  const { videos, audios, tracks, linked } = scanMedia(html);
  const data = dataOf(facts.jsonLd);
  const elements = videos + audios;
  const spoken = tracks.filter(({ kind }) => kind === '' || kind === 'subtitles' || kind === 'captions');
  const openGraph = meta(facts, 'og:type') ?? '';
  const isMain =
    /^video/i.test(openGraph) ||
    (data.recording !== null && !data.hasArticle) ||
    (elements === 1 && spoken.length + linked.length > 0 && facts.visibleCharacters < maxSurroundingText) ||
    (audios === 1 &&
      videos === 0 &&
      /podcast|episode/i.test(`${openGraph} ${facts.title ?? ''} ${URL.parse(url)?.pathname ?? ''}`));
  if (!isMain) return null;
  const base = URL.parse(facts.baseHref ?? '', url)?.href ?? url;
  const resolve = (src: string): string[] => {
    const address = URL.parse(src, base);
    return address === null || !/^https?:$/.test(address.protocol) ? [] : [address.href];
  };
  const pageLanguage = facts.lang?.split('-', 1)[0]?.toLowerCase() ?? '';
  const penalty = ({ language, isDefault }: Track) =>
    (language !== '' && language.split('-', 1)[0] === pageLanguage ? 0 : 2) + (isDefault ? 0 : 1);
  const seconds =
    isoSeconds(field(data.recording, 'duration') ?? '') ??
    Number(meta(facts, 'og:video:duration') ?? meta(facts, 'video:duration'));
  return {
    kind: data.isPodcast || (audios > 0 && videos === 0 && data.recording === null) ? 'podcast' : 'video',
    durationSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    captions: [...spoken.toSorted((a, b) => penalty(a) - penalty(b)).map(({ src }) => src), ...linked]
      .flatMap(resolve)
      .slice(0, 3),
    chapters: tracks.filter(({ kind }) => kind === 'chapters').flatMap(({ src }) => resolve(src))[0] ?? null,
    transcript: field(data.recording, 'transcript'),
  };
}

function scanMedia(html: string): { videos: number; audios: number; tracks: Track[]; linked: string[] } {
  const found = { videos: 0, audios: 0, tracks: [] as Track[], linked: [] as string[] };
  readTokens(html, {
    open(name, attributes) {
      if (name === 'video') found.videos += 1;
      else if (name === 'audio') found.audios += 1;
      else if (name === 'track' && found.tracks.length < maxTracks && attributes['src']) {
        found.tracks.push({
          src: attributes['src'],
          kind: attributes['kind']?.toLowerCase() ?? '',
          language: attributes['srclang']?.toLowerCase() ?? '',
          isDefault: attributes['default'] !== undefined,
        });
      } else if ((name === 'a' || name === 'link') && found.linked.length < maxTracks) {
        const href = attributes['href'] ?? '';
        if (/\.(?:vtt|srt)(?:[?#]|$)/i.test(href.slice(0, 3_000))) found.linked.push(href);
      }
    },
  });
  return found;
}

const recordingTypes = /^(?:VideoObject|AudioObject|PodcastEpisode|RadioEpisode|Clip)$/;

function dataOf(scripts: readonly string[]): { recording: JsonObject | null; isPodcast: boolean; hasArticle: boolean } {
  const objects = jsonLdObjects(scripts, [
    '@graph',
    'mainEntity',
    'video',
    'audio',
    'associatedMedia',
    'itemListElement',
  ]);
  const recordings = objects.filter((one) => isOf(one, recordingTypes));
  return {
    recording: recordings[0] ?? null,
    isPodcast: recordings.some((one) => isOf(one, /podcast|radio|audio/i)),
    hasArticle: objects.some((one) => isOf(one, /article|blogposting/i)),
  };
}

/** Or of the first recording inside it (an episode's `associatedMedia`). */
function field(object: JsonObject | null, name: string): string | null {
  const [inner] = [object?.['associatedMedia']].flat();
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return textOf(object?.[name]) ?? (isObject ? textOf(inner[name]) : null);
}

/** ISO 8601, such as `PT1H2M3S`. */
function isoSeconds(text: string): number | null {
  const [whole, days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^P(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,6})?)S)?)?$/.exec(text) ?? [];
  return whole === undefined
    ? null
    : Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}
