import type { Source } from '../source.ts';

const captionTypes = new Set(['text/vtt', 'text/srt', 'application/x-subrip', 'application/ttml+xml']);

/** A file of captions (WebVTT, SRT, TTML) saved by itself: what is said, with its seconds. The recording stays unknown, so it is a text. */
export const captionFileSource: Source = {
  name: 'captions',
  matches: (url, mediaType) =>
    captionTypes.has(mediaType) || (mediaType === 'text/plain' && /\.(?:vtt|srt)$/i.test(url.pathname)),
  async read({ text, bytes, finalUrl }) {
    const { readCaptionFile } = await import('./read-caption-file.ts');
    return readCaptionFile(text ?? new TextDecoder().decode(bytes), finalUrl);
  },
};
