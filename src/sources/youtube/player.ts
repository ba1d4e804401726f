import { languageTag } from '../language/language.ts';
import { z } from 'zod';
import { type Chapter, readChapters } from '../../domain/captions/timed-lines.ts';
import { parsePublished } from '../page/metadata/published-date.ts';

export interface CaptionTrack {
  url: string;
  /** BCP 47 tag, as the video gives it. */
  language: string;
  isAutomatic: boolean;
  isTranslated: boolean;
}

/** Preferred language if the spoken one is unknown: the language in which pages are requested. */
const fallbackLanguage = 'en';

/**
 * Sorts tracks, best first: the spoken language (of any region) before others, captions by people before automatic
 * ones, the same region before others, machine translations last. If the spoken language is unknown, captions by people
 * come first.
 */
export function rankTracks(tracks: readonly CaptionTrack[], spoken: string | null): CaptionTrack[] {
  const penalty = ({ language, isAutomatic, isTranslated }: CaptionTrack): number => {
    const wanted = (spoken ?? fallbackLanguage).toLowerCase();
    const family = primary(language) === primary(wanted) ? 0 : primary(language) === fallbackLanguage ? 1 : 2;
    const machine = isAutomatic ? 1 : 0;
    const region = language.toLowerCase() === wanted ? 0 : 1;
    const order = spoken === null ? [machine, family, region] : [family, machine, region];
    return [isTranslated ? 1 : 0, ...order].reduce((sum, part) => sum * 4 + part, 0);
  };
  return tracks.toSorted((a, b) => penalty(a) - penalty(b));
}

function primary(language: string): string {
  return language.split(/[-_]/, 1)[0]?.toLowerCase() ?? language;
}

/** Whether YouTube serves the track only to players with a token. Everybody else gets an empty answer. */
export function needsToken(track: CaptionTrack): boolean {
  return URL.parse(track.url)?.searchParams.getAll('exp').includes('xpe') ?? false;
}

/** Whether the track is on YouTube itself. Captions are fetched from nowhere else. */
export function isYoutubeTrack(track: CaptionTrack): boolean {
  const url = URL.parse(track.url);
  return url?.protocol === 'https:' && /(?:^|\.)youtube\.com$/.test(url.hostname);
}

export function trackLanguage(track: CaptionTrack): string | null {
  return languageTag(track.language.replace(/-orig$/, ''));
}

const track = z.object({
  baseUrl: z.string(),
  languageCode: z.string(),
  kind: z.string().nullish(),
  vssId: z.string().nullish(),
});
const audioTrack = z.object({
  captionTrackIndices: z.array(z.number()).nullish(),
  defaultCaptionTrackIndex: z.number().nullish(),
});

/** The part of YouTube's player response that is read. YouTube's players request it, and watch pages contain it. */
const playerAnswer = z.object({
  playabilityStatus: z
    .object({
      status: z.string().nullish(),
      reason: z.string().nullish(),
      messages: z.array(z.string()).nullish().catch(null),
      desktopLegacyAgeGateReason: z.unknown().optional(),
    })
    .nullish()
    .catch(null),
  videoDetails: z
    .object({
      videoId: z.string().nullish(),
      title: z.string().nullish(),
      author: z.string().nullish(),
      lengthSeconds: z.string().nullish(),
      shortDescription: z.string().nullish(),
      isLive: z.boolean().nullish(),
      isUpcoming: z.boolean().nullish(),
    })
    .nullish()
    .catch(null),
  captions: z
    .object({
      playerCaptionsTracklistRenderer: z.object({
        captionTracks: z.array(track).nullish(),
        audioTracks: z.array(audioTrack).nullish().catch(null),
        defaultAudioTrackIndex: z.number().nullish(),
      }),
    })
    .nullish()
    .catch(null),
  microformat: z
    .object({
      playerMicroformatRenderer: z.object({ publishDate: z.string().nullish(), uploadDate: z.string().nullish() }),
    })
    .nullish()
    .catch(null),
});
export type PlayerAnswer = z.infer<typeof playerAnswer>;

export function parsePlayer(json: unknown, videoId: string): PlayerAnswer | null {
  const parsed = playerAnswer.safeParse(json);
  if (!parsed.success || (parsed.data.playabilityStatus ?? parsed.data.videoDetails ?? null) === null) return null;
  const of = parsed.data.videoDetails?.videoId ?? videoId;
  return of === videoId ? parsed.data : null;
}

export function tracksOf(player: PlayerAnswer): CaptionTrack[] {
  return (player.captions?.playerCaptionsTracklistRenderer.captionTracks ?? []).map((one) => ({
    url: one.baseUrl,
    language: one.languageCode,
    isAutomatic: one.kind === 'asr' || one.vssId?.startsWith('a.') === true,
    isTranslated: URL.parse(one.baseUrl)?.searchParams.has('tlang') ?? false,
  }));
}

/** That of the automatic captions, else of those shown by default; null if neither is known. */
export function spokenLanguage(player: PlayerAnswer): string | null {
  const list = player.captions?.playerCaptionsTracklistRenderer;
  const all = list?.captionTracks ?? [];
  const audio = list?.audioTracks?.[list.defaultAudioTrackIndex ?? 0];
  const ofAudio = audio?.captionTrackIndices?.flatMap((index) => all[index] ?? []) ?? all;
  const recognised = ofAudio.find(({ kind }) => kind === 'asr') ?? all.find(({ kind }) => kind === 'asr');
  const shown = all[audio?.defaultCaptionTrackIndex ?? -1];
  return recognised?.languageCode ?? shown?.languageCode ?? null;
}

export interface VideoFacts {
  title: string | null;
  author: string | null;
  durationSeconds: number | null;
  publishedAt: string | null;
  description: string | null;
  chapters: Chapter[];
}

export const noFacts: VideoFacts = {
  title: null,
  author: null,
  durationSeconds: null,
  publishedAt: null,
  description: null,
  chapters: [],
};

export function factsOf(player: PlayerAnswer | null): VideoFacts {
  const details = player?.videoDetails;
  const format = player?.microformat?.playerMicroformatRenderer;
  const seconds = Number(details?.lengthSeconds ?? Number.NaN);
  const description = details?.shortDescription?.trim() ?? '';
  return {
    title: details?.title?.trim() || null,
    author: details?.author?.trim() || null,
    // A running live stream has length 0.
    durationSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    publishedAt: parsePublished(format?.publishDate ?? format?.uploadDate ?? null),
    description: description === '' ? null : description,
    chapters: readChapters(description),
  };
}

export function mergeFacts(...all: readonly VideoFacts[]): VideoFacts {
  const first = <K extends keyof VideoFacts>(name: K): VideoFacts[K] | null =>
    all.map((facts) => facts[name]).find((value) => value !== null) ?? null;
  return {
    title: first('title'),
    author: first('author'),
    durationSeconds: first('durationSeconds'),
    publishedAt: first('publishedAt'),
    description: first('description'),
    chapters: all.find(({ chapters }) => chapters.length > 0)?.chapters ?? [],
  };
}
