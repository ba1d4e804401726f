import { unzipSync } from 'fflate';
import { ProcessingError } from '../../errors.ts';

/** Limits on the unpacked size of an archive. A long book with its markup takes a tenth of that. */
const maxEntries = 20_000;
const maxEntryBytes = 50_000_000;
const maxBytes = 200_000_000;

export interface ZipArchive {
  readonly names: readonly string[];
  /** Text of an entry; null when no entry has this name, or when the entry was not in `wanted`. */
  text(name: string): string | null;
}

/**
 * Unpacks the entries that `wanted` selects. Declared sizes are checked before anything is unpacked, and no entry
 * unpacks to more than its declared size.
 * @throws {ProcessingError} `too_large` for archives that unpack to more than any document has, `extraction_failed` for
 * broken ones
 */
export function openZip(bytes: Uint8Array, wanted: (name: string) => boolean): ZipArchive {
  const names: string[] = [];
  let total = 0;
  let found: Record<string, Uint8Array>;
  try {
    found = unzipSync(bytes, {
      filter({ name, originalSize }) {
        names.push(name);
        if (names.length > maxEntries) throw tooLarge();
        if (!wanted(name)) return false;
        total += originalSize;
        if (originalSize > maxEntryBytes || total > maxBytes) throw tooLarge();
        return true;
      },
    });
  } catch (error) {
    if (error instanceof ProcessingError) throw error;
    throw new ProcessingError(
      'extraction_failed',
      'This file is damaged: its parts cannot be unpacked. Download or save it again.',
      {
        cause: error,
      },
    );
  }
  const entries = new Map(Object.entries(found));
  return {
    names,
    text(name) {
      const entry = entries.get(name);
      return entry === undefined ? null : decode(entry);
    },
  };
}

/**
 * Checks the declared unpacked size of a whole archive, for libraries that unpack it themselves.
 * @throws as `openZip`
 */
export function checkZip(bytes: Uint8Array): void {
  let total = 0;
  openZip(bytes, () => false);
  unzipSync(bytes, {
    filter({ originalSize }) {
      total += originalSize;
      if (total > maxBytes) throw tooLarge();
      return false;
    },
  });
}

function tooLarge(): ProcessingError {
  return new ProcessingError(
    'too_large',
    'This file unpacks to far more than a document has. Save it in smaller parts.',
  );
}

function decode(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]{1,40})["']/i.exec(head)?.[1];
  const name = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : (declared ?? 'utf-8');
  try {
    return new TextDecoder(name).decode(bytes);
  } catch (error) {
    // The declared encoding does not exist.
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}
