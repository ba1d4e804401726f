import { execFile } from 'node:child_process';
import { z } from 'zod';
import { parsePublished } from './published-date.ts';
import { parseJson } from './parse-json.ts';
import type { VideoFacts } from './youtube-player.ts';
import type { CaptionTrack } from './youtube-tracks.ts';

const timeLimitMs = 60_000;
const mostOutputBytes = 30_000_000;

/** What yt-dlp prints of a video, as far as it is read. */
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
  subtitles: z
    .record(z.string(), z.array(z.object({ ext: z.string(), url: z.string() })))
    .nullish()
    .catch(null),
  automatic_captions: z
    .record(z.string(), z.array(z.object({ ext: z.string(), url: z.string() })))
    .nullish()
    .catch(null),
});

export interface YtDlpReport {
  facts: VideoFacts;
  tracks: CaptionTrack[];
  spoken: string | null;
}

/**
 * Runs the yt-dlp that the user put in place, for what is known of a video and where its captions are; downloads nothing.
 * No shell, no settings of the user's, none of our environment, one minute.
 * @returns its JSON; null when it failed, whatever the reason: then the video is refused to it as it is to us
 */
export function runYtDlp(path: string, address: string, signal: AbortSignal): Promise<string | null> {
  const options = ['--ignore-config', '--no-cache-dir', '--no-playlist', '--no-warnings', '--socket-timeout', '15'];
  return new Promise((resolve, reject) => {
    execFile(
      path,
      [...options, '--skip-download', '--dump-single-json', '--', address],
      {
        signal,
        timeout: timeLimitMs,
        killSignal: 'SIGKILL',
        maxBuffer: mostOutputBytes,
        shell: false,
        windowsHide: true,
        // Our own environment may hold secrets. Windows starts nothing without its variables.
        ...(process.platform !== 'win32' && { env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' } }),
      },
      (error, stdout) => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve(error === null ? stdout : null);
      },
    );
  });
}

const formats = ['json3', 'srv3', 'vtt', 'srv1', 'ttml'];

/** Null for what is no report of this video. */
export function readYtDlpReport(text: string, videoId: string): YtDlpReport | null {
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
    },
  };
}
