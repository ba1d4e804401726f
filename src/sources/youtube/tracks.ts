import { languageTag } from '../language/language.ts';

/** One caption track of a video. */
export interface CaptionTrack {
  url: string;
  /** BCP 47 tag, as the video gives it. */
  language: string;
  /** Made by speech recognition. */
  isAutomatic: boolean;
  /** Translated by a machine. */
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

/** The primary language: `en` for `en-GB`. */
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

/** The track's language tag for a document; null if it is not a language tag. */
export function trackLanguage(track: CaptionTrack): string | null {
  return languageTag(track.language.replace(/-orig$/, ''));
}
