import type { Warning } from '../../domain/records/content.ts';
import { countWords } from '../../domain/records/texts/document.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { declaresArticle, chooseBlocks } from './blocks/choose-blocks.ts';
import type { BlockModel } from './blocks/block-model.ts';
import { hiddenMark, type HiddenText } from './html/hidden-text.ts';
import type { Hint, PageReading } from './reading.ts';
import type { DomNode } from './html/dom-node.ts';
import { parsePage } from './html/parse-page.ts';
import type { PageFacts } from './html/html-scan.ts';
import { createHtmlToMarkdown } from './markdown/html-to-markdown.ts';
import { keepBlocks, blocksOfPage, type TextBlock } from './blocks/page-blocks.ts';
import { readKnownKind } from './kinds/page-kinds.ts';
import type { readByRules } from './blocks/rule-extraction.ts';
import { agree, longSentences, lossWarning } from './lost-text.ts';
import { tidyMarkdown } from './markdown/tidy-markdown.ts';

export interface ExtractedText {
  markdown: string;
  hints: Hint[];
  /** Set if the page's structure shows that it is of a known kind, such as a discussion or a repository. */
  reading: PageReading | null;
  warnings: Warning[];
}

/** Below these expected values of word F1, rules read the page as well. They are made for articles. */
const doubtful = { anyPage: 0.5, article: 0.85 };
/** A known-kind reading with a smaller share of the words that the model keeps covers only part of the page. */
const minKnown = 0.4;
/** Defuddle takes minutes for 50,000 links. The largest page of the corpora has 16,000 elements. */
const maxForRules = 20_000;
/** Rules replace a larger choice only with this many words and this share of it: else they took a part for the whole. */
const minByRules = 150;
const minOfChoice = 0.5;

/**
 * Finds a page's content and converts it to Markdown. The model judges the blocks one by one. If the result is
 * doubtful, Defuddle and Readability read the page as well (`docs/decisions/pages.md`).
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
  // Not `body`: linkedom does not put what follows an unclosed `head` there.
  const root = document.documentElement as DomNode;
  const blocks = blocksOfPage(root);
  const choice = chooseBlocks(model, blocks, facts, url);
  // Hidden text helps to classify the blocks around it, so it is removed only after the choice.
  for (const element of document.querySelectorAll(`[${hiddenMark}]`) as Iterable<DomNode>) element.remove();
  const reading = readKnownKind({ html: page.visible, root, facts, url, toMarkdown });
  const known = reading?.markdown ?? null;
  // A known-kind reading that covers only a few posts, or the comments below a text, is not the whole page. Use the model's choice then.
  if (known !== null && covers(known, blocks, choice.kept)) {
    // Readers of papers, posts and repositories leave out what is about the text.
    const isThread = reading?.contentType === 'discussion';
    const warnings = isThread ? lossWarning(blocks, choice, plainText(known), 'kind') : [];
    return { markdown: tidyMarkdown(known), hints: reading?.hints ?? [], reading, warnings };
  }
  const kind = known === null ? reading : null;
  keepBlocks(root, blocks, choice.kept);
  const markdown = tidyMarkdown(toMarkdown(root));
  const own = { markdown, hints: [], reading: kind };
  const clear = choice.expected >= (looksLikeArticle(facts, url) ? doubtful.article : doubtful.anyPage);
  const best =
    clear || facts.elements > maxForRules ? own : await orByRules(own, page.visible, url, baseUrl, toMarkdown);
  const text = plainText(best.markdown);
  if (best.markdown === markdown) return { ...best, warnings: lossWarning(blocks, choice, text, 'model') };
  // A text found by two extractors is probably complete.
  const warnings = agree(text, plainText(markdown)) ? [] : lossWarning(blocks, choice, text, 'rules');
  return { ...best, warnings };
}

async function orByRules(
  own: Omit<ExtractedText, 'warnings'>,
  ...page: Parameters<typeof readByRules>
): Promise<Omit<ExtractedText, 'warnings'>> {
  const { readByRules: read } = await import('./blocks/rule-extraction.ts');
  const second = await read(...page);
  const found = countWords(plainText(second.markdown));
  const chosen = countWords(plainText(own.markdown));
  return chosen < found || (found >= minByRules && found >= chosen * minOfChoice)
    ? { ...own, ...second }
    : { ...own, hints: second.hints };
}

/** Whether a reading has at least the share `minKnown` of the words that the model keeps, and of its sentences. */
function covers(known: string, blocks: readonly TextBlock[], kept: readonly boolean[]): boolean {
  const text = plainText(known);
  const own = longSentences(text);
  let [words, all, said] = [0, 0, 0];
  for (const [i, block] of blocks.entries()) {
    if (kept[i] !== true) continue;
    words += block.words;
    for (const [sentence, count] of longSentences(block.text)) {
      all += count;
      if (own.has(sentence)) said += count;
    }
  }
  return countWords(text) >= words * minKnown && said >= all * minKnown;
}

function looksLikeArticle(facts: PageFacts, url: string): boolean {
  if (/"(?:DiscussionForumPosting|QAPage|FAQPage)"/.test(facts.jsonLd.join(' '))) return false;
  const slug =
    URL.parse(url)
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? '';
  return declaresArticle(facts) || slug.split('-').length > 3;
}
