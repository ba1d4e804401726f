import { plainText } from './plain-text.ts';
import { beginningOf, shortened } from './shortened.ts';

/** Every passage and sentence under a heading stores its name, and a page may mark megabytes as a heading. */
const maxName = 300;
/** Characters of Markdown that are read for a name: with links and markup it is longer than the text shown. */
const maxMarkdown = 4_000;

/** The plain text of a heading on one line, shortened if it is very long. */
export function headingName(markdown: string): string {
  return shortened(plainText(beginningOf(markdown, maxMarkdown)).replaceAll(/\s+/gu, ' ').trim(), maxName);
}
