import type * as Decoder from 'entities/decode';
import { createRequire } from 'node:module';

/** Loaded with the first entity: its table takes milliseconds to unpack, and most commands meet none. */
let decoder: typeof Decoder | undefined;

const entities = /&[^;&\s]{1,32};/g;

/**
 * Decodes the HTML entities that end with `;`. A no-break space becomes a plain one; soft hyphens and marks of direction are left out,
 * because they are not part of the words.
 */
export function decodeEntities(text: string): string {
  return text.replaceAll(entities, (entity) => {
    decoder ??= createRequire(import.meta.url)('entities/decode') as typeof Decoder;
    return decoder
      .decodeHTMLStrict(entity)
      .replaceAll('\u00a0', ' ')
      .replaceAll(/[\u00ad\u200e\u200f]/g, '');
  });
}
