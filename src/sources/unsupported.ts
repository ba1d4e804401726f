import { ProcessingError } from '../errors.ts';

const names: readonly [RegExp, string][] = [
  [/^application\/pdf$/, 'a PDF document'],
  [/^application\/epub\+zip$/, 'an e-book (EPUB)'],
  [/wordprocessingml|^application\/(?:msword|x-cfb|rtf)$/, 'a Word or rich-text document'],
  [/spreadsheetml|ms-excel/, 'a spreadsheet'],
  [/presentationml|ms-powerpoint/, 'a presentation'],
  [/opendocument/, 'an OpenDocument file'],
  [/^image\//, 'an image'],
  [/^audio\//, 'an audio recording'],
  [/^video\//, 'a video'],
  [/^text\/vtt$/, 'a file of captions'],
  [/^application\/(?:rss|atom)\+xml$/, 'a feed'],
  [/json/, 'data (JSON)'],
  [/xml/, 'data (XML)'],
  [/^(?:text|application)\/(?:x-)?(?:css|javascript|ecmascript)$/, 'a part of a web page (style or script)'],
  [/zip|gzip|tar|x-7z|rar|compressed|x-bzip|x-xz|zstd/, 'an archive'],
  [/font/, 'a font'],
  [/^application\/(?:x-msdownload|x-elf|x-mach-binary|vnd\.android)/, 'a program'],
];

/** Says in a person's words that there is no source yet for what stands at an address. */
export function describeUnsupported(_url: URL, mediaType: string): ProcessingError {
  const name =
    names.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'a file of a kind that Commonplace does not know';
  return new ProcessingError(
    'unsupported_type',
    `This is ${name} (${mediaType}), which cannot be read yet. Save a web page, a text or a Markdown file with the same content.`,
  );
}
