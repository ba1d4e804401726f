import { z } from 'zod';
import type { Chapter } from '../../domain/captions/caption.ts';
import { readChapters } from '../../domain/captions/timed-lines.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import type { CaptionTrack } from './tracks.ts';

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

/** Null if it is not a player response, or if it belongs to another video. */
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

/**
 * The spoken language: that of the automatic captions, else that of the captions shown by default. Null if neither is
 * known.
 */
export function spokenLanguage(player: PlayerAnswer): string | null {
  const list = player.captions?.playerCaptionsTracklistRenderer;
  const all = list?.captionTracks ?? [];
  const audio = list?.audioTracks?.[list.defaultAudioTrackIndex ?? 0];
  const ofAudio = audio?.captionTrackIndices?.flatMap((index) => all[index] ?? []) ?? all;
  const recognised = ofAudio.find(({ kind }) => kind === 'asr') ?? all.find(({ kind }) => kind === 'asr');
  const shown = all[audio?.defaultCaptionTrackIndex ?? -1];
  return recognised?.languageCode ?? shown?.languageCode ?? null;
}

/** Metadata of a video. */
export interface VideoFacts {
  title: string | null;
  author: string | null;
  durationSeconds: number | null;
  publishedAt: string | null;
  description: string | null;
  chapters: Chapter[];
}

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

/** Takes each fact from the first source that knows it. */
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
