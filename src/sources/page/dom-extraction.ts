import { countWords } from '../../domain/records/document.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { declaresArticle } from './blocks/demote-related-links.ts';
import type { BlockModel } from './blocks/block-model.ts';
import { chooseBlocks } from './blocks/choose-blocks.ts';
import { hiddenMark, type HiddenText } from './html/hidden-text.ts';
import type { Hint } from './metadata/metadata-hint.ts';
import type { PageFacts } from './html/html-scan.ts';
import { createHtmlToMarkdown } from './markdown/html-to-markdown.ts';
import { keepBlocks, type RemovableNode } from './blocks/keep-blocks.ts';
import { blocksOfPage } from './blocks/page-blocks.ts';
import { readKnownKind } from './kinds/page-kinds.ts';
import type { PageElement, PageReading } from './reading.ts';
import { parsePage } from './html/parse-page.ts';
import { tidyMarkdown } from './markdown/tidy-markdown.ts';

export interface ExtractedText {
  markdown: string;
  /** Titles, authors and dates that the extractors guessed, best first. */
  hints: Hint[];
  /** What the page says of itself when it is of a kind that is known by how it is built. */
  reading: PageReading | null;
}

/**
 * Below this word F1, which the model expects of its own choice, rules made for articles read the page as well: of any page, and of
 * one that looks like an article.
 */
const doubtful = { anyPage: 0.5, article: 0.85 };
/** Of the words that the model keeps; a reading of a known kind with fewer is of a part of the page only. */
const minKnown = 0.4;
/** Of a page; Defuddle asks of every link where it stands beside others: 50,000 of them take minutes, the largest page of the corpora has 16,000. */
const maxForRules = 20_000;
/** What the rules find is taken when it is no mere scrap of the page. */
const minByRules = 150;

/**
 * Finds the content of a page, and turns it into Markdown: its blocks are judged one by one; where that leaves doubt, Defuddle and
 * Readability read the page as well (`docs/decisions/0016`).
 */
export async function extractFromDom(
  page: HiddenText,
  url: string,
  baseUrl: string,
  facts: PageFacts,
  model: BlockModel,
): Promise<ExtractedText> {
  const toMarkdown = createHtmlToMarkdown(baseUrl);
  const document = parsePage(page.marked, url, baseUrl);
  // Not `body`: linkedom takes what follows a head that is not closed for something else.
  const root = document.documentElement as RemovableNode & PageElement;
  const blocks = blocksOfPage(root);
  const choice = chooseBlocks(model, blocks, facts, url);
  // What is hidden tells what the text around it is, and goes once that is known.
  for (const element of document.querySelectorAll(`[${hiddenMark}]`) as Iterable<RemovableNode>) element.remove();
  const reading = readKnownKind({ html: page.visible, root, facts, url, toMarkdown });
  const words = blocks.reduce((sum, block, i) => sum + (choice.kept[i] === true ? block.words : 0), 0);
  const known = reading?.markdown ?? null;
  // A few marked posts in a page of another kind are not the page.
  if (known !== null && countWords(plainText(known)) >= words * minKnown) {
    return { markdown: tidyMarkdown(known), hints: [], reading };
  }
  const kind = known === null ? reading : null;
  keepBlocks(root, blocks, choice.kept);
  const markdown = tidyMarkdown(toMarkdown(root));
  const clear = choice.expected >= (looksLikeArticle(facts, url) ? doubtful.article : doubtful.anyPage);
  if (clear || facts.elements > maxForRules) return { markdown, hints: [], reading: kind };
  const { readByRules } = await import('./blocks/rule-extraction.ts');
  const second = await readByRules(page.visible, url, baseUrl, toMarkdown);
  const found = countWords(plainText(second.markdown));
  return found >= minByRules || countWords(plainText(markdown)) < found
    ? { ...second, reading: kind }
    : { hints: second.hints, markdown, reading: kind };
}

function looksLikeArticle(facts: PageFacts, url: string): boolean {
  if (/"(?:DiscussionForumPosting|QAPage|FAQPage)"/.test(facts.jsonLd.join(' '))) return false;
  const slug =
    URL.parse(url)
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? '';
  return declaresArticle(facts) || slug.split('-').length > 3;
}
