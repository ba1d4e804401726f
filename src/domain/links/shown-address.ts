import { isNoteAddress } from './note-address.ts';
import { uploadedFileName } from './uploaded-file.ts';

/** The address, or the link to a place, that people and programs are shown; null where it opens nothing: of a note and of an uploaded file. */
export function shownAddress(address: string | null): string | null {
  return address === null || isNoteAddress(address) || uploadedFileName(address) !== null ? null : address;
}

/** Of a page, and not of a file or a note. */
export function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url);
}
