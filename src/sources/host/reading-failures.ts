import { enoughMegabytes } from '../../domain/machine-limits.ts';
import { ProcessingError } from '../../errors.ts';
import { isMemorySmall } from '../../workers/memory.ts';
import { maxBlocks, maxCharacters, type ReadingSubject, type ReadingWay } from './reading-protocol.ts';

const names: Readonly<Record<ReadingSubject, string>> = {
  text: 'text',
  page: 'page',
  feed: 'feed',
  pdf: 'PDF',
  ebook: 'e-book',
  docx: 'Word document',
  mail: 'mail',
  image: 'image',
};

const wayOutOfFile = 'Open it and save it again (printing to PDF often helps), or save its text as a file.';
const waysOut: Readonly<Partial<Record<ReadingSubject, string>>> = {
  text: 'Split it into smaller files, and save those.',
  page: 'Save its text as a file, and save that file from the command line.',
  feed: 'Save the pages of its entries instead.',
};

/** The reading process had to be ended, or crashed because of the content. */
export class LostReading extends ProcessingError {
  /** How the page was read. Null for everything that is not a page. */
  way: ReadingWay | null = null;
}

export function tookTooLong(subject: ReadingSubject): LostReading {
  return new LostReading(
    'extraction_timeout',
    `Reading this ${names[subject]} took too long and was given up: it is built in a way that cannot be read in reasonable time. ${waysOut[subject] ?? wayOutOfFile}`,
  );
}

export function tooMuchMemory(subject: ReadingSubject): LostReading {
  return new LostReading(
    'extraction_failed',
    `Reading this ${names[subject]} took more than 1 GB of memory and was given up. ${waysOut[subject] ?? wayOutOfFile}`,
  );
}

export function tooMuchText(subject: ReadingSubject): ProcessingError {
  const [here, wayOut] = isMemorySmall()
    ? [' with the memory that Commonplace may use here', `Give it ${enoughMegabytes} MB, or split this`]
    : ['', 'Split this'];
  const most = `${maxCharacters.toLocaleString('en')} characters and ${maxBlocks.toLocaleString('en')} paragraphs`;
  return new ProcessingError(
    'too_large',
    `This ${names[subject]} is too long: one item can hold ${most}${here}. ${wayOut} into smaller files, and save those.`,
  );
}

export function brokenReading(subject: ReadingSubject, cause: unknown): LostReading {
  return new LostReading(
    'extraction_failed',
    `This ${names[subject]} could not be read: it is built in a way that breaks its reader. ${waysOut[subject] ?? wayOutOfFile}`,
    { cause },
  );
}

/** The process was killed from outside: by a person, or by a system that ran out of memory. */
export function endedFromOutside(subject: ReadingSubject, cause: unknown): ProcessingError {
  return new ProcessingError(
    'extraction_failed',
    `The process that read this ${names[subject]} was ended by another program, or by the system because memory ran out. Close other programs, then retry it.`,
    { cause, retryable: true },
  );
}

export function needsTooMuch(): ProcessingError {
  return new ProcessingError(
    'extraction_failed',
    'This page asks for more files than any recording or paper has, so reading it was given up. Save its text as a file, and save that file from the command line.',
  );
}
