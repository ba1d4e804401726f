import type { Resource, ResourceRequest } from '../../../src/domain/records/resource.ts';
import type { Need } from '../../../src/sources/host/reading-protocol.ts';
import { ProcessingError, type FailureCode } from '../../../src/errors.ts';

export const videoId = 'abcDEF12_-3';
export const watchUrl = `https://www.youtube.com/watch?v=${videoId}`;

export interface MadeTrack {
  language: string;
  automatic?: boolean;
  /** Further parameters of its address. */
  more?: string;
}

export const trackUrl = ({ language, automatic = false, more = '' }: MadeTrack): string =>
  `https://www.youtube.com/api/timedtext?v=${videoId}&lang=${language}${automatic ? '&kind=asr' : ''}${more}`;

/** A player's answer of the shape that YouTube gives, with nothing of YouTube's in it. */
export function playerAnswer(tracks: readonly MadeTrack[] | null, more: Record<string, unknown> = {}): object {
  const captionTracks = tracks?.map((track) => ({
    baseUrl: trackUrl(track),
    name: { runs: [{ text: track.language }] },
    vssId: `${track.automatic === true ? 'a' : ''}.${track.language}`,
    languageCode: track.language,
    ...(track.automatic === true && { kind: 'asr' }),
    isTranslatable: true,
  }));
  return {
    playabilityStatus: { status: 'OK', playableInEmbed: true },
    ...(captionTracks !== undefined && { captions: { playerCaptionsTracklistRenderer: { captionTracks } } }),
    videoDetails: {
      videoId,
      title: 'How bees find home',
      lengthSeconds: '125',
      author: 'Roof Garden',
      shortDescription:
        'We follow one forager bee across the whole city.\n\n0:00 Leaving\n0:40 - The long way\n1:30 Home\n\n#bees',
      isLive: false,
    },
    ...more,
  };
}

/** A player's answer that says why there is nothing to play. */
export function refusal(status: string, reason: string, more: Record<string, unknown> = {}): object {
  return { playabilityStatus: { status, reason, ...more } };
}

export function watchPage(player: object | null, head = ''): string {
  // The title holds what ends an object for those who only count braces.
  const script =
    player === null ? '' : `<script>var ytInitialPlayerResponse = ${JSON.stringify(player)};var x={};</script>`;
  return `<!doctype html><html><head><meta property="og:title" content="How bees find home">
    <meta itemprop="datePublished" content="2024-05-06T07:00:00-07:00">${head}</head><body>${script}</body></html>`;
}

export const consentPage = (value: string | null): string =>
  `<!doctype html><html><body><form action="https://consent.youtube.com/s" method="POST">${
    value === null ? '' : `<input type="hidden" name="v" value="${value}">`
  }</form></body></html>`;

export const captchaPage =
  '<!doctype html><html><head><script src="https://www.google.com/recaptcha/api.js"></script></head><body><div class="g-recaptcha"></div></body></html>';

type Answer = string | object | FailureCode | ((request: ResourceRequest) => string | object);

/** YouTube as a test wants it to answer. */
export interface MadeYoutube {
  player?: Answer;
  watch?: Answer;
  embed?: Answer;
  /** By the track's address; what is not named is answered with `captions`. */
  tracks?: Readonly<Record<string, string>>;
  captions?: string;
}

const failureCodes = new Set<string>([
  'rate_limited',
  'forbidden',
  'http_error',
  'not_found',
  'timeout',
  'server_error',
]);

/** Gets what a reading lacks as it is told, once as the store does, and remembers what it was asked. */
export function youtubeSupply(made: MadeYoutube): { asked: string[]; supply(need: Need): Promise<Resource> } {
  const asked: string[] = [];
  const answer = (url: string, request: ResourceRequest): Answer => {
    if (request.method === 'POST') return made.player ?? 'forbidden';
    if (url.startsWith(watchUrl)) return made.watch ?? 'forbidden';
    if (url.includes('/oembed?')) return made.embed ?? 'not_found';
    if (url.includes('/api/timedtext?')) return made.tracks?.[url] ?? made.captions ?? '';
    throw new Error(`nobody should ask for ${url}`);
  };
  const fetch = async (url: string, request: ResourceRequest = {}): Promise<Resource> => {
    asked.push(`${request.method ?? 'GET'} ${url}`);
    const given = answer(url, request);
    const found = typeof given === 'function' ? given(request) : given;
    if (typeof found === 'string' && failureCodes.has(found)) {
      throw new ProcessingError(found as FailureCode, 'Refused.', { retryable: found === 'timeout' });
    }
    const bytes = Buffer.from(typeof found === 'string' ? found : JSON.stringify(found));
    const kind = { declaredType: null, fetchedAt: '2026-01-01T00:00:00.000Z' };
    return { url, finalUrl: url, bytes, ...kind };
  };
  return {
    asked,
    supply: (need) =>
      need.kind === 'fetch'
        ? fetch(need.url, need.request)
        : Promise.reject(new Error(`nobody should run ${need.kind}`)),
  };
}
