import { plainText } from './plain-text.ts';
import { beginningOf, shortened } from './shortened.ts';

/** Every passage and sentence under a heading carries its name, and a page may mark megabytes as a heading. */
const maxName = 300;
/** Markdown that is read for a name: link addresses and marks are longer than what they show. */
const maxMarkdown = 4_000;

/** The words of a heading on one line; of a very long one its beginning. */
export function headingName(markdown: string): string {
  return shortened(plainText(beginningOf(markdown, maxMarkdown)).replaceAll(/\s+/gu, ' ').trim(), maxName);
}
