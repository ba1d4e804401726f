import { parseCaptions } from '../../domain/captions/caption-formats.ts';
import type { Document } from '../../domain/records/document.ts';
import { ProcessingError } from '../../errors.ts';
import { captionBlocks } from './caption-blocks.ts';
import { readCaptionXml } from './caption-xml.ts';
import { detectLanguage } from '../language/language.ts';
import { fileName, textDocument } from '../text/read-plain-text.ts';
import { lastSecond } from '../youtube/video-document.ts';

/** @throws {ProcessingError} `no_captions` */
export async function readCaptionFile(text: string, url: string): Promise<Document> {
  const captions = parseCaptions(text, readCaptionXml);
  const blocks = captionBlocks(captions);
  if (blocks.length === 0) {
    throw new ProcessingError(
      'no_captions',
      'This file should contain captions, but none could be read. Check that it is a WebVTT or SRT file, or save its words as text.',
    );
  }
  return textDocument(blocks, {
    title: fileName(url)?.replace(/\.(?:vtt|srt|ttml)$/i, '') || null,
    language: await detectLanguage(blocks.map((block) => block.text).join('\n')),
    durationSeconds: lastSecond(captions),
  });
}
