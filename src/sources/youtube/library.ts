import type { Caption } from '../../domain/captions/caption.ts';
import { parseCaptions } from '../../domain/captions/caption-formats.ts';
import { ProcessingError } from '../../errors.ts';
import type { SourceContext } from '../source.ts';
import { readCaptionXml } from '../captions/caption-xml.ts';
import { parseJson } from '../parse-json.ts';
import { pageShell, type PageShell } from './page.ts';
import { parsePlayer, spokenLanguage, tracksOf, type PlayerAnswer } from './player.ts';
import { isYoutubeTrack, needsToken, rankTracks, type CaptionTrack } from './tracks.ts';

/** What came of asking for a video's captions. */
export interface Asked {
  /** Empty when there was nothing to be had. */
  captions: Caption[];
  track: CaptionTrack | null;
  /** The answer to the library's own request, where there was one. */
  player: PlayerAnswer | null;
  /** What came instead of the player's answer. */
  shell: PageShell | null;
  /** Why a request was refused. */
  refusal: ProcessingError | null;
}

/** Tracks that are tried: the best may be empty where the next is not. */
const maxTracks = 3;

/**
 * Asks with youtube-transcript, which knows how YouTube's own players ask. It is given a fetch of ours, for what it leaves open:
 * - it takes the first track, whatever its language: the player's answer that it sees has only the track we choose;
 * - it reads two formats of captions, with times in milliseconds or seconds, loses captions without a duration and decodes
 *   entities twice: captions are read here and handed to it in the one form that it reads without loss;
 * - it falls back to the watch page, which is at hand already: no second request is made.
 */
export async function askLibrary(videoId: string, page: PlayerAnswer | null, context: SourceContext): Promise<Asked> {
  const asked: Asked = { captions: [], track: null, player: null, shell: null, refusal: null };
  for (let choice = 0; choice < maxTracks && asked.captions.length === 0; choice += 1) {
    const track = await askForTrack(videoId, page, choice, asked, context);
    // Tokens are asked for by visit, not by track.
    if (track === null || needsToken(track) || asked.refusal !== null) break;
  }
  return asked;
}

/** Adds to `asked` what it learns. @returns the track that was tried, null when there is none left */
async function askForTrack(
  videoId: string,
  page: PlayerAnswer | null,
  choice: number,
  asked: Asked,
  context: SourceContext,
): Promise<CaptionTrack | null> {
  const { fetchTranscript, YoutubeTranscriptError } = await import('youtube-transcript');
  let chosen: CaptionTrack | null = null;
  const only = (player: PlayerAnswer | null): object => {
    chosen = player === null ? null : (rankTracks(tracksOf(player), spokenLanguage(player))[choice] ?? null);
    const usable = chosen !== null && isYoutubeTrack(chosen) && !needsToken(chosen) ? [chosen] : [];
    return {
      playabilityStatus: { status: 'OK' },
      captions: {
        playerCaptionsTracklistRenderer: {
          // Braces within strings would confuse the library's search for the end of the object.
          captionTracks: usable.map(({ url }) => ({
            baseUrl: url.replaceAll('{', '%7B').replaceAll('}', '%7D'),
            languageCode: 'und',
          })),
        },
      },
    };
  };
  const guarded = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const url = String(input);
    if (init.method === 'POST') {
      const answer = await context.fetch(url, {
        method: 'POST',
        headers: { ...lowerCase(init.headers), 'accept-language': 'en' },
        body: typeof init.body === 'string' ? init.body : undefined,
      });
      asked.player = parsePlayer(parseJson(answer.text ?? ''), videoId);
      if (asked.player === null) asked.shell = pageShell(answer.text ?? '');
      return Response.json(only(asked.player));
    }
    if (url.startsWith('https://www.youtube.com/watch?')) {
      const player = JSON.stringify(only(page));
      return new Response(`<script>"playabilityStatus":; var ytInitialPlayerResponse = ${player};</script>`);
    }
    const captions = await context.fetch(url);
    return new Response(inOneForm(parseCaptions(captions.text ?? '', readCaptionXml)));
  };
  try {
    const segments = await fetchTranscript(videoId, {
      fetch: async (input, init) => {
        try {
          return await guarded(input, init);
        } catch (error) {
          // The library swallows what its first request throws.
          if (error instanceof ProcessingError) asked.refusal ??= error;
          throw error;
        }
      },
    });
    asked.captions = segments.map(({ text, offset, duration }) => ({
      text,
      start: offset / 1_000,
      duration: duration === noDuration ? null : duration / 1_000,
    }));
    if (asked.captions.length > 0) asked.track = chosen;
  } catch (error) {
    if (!(error instanceof YoutubeTranscriptError) && !(error instanceof ProcessingError)) throw error;
  }
  return chosen;
}

/** Milliseconds that no caption lasts: stands for a duration that is not known. */
const noDuration = 999_999_999;

/** srv3. Everything but letters and digits as a decimal entity: those the library decodes once and last. */
function inOneForm(captions: readonly Caption[]): string {
  return captions
    .map(({ start, duration, text }) => {
      const millis = duration === null ? noDuration : Math.round(duration * 1_000);
      const escaped = text.replaceAll(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0) ?? 32};`);
      return `<p t="${Math.round(start * 1_000)}" d="${millis}">${escaped}</p>`;
    })
    .join('\n');
}

function lowerCase(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}
