import { keepHeadingsBetween, restoreHeadings } from './restore-headings.ts';
import type { TextBlock } from './page-blocks.ts';
import { commonBox, isHeadingBox, nearestBox, unmarked, type Box, createPaths } from './block-elements.ts';
import { isProse, startsOther } from './page-features.ts';
import { markingKinds } from '../class-hints.ts';

/**
 * Minimum probability, from the model that left the block out, for restoring it. Clearly rejected blocks stay out. On a
 * page with few words the model is less reliable, so lower probabilities suffice. On long pages, the training labels
 * leave out captions, footnotes and much of the code, so there `code` and `note` are practically off (1).
 */
const minLikelihood = {
  longPage: { code: 1, prose: 0.3, likeAll: 0.2, note: 1 },
  shortPage: { code: 0.1, prose: 0.2, likeAll: 0.1, note: 0.2 },
};
/** A page with fewer words counts as short. Navigation and other surroundings are included in the count. */
const shortPage = 600;
/** If at least this share of a box's prose words is kept, the rest of the box probably belongs to the same text. */
const maxOfBox = 0.7;
/**
 * From this share on, a lower probability suffices (`likeAll`): an article's last section looks to the model like what
 * follows articles.
 */
const nearlyAllOfBox = 0.8;
/** Blocks with fewer words are as often labels as text. */
const minWords = 3;
/**
 * Maximum depth of a code block below the box that it shares with the text. Toolbars, tabs and numbered lines come
 * between.
 */
const furthest = 4;

const otherMatter = [
  'navigation footer aside related comments share advertising consent newsletter meta hidden pages',
].flatMap((names) => names.split(' ').map((name) => markingKinds.indexOf(name)));
const frames = new Set(['article', 'main', 'section', 'div', 'body', 'td', 'center', 'html']);
const plainText = new Set(['p', 'li', 'dd', 'dt', 'blockquote']);

/**
 * Restores blocks that the block-by-block choice wrongly left out: code next to kept text, terms of kept definitions,
 * the rest of a box that is mostly kept, the rest of a long text, text below a kept heading where nothing else was kept, and headings between
 * kept blocks. Changes `kept` in place.
 */
export function restoreBlocks(blocks: readonly TextBlock[], likely: readonly number[], kept: boolean[]): void {
  if (!kept.includes(true)) return;
  const chosen = [...kept];
  const isShort = blocks.reduce((sum, { words }) => sum + words, 0) < shortPage;
  const minimum = isShort ? minLikelihood.shortPage : minLikelihood.longPage;
  const other = otherSections(blocks, chosen);
  const may = (i: number, kind: keyof typeof minimum): boolean =>
    (likely[i] ?? 0) >= minimum[kind] && other[i] !== true;
  restoreCode(blocks, chosen, kept, may);
  restoreBoxes(blocks, chosen, kept, may);
  restoreSections(blocks, kept, may);
  restoreBetween(blocks, chosen, kept);
  restoreLongProse(blocks, kept, other);
  for (const [i, { box }] of blocks.entries()) {
    const next = blocks[i + 1];
    const isTerm = nearestBox(box, 'dt') !== null && next !== undefined && nearestBox(next.box, 'dd') !== null;
    if (isTerm && kept[i + 1] === true) kept[i] = true;
    else if (isTerm && kept[i] === true && isText(next, frameOf(next.box))) kept[i + 1] = true;
  }
  keepHeadingsBetween(blocks, kept);
  restoreNotes(blocks, kept);
}

/** Restores the notes to which kept text refers. */
function restoreNotes(blocks: readonly TextBlock[], kept: boolean[]): void {
  const named = new Set(blocks.flatMap(({ notes }, i) => (kept[i] === true ? notes : [])));
  for (const [i, { note }] of blocks.entries()) if (note !== null && named.has(note)) kept[i] = true;
}

type May = (i: number, kind: keyof typeof minLikelihood.longPage) => boolean;

