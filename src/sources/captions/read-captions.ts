import { parseCaptions, type CaptionElement } from '../../domain/captions/caption-formats.ts';
import type { Document } from '../../domain/records/texts/document.ts';
import { ProcessingError } from '../../errors.ts';
import { captionBlocks } from './caption-blocks.ts';
import { detectLanguage } from '../language/language.ts';
import { fileName, textDocument } from '../text/read-text.ts';
import { lastSecond } from '../youtube/video-document.ts';
import { readTokens } from '../page/html/html-tokens.ts';

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

/** Reads the elements with these names and their text, in one linear pass that tolerates any input. */
export function readCaptionXml(xml: string, names: ReadonlySet<string>): CaptionElement[] {
  const elements: CaptionElement[] = [];
  // An HTML tokenizer reads these as raw text up to their end tag, which empty TTML elements never have.
  const bare = xml.replaceAll(
    /<\/?(?:style|script|title|textarea|xmp|iframe|noembed|noframes|plaintext)\b[^<>]*>/gi,
    '',
  );
  let open: CaptionElement | null = null;
  readTokens(bare, {
    open(tag, attributes) {
      const name = tag.slice(tag.indexOf(':') + 1);
      if (names.has(name)) {
        open = { name, attributes, text: '' };
        elements.push(open);
      } else if (name === 'br' && open !== null) open.text += '\n';
    },
    close(tag) {
      if (names.has(tag.slice(tag.indexOf(':') + 1))) open = null;
    },
    text(text) {
      if (open !== null) open.text += text;
    },
  });
  return elements;
}
