import { decodeHTMLStrict } from 'entities/decode';

/** Decodes HTML entities that end with `;`. No-break spaces become plain spaces. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text).replaceAll('\u00a0', ' ') : text;
}
