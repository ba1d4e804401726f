import type { Warning } from '../../domain/records/content.ts';
import { unlockedDocumentType, type Resource } from '../../domain/records/resource.ts';
import type { Extraction } from './reading-protocol.ts';

/** Warning on every item whose file is not stored. Reprocessing such an item uses the text as it was first read. */
const fileNotKept: Warning = {
  code: 'file_not_kept',
  message:
    'This file was locked: its text is kept, the file and its password are not. To read it again, save it again with the password.',
};

/** The resource to save instead of the one that the document was read from. `url` is the item's address. */
export function unlockedResource(
  resource: Resource,
  { document: read, transcript }: Extraction,
  url: string,
): Resource {
  const blocks = transcript.blocks.map(({ start, end, ...rest }) => ({
    ...rest,
    text: transcript.text.slice(start, end),
  }));
  const document = { ...read, canonicalUrl: null, warnings: [...read.warnings, fileNotKept], blocks };
  return {
    url,
    finalUrl: url,
    bytes: new TextEncoder().encode(JSON.stringify({ commonplaceDocument: 1, document })),
    declaredType: unlockedDocumentType,
    fetchedAt: resource.fetchedAt,
  };
}
