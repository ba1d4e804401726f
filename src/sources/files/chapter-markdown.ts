import { withoutHiddenText } from '../page/html/hidden-text.ts';
import { isTooLargeForDom, scanPage } from '../page/html/html-scan.ts';
import { createHtmlToMarkdown } from '../page/markdown/html-to-markdown.ts';
import { linearMarkdown } from '../page/html/linear-html.ts';
import type { BookNotes } from '../page/html/footnotes.ts';
import { parseFragment } from '../page/html/parse-page.ts';
import { tidyMarkdown } from '../page/markdown/tidy-markdown.ts';

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/**
 * Elements that XML closes in their start tags. An HTML parser would put what follows inside them. Behind an attribute
 * without quotation marks, the slash is part of its value.
 */
const selfClosed = /<([a-z][\w:-]{0,40})((?:\s[^<>]*["'\s])?)\/>/gi;

/** Makers of HTML hand it over in pieces of about so many characters: a longer one may have more elements than a DOM is made of. */
export const pieceLength = 200_000;

interface MarkupOptions {
  /** Address for links. Without one, links within the file are removed. */
  baseUrl?: string;
  /** The book of a chapter: its elements may be closed in their start tags, and its notes become `[^1]`. */
  book?: BookNotes;
}

/** Converts the HTML of a chapter, a mail or a feed's entry to Markdown. All but hidden text is content. */
export function chapterMarkdown(html: string, options: MarkupOptions = {}): string {
  // In HTML, as in mails, such tags are start tags: what follows may be hidden by them.
  const whole =
    options.book !== undefined
      ? html.replaceAll(selfClosed, (tag: string, name: string, attributes: string) =>
          voids.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
        )
      : html;
  const open = withoutHiddenText(whole);
  const start = /<body[^<>]*>/i.exec(open);
  const from = start === null ? 0 : start.index + start[0].length;
  const end = open.toLowerCase().lastIndexOf('</body');
  return markupMarkdown(open.slice(from, end > from ? end : undefined), options);
}

/** The number of a note, and the book's own number before its text. */
const repeatedNumber = /^(\[\^(\d{1,4})\]: )(\d{1,4})\\?[.)] /gm;

/** Converts HTML of which everything is content to Markdown. */
export function markupMarkdown(html: string, { baseUrl = 'inside:/', book }: MarkupOptions = {}): string {
  if (isTooLargeForDom(scanPage(html))) return linearMarkdown(html, true);
  const markdown = tidyMarkdown(createHtmlToMarkdown(baseUrl)(parseFragment(html, book)));
  if (book === undefined) return markdown;
  return markdown.replaceAll(repeatedNumber, (whole: string, start: string, number: string, shown: string) =>
    book.written[Number(number) - 1] === shown ? start : whole,
  );
}
