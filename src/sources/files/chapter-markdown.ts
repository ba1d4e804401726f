import { withoutHiddenText } from '../page/html/hidden-text.ts';
import { isTooLargeForDom, scanPage } from '../page/html/html-scan.ts';
import { createHtmlToMarkdown } from '../page/markdown/html-to-markdown.ts';
import { linearMarkdown } from '../page/html/linear-html.ts';
import { parseFragment } from '../page/html/parse-page.ts';
import { tidyMarkdown } from '../page/markdown/tidy-markdown.ts';

/**
 * Elements that may be self-closing in XML but not in HTML. An HTML parser would put the following content inside them.
 */
const selfClosed = /<(a|span|p|div|i|b|em|td|th|li|script|style|title)((?:\s[^<>]*)?)\/>/gi;

/**
 * Converts the HTML of a book chapter, a mail or an entry of a feed to Markdown. All of it is content, except hidden
 * text. Without an address of its own, links within the file are removed.
 */
export function chapterMarkdown(html: string, baseUrl?: string): string {
  const open = withoutHiddenText(html.replaceAll(selfClosed, '<$1$2></$1>'));
  const start = /<body[^<>]*>/i.exec(open);
  const from = start === null ? 0 : start.index + start[0].length;
  const end = open.toLowerCase().lastIndexOf('</body');
  return markupMarkdown(open.slice(from, end > from ? end : undefined), baseUrl);
}

/** Converts HTML of which everything is content to Markdown. */
export function markupMarkdown(html: string, baseUrl = 'inside:/'): string {
  if (isTooLargeForDom(scanPage(html))) return linearMarkdown(html, true);
  return tidyMarkdown(createHtmlToMarkdown(baseUrl)(parseFragment(html)));
}
