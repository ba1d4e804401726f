import { type Caption, type Chapter, readStamp } from '../../domain/captions/timed-lines.ts';
import type { Warning } from '../../domain/records/content.ts';
import { countWords, type Block, type Document } from '../../domain/records/texts/document.ts';
import { captionBlocks } from '../captions/caption-blocks.ts';
import { type VideoFacts, trackLanguage, type CaptionTrack } from './player.ts';
import { textDocument, warningsOf } from '../text/read-text.ts';

const maxDescriptionLength = 3_000;
/** Minimum words in a paragraph of the description. Shorter ones are credits and calls to subscribe. */
const minWords = 6;

export function watchAddress(videoId: string): string {
  return `https://www.youtube.com/watch?v=${videoId}`;
}

/** Null if the captions are only sounds. */
export function videoDocument(
  videoId: string,
  captions: readonly Caption[],
  track: CaptionTrack | null,
  facts: VideoFacts,
): Document | null {
  const transcript = captionBlocks(captions, withinVideo(facts));
  if (!transcript.some(({ kind }) => kind !== 'heading')) return null;
  return textDocument([...transcript, ...descriptionBlocks(facts.description)], {
    contentType: 'youtube',
    title: facts.title,
    author: facts.author,
    siteName: 'YouTube',
    publishedAt: facts.publishedAt,
    language: track === null ? null : trackLanguage(track),
    canonicalUrl: watchAddress(videoId),
    durationSeconds: facts.durationSeconds ?? lastSecond(captions),
    warnings: track === null ? [] : trackWarnings(track),
  });
}

function withinVideo({ chapters, durationSeconds }: VideoFacts): Chapter[] {
  return chapters.filter(({ start }) => durationSeconds === null || start < durationSeconds);
}

/** The end of the last caption in seconds: the recording is at least this long. Null if unknown. */
export function lastSecond(captions: readonly Caption[]): number | null {
  const ends = captions.reduce((last, { start, duration }) => Math.max(last, start + (duration ?? 0)), 0);
  return ends === 0 ? null : ends;
}

/** Prose of the description, behind the transcript: names and sources are found in it. Without links, hashtags, chapters. */
function descriptionBlocks(description: string | null): Block[] {
  const lines = (description ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/https?:\/\/|www\.|^#\S+(?:\s+#\S+)*$/i.test(line) && readStamp(line) === null);
  const text = lines.join('\n').slice(0, maxDescriptionLength).toWellFormed().trim();
  const locator = { kind: 'time', seconds: 0 } as const;
  const paragraphs = text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => countWords(paragraph) >= minWords);
  if (paragraphs.length === 0) return [];
  return [
    { text: '## Description', kind: 'heading', level: 2, locator },
    ...paragraphs.map((paragraph): Block => ({ text: paragraph, kind: 'paragraph', locator })),
  ];
}

function trackWarnings({ isAutomatic, isTranslated }: CaptionTrack): Warning[] {
  return warningsOf(
    [
      isTranslated,
      'translated_captions',
      'The transcript was translated by a machine: do not quote it as what was said.',
    ],
    [
      isAutomatic && !isTranslated,
      'automatic_captions',
      'The transcript was made by speech recognition: names, numbers and the ends of sentences may be wrong.',
    ],
  );
}