/** Restores code that follows or precedes kept text. */
function restoreCode(blocks: readonly TextBlock[], chosen: readonly boolean[], kept: boolean[], may: May): void {
  const after = nextKept(chosen);
  let before = -1;
  for (const [i, block] of blocks.entries()) {
    if (chosen[i] === true) before = i;
    else if (nearestBox(block.box, 'pre') !== null && may(i, 'code')) {
      kept[i] = [blocks[before], blocks[after[i] ?? -1]].some((one) => {
        if (one === undefined) return false;
        const within = commonBox(one.box, block.box);
        return block.box.depth - within.depth <= furthest && !isOtherMatter(block, within);
      });
    }
  }
}

/** Restores the rest of boxes that are mostly kept, and the headings directly above restored blocks. */
function restoreBoxes(blocks: readonly TextBlock[], chosen: readonly boolean[], kept: boolean[], may: May): void {
  for (const [frame, own] of Map.groupBy(blocks.keys(), (i) => frameOf((blocks[i] as TextBlock).box))) {
    const text = own.filter((i) => isText(blocks[i], frame));
    const prose = text.filter((i) => !isNote(blocks[i] as TextBlock));
    const stays = prose.filter((i) => chosen[i] === true);
    const words = (those: readonly number[]): number => those.reduce((sum, i) => sum + (blocks[i]?.words ?? 0), 0);
    const share = stays.length < 2 ? 0 : words(stays) / words(prose);
    const alike = new Set(stays.map((i) => lookOf(blocks[i] as TextBlock)));
    for (const i of text) {
      if (share >= maxOfBox || isNotes(frame)) bringBack(blocks, i, kept, may);
      if (
        share >= nearlyAllOfBox &&
        plainText.has(blocks[i]?.box.tag ?? '') &&
        alike.has(lookOf(blocks[i] as TextBlock)) &&
        may(i, 'likeAll')
      )
        kept[i] = true;
    }
  }
  for (const [i, block] of blocks.entries()) {
    if (isHeadingBox(block.box) && chosen[i + 1] !== true && kept[i + 1] === true && may(i, 'prose')) kept[i] = true;
  }
}

/** Minimum number of words that must be kept. A shorter text is as often a list of teasers. */
const longText = 3_000;
/** Minimum share of its words that must be kept. */
const minOfProse = 0.5;

/**
 * Restores the rest of a long text: of the boxes that are built alike (sections, columns), if most of their prose is
 * kept. The model knows few pages of such length and leaves out paragraphs here and there, mostly towards the end.
 * After the last kept paragraph, comments and links may begin, so `other` counts there. Code, lists and tables between
 * restored paragraphs come back with them.
 */
function restoreLongProse(blocks: readonly TextBlock[], kept: boolean[], other: readonly boolean[]): void {
  const pathOf = createPaths();
  const alike = Map.groupBy(blocks.keys(), (i) => {
    const block = blocks[i] as TextBlock;
    // Code between the paragraphs is judged by `restoreCode`.
    if (nearestBox(block.box, 'pre') !== null || isNote(block)) return -1;
    return otherMatter.some((kind) => block.box.marked[kind] === 0) ? -1 : pathOf(frameOf(block.box));
  });
  alike.delete(-1);
  let isLonger = false;
  for (const own of alike.values()) {
    const prose = own.filter((i) => isProse(blocks[i] as TextBlock));
    const stays = prose.filter((i) => kept[i] === true);
    const words = (those: readonly number[]): number => those.reduce((sum, i) => sum + (blocks[i]?.words ?? 0), 0);
    if (words(stays) < longText || words(stays) < words(prose) * minOfProse) continue;
    const last = stays.at(-1) ?? 0;
    for (const i of own) {
      if (kept[i] === true || !isProse(blocks[i] as TextBlock, 1) || (i >= last && other[i] === true)) continue;
      kept[i] = true;
      isLonger = true;
    }
  }
  if (isLonger) restoreHeadings(blocks, kept);
}

/** A box that stands out from a text has no more blocks: a sign, a title and a paragraph. */
const maxCallout = 3;

