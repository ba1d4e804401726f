import type { Document } from '../domain/records/texts/document.ts';
import { ProcessingError } from '../errors.ts';
import type { DecodedResource } from './decoding/sniff.ts';
import type { FileKind, ReadingSubject } from './host/reading-protocol.ts';
import type { FileTask, Source, OpeningContext } from './source.ts';
import type { Resource } from '../domain/records/resource.ts';
import {
  articleSource,
  arxivSource,
  embeddedPostSource,
  forgeSource,
  redditSource,
} from './page/kinds/site-sources.ts';
import { savedPageSource } from './files/mime-message.ts';
import { unlockedDocumentSource, givenPageSource, pushedSource } from './pushed/pushed.ts';
import { youtubeSource } from './youtube/youtube.ts';

type ReadFile = (bytes: Uint8Array, task: FileTask) => Promise<Document>;

const ofWord = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
/** Macros of Word documents are never read. */
const docxTypes = [`${ofWord}.document`, `${ofWord}.template`, 'application/vnd.ms-word.document.macroenabled.12'];
const imageTypes = ['png', 'jpeg', 'webp', 'gif', 'bmp', 'avif'].map((type) => `image/${type}`);

const fileKinds: Readonly<Record<FileKind, { types: readonly string[]; load: () => Promise<ReadFile> }>> = {
  pdf: { types: ['application/pdf'], load: async () => (await import('./pdf/read-pdf.ts')).readPdf },
  ebook: { types: ['application/epub+zip'], load: async () => (await import('./files/read-ebook.ts')).readEbook },
  docx: { types: docxTypes, load: async () => (await import('./files/docx/read-docx.ts')).readDocx },
  mail: { types: ['message/rfc822'], load: async () => (await import('./files/read-mail.ts')).readMail },
  image: { types: imageTypes, load: async () => (await import('./files/read-image.ts')).readImage },
};

/**
 * Files that are read from their bytes, page by page or chapter by chapter.
 * @param ocr whether text recognition runs on pages that are pictures
 */
function createFileSources(ocr: boolean): Source[] {
  return Object.entries(fileKinds).map(([name, { types, load }]) => {
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
        const read = await load();
        report.begun(kind);
        return read(bytes, { url: finalUrl, password, ocr, progress: report.progress });
      },
    };
  });
}

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
const textSources: readonly Source[] = [
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
      const { readCaptionFile } = await import('./captions/read-captions.ts');
      return ({ text, bytes, finalUrl }) => readCaptionFile(text ?? new TextDecoder().decode(bytes), finalUrl);
    },
  ),
  textSource('markdown', isOneOf('text/markdown'), 'text', async () => {
    const { readMarkdown } = await import('./text/read-text.ts');
    return ({ text, finalUrl }) => readMarkdown(text ?? '', finalUrl);
  }),
  textSource(
    'text',
    (url, type) => type.startsWith('text/') && !notForReading(url, type),
    'text',
    async () => {
      const { readPlainText } = await import('./text/read-text.ts');
      return ({ text, finalUrl }) => readPlainText(text ?? '', finalUrl);
    },
  ),
];

const names: readonly [RegExp, string][] = [
  [/^application\/x-cfb$/, 'an Office document of the old kind (.doc, .xls, .ppt), or a locked one'],
  [/^application\/(?:msword|rtf)$/, 'an old Word or a rich-text document (.doc, .rtf)'],
  [/spreadsheetml|ms-excel/, 'a spreadsheet (.xlsx)'],
  [/presentationml|ms-powerpoint/, 'a presentation (.pptx)'],
  [/opendocument/, 'an OpenDocument file (.odt, .ods, .odp)'],
  [/^image\//, 'an image'],
  [/^audio\//, 'an audio recording'],
  [/^video\//, 'a video'],
  [/^text\/calendar$/, 'a calendar (.ics)'],
  [/^text\/vcard$/, 'an address card (.vcf)'],
  [/^application\/(?:x-)?(?:sqlite|parquet)/, 'a database'],
  [/json/, 'data (JSON)'],
  [/xml/, 'data (XML)'],
  [/^(?:text|application)\/(?:x-)?(?:css|javascript|ecmascript)$/, 'a part of a web page (style or script)'],
  [/zip|gzip|tar|x-7z|rar|compressed|x-bzip|x-xz|zstd/, 'an archive'],
  [/font/, 'a font'],
  [/^application\/(?:x-msdownload|x-elf|x-mach-binary|vnd\.android)/, 'a program'],
];

const ofRecordings =
  'Save the page that it stands on, which may have captions or show notes, or save its address together with a transcript.';

/** Advice for addresses for which there is something better to save; the first match is used. */
const waysOut: readonly [RegExp, string][] = [
  [
    /^https:\/\/docs\.google\.com\/(?:document|spreadsheets|presentation)\//,
    'Download it there as a PDF, and save that file from the command line.',
  ],
  [
    /^https:\/\/(?:raw\.githubusercontent|codeload\.github|github)\.com\//,
    "Save the repository's page on GitHub instead.",
  ],
  [/\.(?:mp3|m4a|ogg|opus|wav|flac|mp4|m4v|webm|mov|mkv)$/i, ofRecordings],
];

/** The error for content that no source can read, with advice by its address or its type. */
function describeUnsupported(url: URL, mediaType: string): ProcessingError {
  const name =
    names.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'a file of a kind that Commonplace does not know';
  const known = /^(?:audio|video)\//.test(mediaType)
    ? ofRecordings
    : waysOut.find(([pattern]) => pattern.test(url.origin + url.pathname))?.[1];
  const wayOut = known ?? 'Save its text as a PDF, a Word document (.docx), a web page or a text file.';
  return new ProcessingError('unsupported_type', `This is ${name} (${mediaType}), which cannot be read yet. ${wayOut}`);
}

/**
 * All kinds of content that can be read, only in the reading processes (`reading-worker.ts`). Nothing heavy is loaded until
 * something is read. `ocr`: whether text is recognised in pictures.
 */
export function createSources({ ocr = false }: { ocr?: boolean } = {}) {
  const given = [pushedSource, unlockedDocumentSource, givenPageSource];
  // In the order in which they are asked.
  const sources = [
    youtubeSource,
    ...createFileSources(ocr),
    savedPageSource,
    redditSource,
    embeddedPostSource,
    arxivSource,
    forgeSource,
    ...textSources,
    articleSource,
  ];
  const anywhere = new URL('about:blank');
  return {
    find: (url: URL, mediaType: string): Source | null =>
      sources.find((source) => source.matches(url, mediaType)) ?? null,
    /** Of what a client or the program handed over (`ownTypeOf`, or a page); null when it is read as if fetched. */
    findGiven: (ownType: string): Source | null => given.find((source) => source.matches(anywhere, ownType)) ?? null,
    /** Null when no source opens this address in its own way. */
    open: (url: URL, context: OpeningContext): Promise<Resource> | null => {
      for (const source of sources) {
        const opening = source.open?.(url, context) ?? null;
        if (opening !== null) return opening;
      }
      return null;
    },
    describeUnsupported,
  };
}
