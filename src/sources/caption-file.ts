import { parseCaptions } from '../domain/caption-formats.ts';
import { ProcessingError } from '../errors.ts';
import { captionBlocks } from './caption-blocks.ts';
import { readCaptionXml } from './caption-xml.ts';
import { detectLanguage } from './language.ts';
import { fileName, textDocument } from './read-plain-text.ts';
import type { Source } from './source.ts';
import { lastSecond } from './youtube-document.ts';

const captionTypes = new Set(['text/vtt', 'text/srt', 'application/x-subrip', 'application/ttml+xml']);

/** A file of captions (WebVTT, SRT, TTML) saved by itself: what is said, with its seconds. The recording stays unknown, so it is a text. */
export function createCaptionFileSource(): Source {
  return {
    name: 'captions',
    matches: (url, mediaType) =>
      captionTypes.has(mediaType) || (mediaType === 'text/plain' && /\.(?:vtt|srt)$/i.test(url.pathname)),
    async read({ text, bytes, finalUrl }) {
      const captions = parseCaptions(text ?? new TextDecoder().decode(bytes), readCaptionXml);
      const blocks = captionBlocks(captions);
      if (blocks.length === 0) {
        throw new ProcessingError(
          'no_captions',
          'The file should hold captions, but none could be read in it. Check that it is a WebVTT or SRT file, or save its words as text.',
        );
      }
      return textDocument(blocks, {
        title: fileName(finalUrl)?.replace(/\.(?:vtt|srt|ttml)$/i, '') || null,
        language: await detectLanguage(blocks.map((block) => block.text).join('\n')),
        durationSeconds: lastSecond(captions),
      });
    },
  };
}
