import { z } from 'zod';
import { parsePublished } from '../page/metadata/published-date.ts';
import { parseJson } from '../../domain/json/bounded-json.ts';
import type { VideoFacts, CaptionTrack } from './player.ts';

const files = z
  .record(z.string(), z.array(z.object({ ext: z.string(), url: z.string() })))
  .nullish()
  .catch(null);

const report = z.object({
  id: z.string(),
  title: z.string().nullish(),
  channel: z.string().nullish(),
  uploader: z.string().nullish(),
  duration: z.number().nullish().catch(null),
  upload_date: z.string().nullish(),
  language: z.string().nullish(),
  description: z.string().nullish(),
  chapters: z
    .array(z.object({ start_time: z.number(), title: z.string() }))
    .nullish()
    .catch(null),
  subtitles: files,
  automatic_captions: files,
});

const formats = ['json3', 'srv3', 'vtt', 'srv1', 'ttml'];

export function readYtDlpReport(text: string, videoId: string) {
  const parsed = report.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.id !== videoId) return null;
  const { data } = parsed;
  const original = (language: string) => language.endsWith('-orig') || language === data.language;
  const tracksIn = (all: typeof data.subtitles, isAutomatic: boolean): CaptionTrack[] =>
    Object.entries(all ?? {}).flatMap(([language, files]) => {
      const best = files
        .filter(({ ext }) => formats.includes(ext))
        .toSorted((a, b) => formats.indexOf(a.ext) - formats.indexOf(b.ext))[0];
      if (best === undefined || language === 'live_chat') return [];
      const isTranslated =
        isAutomatic && URL.parse(best.url)?.searchParams.has('tlang') === true && !original(language);
      return [{ url: best.url, language: language.replace(/-orig$/, ''), isAutomatic, isTranslated }];
    });
  const recognised = Object.keys(data.automatic_captions ?? {}).find((language) => language.endsWith('-orig'));
  return {
    tracks: [...tracksIn(data.subtitles, false), ...tracksIn(data.automatic_captions, true)],
    spoken: data.language ?? recognised?.replace(/-orig$/, '') ?? null,
    facts: {
      title: data.title ?? null,
      author: data.channel ?? data.uploader ?? null,
      durationSeconds: data.duration ?? null,
      publishedAt: parsePublished(data.upload_date ?? null),
      description: data.description?.trim() || null,
      chapters: (data.chapters ?? []).map(({ start_time: start, title }) => ({ start, title })),
    } satisfies VideoFacts,
  };
}
