import { shownAddress } from './shown-address.ts';
import { uploadedFileName } from './uploaded-file.ts';

/** The words of an item's address: its host and path, or the name of an uploaded file. Empty for a note. */
export function addressWords(address: string): string {
  const { host = '', pathname = '' } = URL.parse(shownAddress(address) ?? '') ?? {};
  const path = uploadedFileName(address) ?? pathname;
  try {
    return `${host.replace(/^www\./, '')} ${decodeURIComponent(path)}`.trim();
  } catch {
    return `${host} ${path}`;
  }
}
