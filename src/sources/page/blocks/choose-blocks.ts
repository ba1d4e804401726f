import type { PageFacts } from '../html/html-scan.ts';
import { type TextBlock, dataTables } from './page-blocks.ts';
import { boxesAbove, isHeadingBox, isWithin, type Box, createPaths } from './block-elements.ts';
import { isProse, blockFeatures } from './page-features.ts';
import { markingKinds } from '../class-hints.ts';
import type { BlockModel } from './block-model.ts';
import { restoreBlocks, restoreDeclared } from './restore-blocks.ts';

const commentsKind = markingKinds.indexOf('comments');
const relatedKind = markingKinds.indexOf('related');

/** Minimum number of words outside these parts. With fewer, the parts may be the page's main content. */
const minOutside = 150;
/** A part with a larger share of the page's words is the page's main content. */
const maxOfPage = { comments: 0.9, related: 0.4 };
/** In a list of comments, so many are marked: a paper also has a section called "discussion". */
const minComments = 3;
const minOfCards = { blocks: 4, linked: 0.15 };
/** Factor applied to the probability of blocks in such parts. */
const leftOver = 0.1;

/** Whether a page declares itself an article, and no discussion or question page. */
export function declaresArticle(facts: PageFacts): boolean {
  const data = facts.jsonLd.join(' ');
  if (/"(?:DiscussionForumPosting|QAPage|FAQPage)"/.test(data)) return false;
  return (
    facts.metas.get('og:type')?.[0]?.toLowerCase() === 'article' ||
    /"(?:News|Blog|Tech)?(?:Article|Posting)"/i.test(data)
  );
}

