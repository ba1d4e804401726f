import { type Caption, type Chapter, readStampedText } from '../../domain/captions/timed-lines.ts';
import { parseCaptions } from '../../domain/captions/caption-formats.ts';
import { countWords, type Block, type Document } from '../../domain/records/texts/document.ts';
import { ProcessingError } from '../../errors.ts';
import { captionBlocks } from '../captions/caption-blocks.ts';
import { readCaptionXml } from '../captions/read-captions.ts';
import type { PageMedia } from './media.ts';
import { lastSecond } from '../youtube/video-document.ts';

/** Fetches a file that belongs to a page; null if nothing may be fetched. */
type FetchText = ((url: string) => Promise<string | null>) | null;

export type PageDocument = Document & { media?: PageMedia | undefined };

/**
 * Adds the transcript of a page's recording: first the page's own text, then the speech, with its seconds.
 * @throws {ProcessingError} `no_captions` if the page has neither text nor captions
 */
export async function withRecording({ media, ...page }: PageDocument, fetchText: FetchText): Promise<Document> {
  if (media === undefined) return page;
  const { captions, refused } = await firstCaptions(media.captions, fetchText);
  const chapters =
    captions.length === 0 || media.chapters === null ? [] : await readChapters(media.chapters, fetchText);
  const spoken = captions.length > 0 ? captionBlocks(captions, chapters) : transcriptBlocks(media.transcript ?? '');
  const document = {
    ...page,
    contentType: media.kind,
    durationSeconds: media.durationSeconds ?? lastSecond(captions),
  };
  if (spoken.length === 0) {
    if (page.blocks.length === 0) throw nothingSaid(document);
    if (hasTranscript(page.blocks)) return document;
    return { ...document, warnings: [...page.warnings, withoutTranscript(refused)] };
  }
  const locator = { kind: 'time', seconds: 0 } as const;
  const heading: Block = { text: '## Transcript', kind: 'heading', level: 2, locator };
  // Chapters serve as headings themselves. The page's own text comes first, since a time locator applies to all that
  // follows.
  const parted = chapters.length > 0 || page.blocks.length === 0;
  return { ...document, blocks: [...page.blocks, ...(parted ? [] : [heading]), ...spoken] };
}

/** Fewer words under such a heading are a link to the transcript. */
const minTranscriptWords = 100;

function hasTranscript(blocks: readonly Block[]): boolean {
  const at = blocks.findIndex(
    ({ kind, text }) => kind === 'heading' && /^#+ (?:[\p{L}’']+ ){0,3}transcript\b/iu.test(text),
  );
  const behind = at === -1 ? [] : blocks.slice(at + 1).map(({ text }) => text);
  return countWords(behind.join('\n')) >= minTranscriptWords;
}

async function firstCaptions(
  addresses: readonly string[],
  fetchText: FetchText,
): Promise<{ captions: Caption[]; refused: boolean }> {
  let refused = false;
  for (const address of fetchText === null ? [] : addresses) {
    const text = await textAt(address, fetchText);
    const captions = text === null ? [] : parseCaptions(text, readCaptionXml);
    if (captionBlocks(captions).length > 0) return { captions, refused: false };
    refused = true;
  }
  return { captions: [], refused };
}

async function readChapters(address: string, fetchText: FetchText): Promise<Chapter[]> {
  const text = await textAt(address, fetchText);
  return parseCaptions(text ?? '', readCaptionXml).map(({ start, text }) => ({
    start,
    title: text.replaceAll('\n', ' ').slice(0, 200),
  }));
}

/** Null if it cannot be fetched: the page is worth keeping without it. */
async function textAt(address: string, fetchText: FetchText): Promise<string | null> {
  try {
    return fetchText === null ? null : await fetchText(address);
  } catch (error) {
    if (error instanceof ProcessingError) return null;
    throw error;
  }
}

/** Blocks of a transcript from the page's data: timed if it has timestamps, else as plain paragraphs. */
function transcriptBlocks(text: string): Block[] {
  const timed = readStampedText(text);
  if (timed !== null) return captionBlocks(timed);
  return text
    .split(/\n{1,}/)
    .map((paragraph) => paragraph.replaceAll(/[^\S\n]+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => ({ text: paragraph, kind: 'paragraph' }));
}

function withoutTranscript(refused: boolean): { code: string; message: string } {
  const why = refused ? 'Its captions could not be read' : 'No captions or transcript were found';
  return {
    code: 'no_transcript',
    message: `${why}: only what the page says about the recording is kept. If you have a transcript, save the page again with that text.`,
  };
}

function nothingSaid({ contentType, title, author, durationSeconds }: Document): ProcessingError {
  return new ProcessingError(
    'no_captions',
    'The page has a recording without captions, and no text about it. If you have a transcript, save the page again with that text.',
    {
      known: {
        contentType,
        ...(title !== null && { title }),
        ...(author !== null && { author }),
        ...(durationSeconds !== null && { durationSeconds }),
      },
    },
  );
}
