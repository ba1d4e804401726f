import type { Source } from '../source.ts';

const captionTypes = new Set(['text/vtt', 'text/srt', 'application/x-subrip', 'application/ttml+xml']);

/**
 * A caption file (WebVTT, SRT, TTML) saved by itself: what is said, with its seconds. Its recording is unknown, so the
 * content type is text.
 */
export const captionFileSource: Source = {
  name: 'captions',
  matches: (url, mediaType) =>
    captionTypes.has(mediaType) || (mediaType === 'text/plain' && /\.(?:vtt|srt)$/i.test(url.pathname)),
  async read({ text, bytes, finalUrl }) {
    const { readCaptionFile } = await import('./read-caption-file.ts');
    return readCaptionFile(text ?? new TextDecoder().decode(bytes), finalUrl);
  },
};
