import { withoutHiddenText } from '../page/html/hidden-text.ts';
import { isTooLargeForDom, scanPage } from '../page/html/html-scan.ts';
import { createHtmlToMarkdown } from '../page/markdown/html-to-markdown.ts';
import { linearMarkdown } from '../page/html/linear-html.ts';
import { parseFragment } from '../page/html/parse-page.ts';
import { tidyMarkdown } from '../page/markdown/tidy-markdown.ts';

/** Elements that XML may close in their own tag and HTML may not: what follows would lie in them. */
const selfClosed = /<(a|span|p|div|i|b|em|td|th|li|script|style|title)((?:\s[^<>]*)?)\/>/gi;

/** Markdown of the HTML that a book or a document is made of, all of which is its text but what it hides. Links within the file go. */
export function chapterMarkdown(html: string): string {
  const open = withoutHiddenText(html.replaceAll(selfClosed, '<$1$2></$1>'));
  if (isTooLargeForDom(scanPage(open))) return linearMarkdown(open);
  const start = /<body[^<>]*>/i.exec(open);
  const from = start === null ? 0 : start.index + start[0].length;
  const end = open.toLowerCase().lastIndexOf('</body');
  const body = open.slice(from, end > from ? end : undefined);
  return tidyMarkdown(createHtmlToMarkdown('inside:/')(parseFragment(body)));
}
