import type { Caption } from '../../domain/captions/timed-lines.ts';
import { parseCaptions } from '../../domain/captions/caption-formats.ts';
import { ProcessingError } from '../../errors.ts';
import type { SourceContext } from '../source.ts';
import { readCaptionXml } from '../captions/read-captions.ts';
import { parseJson } from '../../domain/json/bounded-json.ts';
import { pageReplacement, type PageReplacement } from './watch-page.ts';
import {
  parsePlayer,
  spokenLanguage,
  tracksOf,
  type PlayerAnswer,
  isYoutubeTrack,
  needsToken,
  rankTracks,
  type CaptionTrack,
} from './player.ts';

export interface LibraryAnswer {
  /** Empty if no captions were found. */
  captions: Caption[];
  track: CaptionTrack | null;
  player: PlayerAnswer | null;
  replacement: PageReplacement | null;
  refusal: ProcessingError | null;
}

/** Maximum number of tracks to try: the best one may be empty while the next is not. */
const maxTracks = 3;

/**
 * Fetches captions with youtube-transcript, which knows how YouTube's own players make requests. The `fetch` passed to
 * it makes up for its limits:
 * - It takes the first track in any language. So the player answer that it gets holds only the track chosen here.
 * - It reads two caption formats, with times in milliseconds or seconds, loses captions without a duration and decodes
 *   entities twice. So captions are parsed here and passed on in the one format that it reads without loss.
 * - It falls back to the watch page. That page is already here, so it is not fetched again.
 */
export async function askLibrary(
  videoId: string,
  page: PlayerAnswer | null,
  context: SourceContext,
): Promise<LibraryAnswer> {
  const asked: LibraryAnswer = { captions: [], track: null, player: null, replacement: null, refusal: null };
  for (let choice = 0; choice < maxTracks && asked.captions.length === 0; choice += 1) {
    const track = await askForTrack(videoId, page, choice, asked, context);
    // YouTube requires tokens per visit, not per track.
    if (track === null || needsToken(track) || asked.refusal !== null) break;
  }
  return asked;
}

/**
 * Tries one track and adds the results to `asked`.
 * @returns the track that was tried; null if none is left
 */
async function askForTrack(
  videoId: string,
  page: PlayerAnswer | null,
  choice: number,
  asked: LibraryAnswer,
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
          // Braces inside strings would confuse the library when it looks for the end of the object.
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
      if (asked.player === null) asked.replacement = pageReplacement(answer.text ?? '');
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
          // Remember the error: the library swallows errors of its first request.
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

/** Milliseconds, longer than any caption. Stands for an unknown duration. */
const noDuration = 999_999_999;

/** Captions as srv3, with signs as decimal entities: the library decodes those only once, as its last step. */
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
