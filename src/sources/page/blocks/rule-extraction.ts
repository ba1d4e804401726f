import { Readability } from '@mozilla/readability';
import { Defuddle } from 'defuddle/node';
import { countWords } from '../../../domain/records/texts/document.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import type { Hint } from '../reading.ts';
import type { HtmlToMarkdown } from '../markdown/html-to-markdown.ts';
import { parseFragment, parsePage } from '../html/parse-page.ts';
import { tidyMarkdown, withoutDataPictures } from '../markdown/tidy-markdown.ts';

/** Defuddle's result is used unless it has less than this share of Readability's words. */
const minShare = 0.5;
/** Text in Defuddle's Markdown that shows, instead of an error, that its conversion failed. */
const brokenConversion = 'Partial conversion completed with errors';

/** Pictures without a description say nothing; neither do links of them alone. */
const unnamedPicture = /\[!\[\]\([^()\s]*\)\]\([^()\s]*\)|!\[\]\([^()\s]*\)/g;

export interface RuleReading {
  markdown: string;
  /** Titles, authors and dates that both guessed, best first. */
  hints: Hint[];
}

/** Extracts by Defuddle's rules, or Readability's if Defuddle finds little. Ten times as slow as the model. */
export async function readByRules(
  html: string,
  url: string,
  baseUrl: string,
  toMarkdown: HtmlToMarkdown,
): Promise<RuleReading> {
  const readable = new Readability(parsePage(html, url, baseUrl), { charThreshold: 250 }).parse();
  const readableWords = countWords(readable?.textContent ?? '');
  const defuddled = await Defuddle(parsePage(html, url, baseUrl), url, { useAsync: false, separateMarkdown: true });
  const hints: Hint[] = [
    {
      title: defuddled.title || null,
      author: defuddled.author || null,
      siteName: defuddled.site || null,
      publishedAt: defuddled.published || null,
    },
    {
      title: readable?.title ?? null,
      author: readable?.byline ?? null,
      siteName: readable?.siteName ?? null,
      publishedAt: readable?.publishedTime ?? null,
    },
  ];
  let markdown = defuddled.contentMarkdown ?? '';
  if (markdown.includes(brokenConversion)) markdown = toMarkdown(parseFragment(defuddled.content));
  if (countWords(plainText(markdown)) < readableWords * minShare)
    markdown = toMarkdown(parseFragment(readable?.content ?? ''));
  return { markdown: withoutDataPictures(tidyMarkdown(markdown)).replaceAll(unnamedPicture, ''), hints };
}
