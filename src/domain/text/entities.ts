import { decodeHTMLStrict } from 'entities/decode';

/** Text with the entities of HTML decoded that end with `;`. No-break spaces are plain ones: nothing here tells them apart. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text).replaceAll('\u00a0', ' ') : text;
}
