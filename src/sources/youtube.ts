import { youtubeVideoId } from '../domain/youtube-url.ts';
import { ProcessingError } from '../errors.ts';
import type { Source } from './source.ts';

/** Videos on YouTube, which cannot be read yet. Their pages carry no article, only what surrounds the video. */
export function createYoutubeSource(): Source {
  return {
    name: 'youtube',
    matches: (url) => youtubeVideoId(url) !== null,
    read: () =>
      Promise.reject(
        new ProcessingError(
          'unsupported_type',
          'This is a YouTube video, and videos cannot be read yet. Save a page with its transcript, or the transcript as a text file.',
        ),
      ),
  };
}
