import { languageTag } from '../language.ts';

/** One set of captions that a video has. */
export interface CaptionTrack {
  url: string;
  /** BCP 47, as the video names it. */
  language: string;
  /** Made by speech recognition. */
  isAutomatic: boolean;
  /** Translated by a machine. */
  isTranslated: boolean;
}

/** Which language is taken when nothing says what is spoken: the one the pages are asked for. */
const fallbackLanguage = 'en';

/**
 * The tracks, best first: what is spoken (in any region's spelling) before another language, what people wrote before what a
 * machine heard, the same region before another one, and what a machine translated last. Where nothing tells what is spoken,
 * captions by people come first.
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

/** `en` of `en-GB`. */
function primary(language: string): string {
  return language.split(/[-_]/, 1)[0]?.toLowerCase() ?? language;
}

/** YouTube marks tracks that it gives only to players with a token: the answer to everybody else is empty. */
export function needsToken(track: CaptionTrack): boolean {
  return URL.parse(track.url)?.searchParams.getAll('exp').includes('xpe') ?? false;
}

/** Captions come from YouTube itself and from nowhere else. */
export function isYoutubeTrack(track: CaptionTrack): boolean {
  const url = URL.parse(track.url);
  return url?.protocol === 'https:' && /(?:^|\.)youtube\.com$/.test(url.hostname);
}

/** As a document names it; null for what is no language tag. */
export function trackLanguage(track: CaptionTrack): string | null {
  return languageTag(track.language.replace(/-orig$/, ''));
}