/**
 * Restores a paragraph in a box of its own between two paragraphs that were chosen (a note, a tip, a warning), and a
 * quotation between a paragraph and a heading.
 */
function restoreBetween(blocks: readonly TextBlock[], chosen: readonly boolean[], kept: boolean[]): void {
  for (let from = 1; from < blocks.length; from += 1) {
    if (chosen[from] === true || chosen[from - 1] !== true) continue;
    let to = from;
    while (to < blocks.length && to - from <= maxCallout && chosen[to] !== true) to += 1;
    const [before, behind] = [blocks[from - 1] as TextBlock, blocks[to]];
    if (behind === undefined || to - from > maxCallout || !isProse(before)) continue;
    const isSection = isHeadingBox(behind.box);
    if (!isSection && !isProse(behind)) continue;
    const around = commonBox(before.box, behind.box);
    for (let i = from; i < to; i += 1) {
      const block = blocks[i] as TextBlock;
      const within = commonBox(around, block.box);
      if (isSection && nearestBox(block.box, 'blockquote') === null) continue;
      if (isProse(block, isSection ? minWords : undefined) && !startsOther(block) && !isOtherMatter(block, within))
        kept[i] = true;
    }
  }
}

/** Restores the text between a kept heading and the next heading if none of it was kept. */
function restoreSections(blocks: readonly TextBlock[], kept: boolean[], may: May): void {
  for (const [at, heading] of blocks.entries()) {
    if (kept[at] !== true || !isHeadingBox(heading.box)) continue;
    const frame = frameOf(heading.box);
    const below: number[] = [];
    for (let i = at + 1; i < blocks.length && !isHeadingBox((blocks[i] as TextBlock).box); i += 1) {
      if (frameOf((blocks[i] as TextBlock).box) === frame) below.push(i);
    }
    if (below.some((i) => kept[i] === true)) continue;
    for (const i of below) if (isText(blocks[i], frame)) bringBack(blocks, i, kept, may);
  }
}

function bringBack(blocks: readonly TextBlock[], i: number, kept: boolean[], may: May): void {
  const block = blocks[i] as TextBlock;
  if (isNote(block) ? may(i, 'note') : plainText.has(block.box.tag) && block.words >= minWords && may(i, 'prose'))
    kept[i] = true;
}

/**
 * A key that is equal for blocks with the same shape and the same parent box. The parent is identified by its depth and
 * the index of its first block.
 */
function lookOf({ box }: TextBlock): string {
  return `${box.parent?.depth} ${box.parent?.first} ${box.shape}`;
}

function isNote({ box }: TextBlock): boolean {
  return box.tag === 'figcaption' || isNotes(frameOf(box));
}

function isNotes(frame: Box): boolean {
  return /footnote|endnote/i.test(frame.shape);
}

/**
 * Marks the blocks after a short text that begins another section (comments, related links), up to the next chosen
 * block.
 */
function otherSections(blocks: readonly TextBlock[], chosen: readonly boolean[]): boolean[] {
  let inside = false;
  return blocks.map((block, i) => {
    if (startsOther(block)) inside = true;
    else if (chosen[i] === true) inside = false;
    return inside;
  });
}

function isText(block: TextBlock | undefined, within: Box): boolean {
  return block !== undefined && isProse(block, 1) && !block.inButton && !isOtherMatter(block, within);
}

/**
 * Whether the block's box, or a box between it and `within`, has a class hint of something else (navigation, comments
 * …).
 */
function isOtherMatter({ box }: TextBlock, within: Box): boolean {
  const steps = box.depth - within.depth;
  return otherMatter.some((kind) => (box.marked[kind] ?? unmarked) < steps);
}

function frameOf(box: Box): Box {
  let at = box;
  while (!frames.has(at.tag) && at.parent !== null) at = at.parent;
  return at;
}

function nextKept(kept: readonly boolean[]): number[] {
  const after: number[] = [];
  let next = -1;
  for (let i = kept.length - 1; i >= 0; i -= 1) {
    after[i] = next;
    if (kept[i] === true) next = i;
  }
  return after;
}
