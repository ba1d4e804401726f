import { withoutHiddenText } from '../page/html/hidden-text.ts';
import { isTooLargeForDom, scanPage } from '../page/html/html-scan.ts';
import { createHtmlToMarkdown } from '../page/markdown/html-to-markdown.ts';
import { linearMarkdown } from '../page/html/linear-html.ts';
import { parseFragment } from '../page/html/parse-page.ts';
import { tidyMarkdown } from '../page/markdown/tidy-markdown.ts';

/** Elements that have no content in HTML. */
const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/**
 * Elements that XML closes in their start tags. An HTML parser would put what follows inside them. Behind an attribute
 * without quotation marks, the slash is part of its value.
 */
const selfClosed = /<([a-z][\w:-]{0,40})((?:\s[^<>]*["'\s])?)\/>/gi;

/** How a word is read aloud, in small type above it, and the brackets around that. */
const reading = /<r[tp]\b[^<>]*>[^<]*<\/r[tp]>/gi;

interface MarkupOptions {
  /** Address for links. Without one, links within the file are removed. */
  baseUrl?: string;
  /** Whether links to notes, and the notes, become `[^1]`. */
  hasNotes?: boolean;
}

/**
 * Converts the HTML of a book chapter, a mail or an entry of a feed to Markdown. All of it is content, except hidden
 * text.
 */
export function chapterMarkdown(html: string, options: MarkupOptions = {}): string {
  const whole = html.replaceAll(selfClosed, (tag: string, name: string, attributes: string) =>
    voids.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
  );
  const open = withoutHiddenText(whole.replaceAll(reading, ''));
  const start = /<body[^<>]*>/i.exec(open);
  const from = start === null ? 0 : start.index + start[0].length;
  const end = open.toLowerCase().lastIndexOf('</body');
  return markupMarkdown(open.slice(from, end > from ? end : undefined), options);
}

/** The number of a note, which stands before its text as well. */
const repeatedNumber = /^(\[\^(\d{1,4})\]: )\2\\?[.)] /gm;

/** Converts HTML of which everything is content to Markdown. */
export function markupMarkdown(html: string, { baseUrl = 'inside:/', hasNotes = false }: MarkupOptions = {}): string {
  if (isTooLargeForDom(scanPage(html))) return linearMarkdown(html, true);
  const markdown = tidyMarkdown(createHtmlToMarkdown(baseUrl)(parseFragment(html, hasNotes)));
  return hasNotes ? markdown.replaceAll(repeatedNumber, '$1') : markdown;
}