/** Comments and cards that link to other articles may have prose as good as the article's: class hints tell them. */
function demoteRelatedLinks(blocks: readonly TextBlock[], likely: number[], facts: PageFacts): void {
  if (!declaresArticle(facts)) return;
  for (const i of announcedStories(blocks, likely)) likely[i] = (likely[i] ?? 0) * leftOver;
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

/** A short text that says that other stories follow. */
const announces =
  /^\W*(?:(?:related|recommended|similar|popular|trending|latest|most read|more) (?:stories|articles|posts|news|reading|links|content|from|in|on)|related|recommended(?: for you)?|you (?:may|might)(?: also)? (?:like|enjoy|be interested)|(?:also|now|next) read|read (?:more|next|also|this next)|more stories|up next|what to read next|keep reading|see also|don.t miss|das könnte (?:sie|dich)|auch interessant|lesen sie auch|mehr zum thema|à lire aussi|lire aussi|sur le même sujet|te puede interesar|también te|lee también|leggi anche|potrebbe interessarti|lees ook|leia também|veja também|läs också|les også|læs også|czytaj także|zobacz też|читайте также|похожие|関連記事|相关阅读|관련 기사)(?!\p{Ll})/iu;
const maxAnnouncement = 8;
/** Words before other stories that are an article, at least. */
const minArticle = 40;
/** Each one costs a walk over what follows it. */
const maxAnnouncements = 50;

/**
 * The blocks of other stories after or in an article, and their announcements: to the end of the box that has both, or to the next
 * paragraph with the structure of the article's. A line that names one story ends itself.
 */
function announcedStories(blocks: readonly TextBlock[], likely: readonly number[]): Set<number> {
  const found = new Set<number>();
  const pathOf = createPaths();
  const article = new Set<number>();
  let [words, announcements] = [0, 0];
  for (const [i, block] of blocks.entries()) {
    const { box, text } = block;
    if (announcements < maxAnnouncements && words >= minArticle && announces.test(text.slice(0, 60)) && !found.has(i)) {
      if (block.linkChars * 3 > block.chars && box.tag !== 'li') found.add(i);
      else if (block.words <= maxAnnouncement && (isHeadingBox(box) || block.chars === text.length)) {
        announcements += 1;
        const stories = storiesBehind(blocks, i, (one) => article.has(pathOf(one.box)));
        const [linked, all] = stories.reduce(
          ([links, chars], n) => [links + (blocks[n]?.linkChars ?? 0), chars + (blocks[n]?.chars ?? 0)],
          [0, 0] as [number, number],
        );
        if (stories.length > 1 && linked > all * minOfCards.linked) for (const n of [i, ...stories]) found.add(n);
      }
    }
    if (found.has(i) || (likely[i] ?? 0) < 0.5 || !isProse(block)) continue;
    article.add(pathOf(box));
    words += block.words;
  }
  return found;
}

function storiesBehind(blocks: readonly TextBlock[], at: number, isArticle: (block: TextBlock) => boolean): number[] {
  let around = (blocks[at] as TextBlock).box;
  // The heading may contain boxes.
  while (around.blocks === 1 && around.parent !== null) around = around.parent;
  const stories: number[] = [];
  for (let i = at + 1; i < blocks.length; i += 1) {
    const block = blocks[i] as TextBlock;
    if (!isWithin(block.box, around) || (isProse(block) && isArticle(block))) break;
    stories.push(i);
  }
  return stories;
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

export interface Choice {
  kept: boolean[];
  /** Likelihood of each block, 0–1. */
  likely: readonly number[];
  /** Word F1 that the model expects of this choice, 0–1. */
  expected: number;
}

export function chooseBlocks(model: BlockModel, blocks: readonly TextBlock[], facts: PageFacts, url: string): Choice {
  const likely = blockFeatures(blocks, facts, url).map((row) => model.probability(row));
  demoteRelatedLinks(blocks, likely, facts);
  levelTables(blocks, likely);
  levelAlike(blocks, likely);
  const choice = bestExpected(
    likely,
    blocks.map(({ words }) => words),
  );
  restoreBlocks(blocks, likely, choice.kept);
  restoreDeclared(blocks, choice.kept, facts);
  return choice;
}

/**
 * Finds the choice with the greatest expected F1, `2·Σ p·w over the kept ÷ (Σ w over the kept + Σ p·w over all)`. It
 * consists of the most probable blocks down to some probability. So a page of doubtful blocks still gives some text,
 * and a page of clear blocks gives no others.
 */
export function bestExpected(likely: readonly number[], words: readonly number[]): Choice {
  const order = likely.map((_, i) => i).toSorted((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0));
  const all = likely.reduce((sum, p, i) => sum + p * (words[i] ?? 0), 0);
  let found = 0;
  let taken = 0;
  let best = { expected: 0, count: 0 };
  for (const [n, i] of order.entries()) {
    found += (likely[i] ?? 0) * (words[i] ?? 0);
    taken += words[i] ?? 0;
    const expected = taken === 0 ? 0 : (2 * found) / (taken + all);
    if (expected >= best.expected && expected > 0) best = { expected, count: n + 1 };
  }
  const kept = likely.map(() => false);
  for (const i of order.slice(0, best.count)) kept[i] = true;
  return { kept, likely, expected: best.expected };
}

/** Gives all cells of a data table their mean probability, so that the table is kept or dropped as a whole. */
function levelTables(blocks: readonly TextBlock[], likely: number[]): void {
  for (const cells of dataTables(blocks)) {
    const mean = cells.reduce((sum, i) => sum + (likely[i] ?? 0), 0) / cells.length;
    for (const i of cells) likely[i] = mean;
  }
}

/** Fewer blocks that are built alike tell nothing of each other. */
const minAlike = 4;
/** Blocks with more words are prose, of which each is judged for itself. */
const maxShort = 20;
/** A page with a larger share of its words in prose is not a list of tiles. */
const maxProse = 0.2;

/** On pages of tiles, gives short blocks that are built alike (all prices, all items of a menu) their mean probability. */
function levelAlike(blocks: readonly TextBlock[], likely: number[]): void {
  let [prose, whole] = [0, 0];
  for (const { words } of blocks) {
    whole += words;
    if (words > maxShort) prose += words;
  }
  if (prose >= whole * maxProse) return;
  const pathOf = createPaths();
  for (const own of Map.groupBy(blocks.keys(), (i) => pathOf((blocks[i] as TextBlock).box)).values()) {
    const words = own.reduce((sum, i) => sum + (blocks[i]?.words ?? 0), 0);
    if (own.length < minAlike || words > own.length * maxShort) continue;
    let [sum, all] = [0, 0];
    for (const i of own) {
      const weight = (blocks[i]?.words ?? 0) + 0.5;
      sum += (likely[i] ?? 0) * weight;
      all += weight;
    }
    for (const i of own) likely[i] = sum / all;
  }
}
