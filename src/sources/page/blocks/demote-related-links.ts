import type { PageFacts } from '../html/html-scan.ts';
import type { TextBlock } from './page-blocks.ts';
import { boxesAbove, type Box } from './block-elements.ts';
import { markingKinds } from '../class-hints.ts';

const commentsKind = markingKinds.indexOf('comments');
const relatedKind = markingKinds.indexOf('related');

/** Words that a page has to have outside of these parts: else they may be what it is for. */
const minOutside = 150;
/** A part with a greater share of the page's words is the page. */
const maxOfPage = { comments: 0.9, related: 0.4 };
/** Marked comments within a part that make it a list of them: a paper has a section called "discussion", too. */
const minComments = 3;
const minOfCards = { blocks: 4, linked: 0.15 };
/** What is left of the likelihood of a block there. */
const leftOver = 0.1;

/** Whether a page says of itself that it is an article; threads say so of themselves seldom, and are another kind. */
export function declaresArticle(facts: PageFacts): boolean {
  const data = facts.jsonLd.join(' ');
  if (/"(?:DiscussionForumPosting|QAPage|FAQPage)"/.test(data)) return false;
  return (
    facts.metas.get('og:type')?.[0]?.toLowerCase() === 'article' ||
    /"(?:News|Blog|Tech)?(?:Article|Posting)"/i.test(data)
  );
}

/** Comments under an article, and rows of cards that lead to others, may be as good prose as its own: they are known by their marks. */
export function lowerBesideArticle(blocks: readonly TextBlock[], likely: number[], facts: PageFacts): void {
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
