import { ProcessingError } from '../errors.ts';

const names: readonly [RegExp, string][] = [
  [/^application\/x-cfb$/, 'an Office document of the old kind (.doc, .xls, .ppt), or a locked one'],
  [/^application\/(?:msword|rtf)$/, 'an old Word or a rich-text document (.doc, .rtf)'],
  [/spreadsheetml|ms-excel/, 'a spreadsheet (.xlsx)'],
  [/presentationml|ms-powerpoint/, 'a presentation (.pptx)'],
  [/opendocument/, 'an OpenDocument file (.odt, .ods, .odp)'],
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
    `This is ${name} (${mediaType}), which cannot be read yet. Save its text as a PDF, a Word document (.docx), a web page or a text file.`,
  );
}
