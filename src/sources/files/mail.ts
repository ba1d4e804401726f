import { readFile } from './read-file.ts';
import type { Source } from '../source.ts';

/** Mails (EML). */
export const mailSource: Source = {
  name: 'mail',
  matches: (_url, mediaType) => mediaType === 'message/rfc822',
  read: (resource, context) => readFile('mail', resource, false, context),
};
