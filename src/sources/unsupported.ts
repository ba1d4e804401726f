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

/**
 * Makes the error for content that no source can read yet, with advice for the user. The advice depends on the address
 * where that matches, otherwise on the type.
 */
export function describeUnsupported(url: URL, mediaType: string): ProcessingError {
  const name =
    names.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'a file of a kind that Commonplace does not know';
  const known = /^(?:audio|video)\//.test(mediaType)
    ? ofRecordings
    : waysOut.find(([pattern]) => pattern.test(url.origin + url.pathname))?.[1];
  const wayOut = known ?? 'Save its text as a PDF, a Word document (.docx), a web page or a text file.';
  return new ProcessingError('unsupported_type', `This is ${name} (${mediaType}), which cannot be read yet. ${wayOut}`);
}
