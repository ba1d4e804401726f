import type { PageFacts } from '../html/html-scan.ts';
import type { TextBlock } from './page-blocks.ts';
import { boxesAbove, type Box } from './block-elements.ts';
import { markingKinds } from '../class-hints.ts';

const commentsKind = markingKinds.indexOf('comments');
const relatedKind = markingKinds.indexOf('related');

/** Minimum number of words outside these parts. With fewer, the parts may be the page's main content. */
const minOutside = 150;
/** A part with a larger share of the page's words is the page's main content. */
const maxOfPage = { comments: 0.9, related: 0.4 };
/**
 * Minimum number of elements marked as comments in a list of comments: a paper also has a section called "discussion".
 */
const minComments = 3;
const minOfCards = { blocks: 4, linked: 0.15 };
/** Factor applied to the probability of blocks in such parts. */
const leftOver = 0.1;

/**
 * Whether a page declares itself an article. A page that declares itself a discussion or a question page does not
 * count.
 */
export function declaresArticle(facts: PageFacts): boolean {
  const data = facts.jsonLd.join(' ');
  if (/"(?:DiscussionForumPosting|QAPage|FAQPage)"/.test(data)) return false;
  return (
    facts.metas.get('og:type')?.[0]?.toLowerCase() === 'article' ||
    /"(?:News|Blog|Tech)?(?:Article|Posting)"/i.test(data)
  );
}

/**
 * Lowers the probability of comments under an article and of rows of cards that link to other articles. Their prose may
 * be as good as the article's, so they are recognised by their class hints.
 */
export function demoteRelatedLinks(blocks: readonly TextBlock[], likely: number[], facts: PageFacts): void {
  if (!declaresArticle(facts)) return;
  const parts = partsBeside(blocks);
  if (parts.size === 0) return;
  const beside = blocks.map(({ box }) => boxesAbove(box).some((one) => parts.has(one)));
  const outside = blocks.reduce(
    (sum, { words }, i) => sum + (beside[i] === false && (likely[i] ?? 0) > 0.5 ? words : 0),
    0,
  );
  if (outside < minOutside) return;
  for (const [i, isBeside] of beside.entries()) if (isBeside) likely[i] = (likely[i] ?? 0) * leftOver;
}

function partsBeside(blocks: readonly TextBlock[]): ReadonlySet<Box> {
  const marked = new Set<Box>();
  for (const { box } of blocks) {
    for (const one of boxesAbove(box)) {
      if (one.marked[commentsKind] === 0 || one.marked[relatedKind] === 0) marked.add(one);
    }
  }
  const comments = new Map<Box, number>();
  for (const box of marked) {
    if (box.marked[commentsKind] !== 0 || box.parent === null) continue;
    for (const outer of boxesAbove(box.parent)) comments.set(outer, (comments.get(outer) ?? 0) + 1);
  }
  return new Set(
    [...marked].filter((box) => {
      const share = box.words / Math.max(1, boxesAbove(box).at(-1)?.words ?? 1);
      const isComments =
        box.marked[commentsKind] === 0 && (comments.get(box) ?? 0) >= minComments && share < maxOfPage.comments;
      const isCards =
        box.marked[relatedKind] === 0 &&
        box.blocks >= minOfCards.blocks &&
        box.linkChars > box.chars * minOfCards.linked &&
        share < maxOfPage.related;
      return isComments || isCards;
    }),
  );
}
