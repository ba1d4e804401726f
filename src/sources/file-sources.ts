import type { Document } from '../domain/records/document.ts';
import { ProcessingError } from '../errors.ts';
import type { DecodedResource } from './decoding/sniff.ts';
import type { FileKind, ReadingSubject } from './host/reading-protocol.ts';
import type { FileTask, Source } from './source.ts';

/*
 * The kinds of files that are known by their media types alone. Each reader is loaded with the first file of its kind.
 */

const readers: Readonly<Record<FileKind, () => Promise<(bytes: Uint8Array, task: FileTask) => Promise<Document>>>> = {
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
  ebook: async () => (await import('./files/read-ebook.ts')).readEbook,
  docx: async () => (await import('./files/docx/read-docx.ts')).readDocx,
  mail: async () => (await import('./files/read-mail.ts')).readMail,
  image: async () => (await import('./files/read-image.ts')).readImage,
};
/** Macros of Word documents are never read. */
const fileTypes: Readonly<Record<FileKind, readonly string[]>> = {
  pdf: ['application/pdf'],
  ebook: ['application/epub+zip'],
  docx: [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
    'application/vnd.ms-word.document.macroenabled.12',
  ],
  mail: ['message/rfc822'],
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp', 'image/avif'],
};

/**
 * Files that are read from their bytes, page by page or chapter by chapter.
 * @param ocr whether text recognition runs on pages that are pictures
 */
export function createFileSources(ocr: boolean): Source[] {
  return Object.entries(fileTypes).map(([name, types]) => {
    const kind = name as FileKind;
    return {
      name,
      matches: (_url, mediaType) => types.includes(mediaType),
      async read({ bytes, finalUrl }, { password = null, report }) {
        if (kind === 'image' && !ocr) {
          throw new ProcessingError(
            'scanned',
            'This is an image. Turn on text recognition (setting `ocr`; `commonplace doctor` says what it needs) and retry, or save its text.',
          );
        }
        report.loading();
        const read = await readers[kind]();
        report.begun(kind);
        return read(bytes, { url: finalUrl, password, ocr, progress: report.progress });
      },
    };
  });
}

/** A file of text that is read as a whole. */
function textSource(
  name: string,
  matches: Source['matches'],
  subject: ReadingSubject,
  load: () => Promise<(resource: DecodedResource, progress: (done: number) => void) => Promise<Document>>,
): Source {
  return {
    name,
    matches,
    async read(resource, { report }) {
      report.loading();
      const read = await load();
      report.begun(subject);
      return read(resource, report.progress);
    },
  };
}

const isOneOf =
  (...types: readonly string[]): Source['matches'] =>
  (_url, mediaType) =>
    types.includes(mediaType);
const isCaptions = isOneOf('text/vtt', 'text/srt', 'application/x-subrip', 'application/ttml+xml');
/** Text types that are not meant for reading, or that another source reads. */
const notForReading = isOneOf(
  ...['html', 'markdown', 'css', 'javascript', 'vtt', 'calendar', 'vcard'].map((type) => `text/${type}`),
);

/** In the order in which they are asked. */
export const textSources: readonly Source[] = [
  textSource('feed', isOneOf('application/rss+xml', 'application/atom+xml'), 'feed', async () => {
    const { readFeed } = await import('./feed/read-feed.ts');
    return ({ text, finalUrl }, progress) => readFeed(text ?? '', finalUrl, progress);
  }),
  // Articles and books; `sniff.ts` gives them these types.
  textSource(
    'xml-article',
    isOneOf('application/jats+xml', 'application/tei+xml', 'application/docbook+xml'),
    'page',
    async () => {
      const { readXmlArticle } = await import('./files/read-xml-article.ts');
      return ({ text, finalUrl, mediaType }) => readXmlArticle(text ?? '', finalUrl, mediaType.includes('tei'));
    },
  ),
  textSource(
    'captions',
    (url, type) => isCaptions(url, type) || (type === 'text/plain' && /\.(?:vtt|srt)$/i.test(url.pathname)),
    'text',
    async () => {
      const { readCaptionFile } = await import('./captions/read-caption-file.ts');
      return ({ text, bytes, finalUrl }) => readCaptionFile(text ?? new TextDecoder().decode(bytes), finalUrl);
    },
  ),
  textSource('markdown', isOneOf('text/markdown'), 'text', async () => {
    const { readMarkdown } = await import('./text/read-markdown.ts');
    return ({ text, finalUrl }) => readMarkdown(text ?? '', finalUrl);
  }),
  textSource(
    'text',
    (url, type) => type.startsWith('text/') && !notForReading(url, type),
    'text',
    async () => {
      const { readPlainText } = await import('./text/read-plain-text.ts');
      return ({ text, finalUrl }) => readPlainText(text ?? '', finalUrl);
    },
  ),
];
