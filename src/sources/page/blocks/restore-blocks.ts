import { dataTables, type TextBlock } from './page-blocks.ts';
import { commonBox, createPaths, isHeadingBox, isWithin, nearestBox, unmarked, type Box } from './block-elements.ts';
import { isProse, startsOther } from './page-features.ts';
import { markingKinds } from '../class-hints.ts';
import type { PageFacts } from '../html/html-scan.ts';
import { readSteps } from '../metadata/json-ld.ts';
import { bareName } from '../metadata/names.ts';

/**
 * A page with fewer words counts as short, its surroundings included. On it, the model is less reliable, so lower
 * likelihoods suffice; on long pages, the training labels leave out captions and much of the code.
 */
const shortPage = 600;
const minLikelihood = { code: 0.1, shortPage: 0.2, longPage: 0.3 };
/** If at least this share of the prose in boxes that are built alike is kept, their rest belongs to the same text. */
const maxOfBoxes = 0.7;
/** The same for a long text, of which so many words are kept: the model knows few, and loses paragraphs towards the end. */
const longText = { words: 3_000, share: 0.5 };
/** Blocks with fewer words are as often labels as text. */
const minWords = 3;
/** A longer run of rejected blocks is a separate part of the page; so is a longer one of boxes of prose. */
const maxGap = 6;
const maxCallout = 3;
/** How deep code or a price lies below the box that it shares with the text: toolbars, tabs and numbered lines come between. */
const maxDepthBelow = 6;

const otherMatter = 'navigation footer aside related comments share advertising consent newsletter meta hidden pages'
  .split(' ')
  .map((name) => markingKinds.indexOf(name));
const frames = new Set(['article', 'main', 'section', 'div', 'body', 'td', 'center', 'html']);
const plainText = new Set(['p', 'li', 'dd', 'dt', 'blockquote']);

/**
 * Restores blocks that the block-by-block choice wrongly left out: the rest of mostly kept boxes, text below a kept heading,
 * tables, headings and terms of kept text, content between kept blocks, and the notes to which they refer. Changes `kept` in place.
 */
export function restoreBlocks(blocks: readonly TextBlock[], likely: readonly number[], kept: boolean[]): void {
  if (!kept.includes(true)) return;
  const isShort = blocks.reduce((sum, { words }) => sum + words, 0) < shortPage;
  restoreTables(blocks, kept);
  keepHeadingsBetween(blocks, kept);
  restoreBoxes(blocks, likely, kept, isShort);
  fillGaps(blocks, likely, kept, isShort);
  for (const [i, { box }] of blocks.entries()) {
    const next = blocks[i + 1];
    if (next === undefined || nearestBox(box, 'dt') === null) continue;
    if (kept[i + 1] === true && nearestBox(next.box, 'dd') !== null) kept[i] = true;
    else if (kept[i] === true && nearestBox(next.box, 'dd') !== null && isText(next, frameOf(next.box)))
      kept[i + 1] = true;
  }
  keepHeadingsBetween(blocks, kept);
  const named = new Set(blocks.flatMap(({ notes }, i) => (kept[i] === true ? notes : [])));
  for (const [i, { note }] of blocks.entries()) if (note !== null && named.has(note)) kept[i] = true;
}

/** A table may be separated from the text by its caption, its notes and a link to it. */
const maxBesideTable = 4;

/** Restores data tables between kept texts, or behind one in the same part of the page, with their captions. */
function restoreTables(blocks: readonly TextBlock[], kept: boolean[]): void {
  const keptNear = (from: number, step: 1 | -1): number | undefined =>
    Array.from({ length: maxBesideTable }, (_, n) => from + (n + 1) * step).find((i) => kept[i] === true);
  for (const cells of dataTables(blocks)) {
    const [first = 0, last = 0] = [cells[0], cells.at(-1)];
    const [before, after] = [keptNear(first, -1), keptNear(last, 1)];
    const part = nearestBox((blocks[first] as TextBlock).box, 'table')?.parent ?? null;
    if (before === undefined) continue;
    const isInOwn = part !== null && isWithin(blocks[before]?.box ?? null, part);
    if (after === undefined && !(isInOwn && isInPart(blocks[first] as TextBlock, blocks[before]))) continue;
    for (let i = first; i <= last; i += 1) kept[i] = true;
    for (const i of [first - 1, last + 1]) if (isCaption(blocks[i])) kept[i] = true;
  }
}

/** Restores the rest of boxes that are built alike and mostly kept, and text below a kept heading without any. */
function restoreBoxes(
  blocks: readonly TextBlock[],
  likely: readonly number[],
  kept: boolean[],
  isShort: boolean,
): void {
  const pathOf = createPaths();
  const other = otherSections(blocks, kept);
  const least = isShort ? minLikelihood.shortPage : minLikelihood.longPage;
  const isAgain = (i: number): boolean => {
    const { box, words } = blocks[i] as TextBlock;
    const isPlain = (plainText.has(box.tag) && words >= minWords) || (isShort && box.tag === 'figcaption');
    return isPlain && (likely[i] ?? 0) >= least && other[i] !== true;
  };
  const wordsOf = (those: readonly number[]): number => those.reduce((sum, i) => sum + (blocks[i]?.words ?? 0), 0);
  for (const own of Map.groupBy(blocks.keys(), (i) => pathOf(frameOf((blocks[i] as TextBlock).box))).values()) {
    const text = own.filter((i) => isText(blocks[i], frameOf((blocks[i] as TextBlock).box)));
    const stays = text.filter((i) => kept[i] === true);
    const share = wordsOf(stays) / Math.max(1, wordsOf(text));
    const isLong = wordsOf(stays) >= longText.words && share >= longText.share;
    if (!isLong && (stays.length < 2 || share < maxOfBoxes)) continue;
    const last = stays.at(-1) ?? 0;
    for (const i of text) if (isLong ? i < last || other[i] !== true : isAgain(i)) kept[i] = true;
  }
  for (const [at, heading] of blocks.entries()) {
    if (kept[at] !== true || !isHeadingBox(heading.box)) continue;
    const frame = frameOf(heading.box);
    const below: number[] = [];
    for (let i = at + 1; i < blocks.length && !isHeadingBox((blocks[i] as TextBlock).box); i += 1)
      if (frameOf((blocks[i] as TextBlock).box) === frame) below.push(i);
    if (below.some((i) => kept[i] === true)) continue;
    for (const i of below) if (isText(blocks[i], frame) && isAgain(i)) kept[i] = true;
  }
}

/** Restores content between kept blocks, and prices with the structure of kept ones. */
function fillGaps(blocks: readonly TextBlock[], likely: readonly number[], kept: boolean[], isShort: boolean): void {
  const pathOf = createPaths();
  for (let from = 0; from < blocks.length; from += 1) {
    if (kept[from] === true) continue;
    let to = from;
    while (to < blocks.length && kept[to] !== true) to += 1;
    const around = [blocks[from - 1], blocks[to]].filter((one) => one !== undefined);
    const isGap = around.length === 2 && to - from <= maxGap;
    const isInText = isGap && to - from <= maxCallout && isProse(blocks[from - 1]);
    for (let i = from; i < to; i += 1) {
      const block = blocks[i] as TextBlock;
      const isCode = nearestBox(block.box, 'pre') !== null;
      const isNear = ({ box }: TextBlock): boolean =>
        block.box.depth - commonBox(box, block.box).depth <= maxDepthBelow;
      const isAlso = (other: TextBlock): boolean => !isOtherMatter(block, commonBox(other.box, block.box));
      const isPart = isCode || block.inFormula || isInListOf(block, around) || (to - from === 1 && saysMore(block));
      // A product's price is often above all of its text, or among buttons.
      const beside = [i - from < maxGap ? blocks[from - 1] : undefined, to - i <= maxGap ? blocks[to] : undefined];
      const isBeside = beside.some((one) => one !== undefined && isNear(one) && isInPart(block, one));
      if (isGap && isPart) kept[i] = true;
      else if (isPrice(block) && (isBeside || (isGap && around.every(isNear)))) keepPrice(block, i, kept);
      else if (
        isCode &&
        isShort &&
        (likely[i] ?? 0) >= minLikelihood.code &&
        around.some((one) => isNear(one) && isAlso(one))
      )
        kept[i] = true;
      else if (isInText && isCallout(block, blocks[to]) && !startsOther(block)) kept[i] = around.every(isAlso);
    }
    from = to;
  }
  const priced = blocks.keys().filter((i) => isPrice(blocks[i] as TextBlock));
  for (const alike of Map.groupBy(priced, (i) => pathOf((blocks[i] as TextBlock).box)).values()) {
    if (!alike.some((i) => kept[i] === true)) continue;
    for (const i of alike)
      if (kept.slice(Math.max(0, i - maxBeforePrice), i).includes(true)) keepPrice(blocks[i] as TextBlock, i, kept);
  }
}

/** A longer text only mentions a price. */
const maxPrice = { words: 5, length: 80 };
/** Texts between the name of a thing and its price, at most. */
const maxBeforePrice = 3;
const price =
  /\p{Sc}\s?\d|\d\s?(?:\p{Sc}|(?:kr|zł|kč|ft|lei|chf|eur|usd|gbp|aud|cad|sek|nok|dkk|pln|czk|huf|ron|try|uah|brl|inr|руб|грн)(?!\p{L}))/iu;

/** Keeps a price without the words of a button behind it. */
function keepPrice({ nodes }: TextBlock, at: number, kept: boolean[]): void {
  if (kept[at] !== true) nodes.length = 1 + nodes.findLastIndex(({ data }) => /[\d\p{Sc}]/u.test(data ?? ''));
  kept[at] = true;
}

function isInPart({ box }: TextBlock, other: TextBlock | undefined): boolean {
  const within = other === undefined ? null : commonBox(box, other.box);
  return within !== null && within.parent !== null && within.tag !== 'body' && within.tag !== 'main';
}

function isPrice({ text, words }: TextBlock): boolean {
  return words <= maxPrice.words && text.length <= maxPrice.length && price.test(text);
}

/** Whether a block is prose before further prose, or a quotation before whatever follows it. */
function isCallout(block: TextBlock, behind: TextBlock | undefined): boolean {
  return nearestBox(block.box, 'blockquote') === null ? isProse(block) && isProse(behind) : isProse(block, minWords);
}

/** A shorter caption mostly names a photographer, in words; one with a credit is mostly about the picture alone. */
const minCaption = 6;
const credit = /photo|credit|courtesy|getty|shutterstock|©|image (?:by|from|via|:)/i;

function saysMore(block: TextBlock): boolean {
  return isCaption(block) && block.words >= minCaption && !credit.test(block.text.slice(0, 1_000));
}

function isCaption(block: TextBlock | undefined): boolean {
  if (block === undefined) return false;
  const { box } = block;
  return (
    nearestBox(box, 'figcaption', 'caption') !== null ||
    [box, box.parent].some((one) => /[.-]caption\b/.test(one?.shape ?? ''))
  );
}

/** Deeper lists count as separate: the time to walk up from each item must not depend on the depth. */
const maxListsAround = 8;

/** Whether a block with few links shares a list or quotation with one of the others. */
function isInListOf({ box, linkChars, chars }: TextBlock, others: readonly TextBlock[]): boolean {
  let outer = nearestBox(box, 'dl', 'ul', 'ol', 'blockquote');
  for (let n = 0; n < maxListsAround && outer?.parent?.tag === 'li'; n += 1) outer = outer.parent.parent ?? outer;
  const list = outer;
  return list !== null && linkChars * 2 < chars && others.some((other) => isWithin(other.box, list));
}

const maxDeclaration = 200;
/** Of what a reference explains below: `pub fn row(&self)`, `boats.row(speed)`. */
const declaration = /^[\p{L}_$][\p{L}\d_$.:<>*&@ -]*\(/u;

/**
 * Keeps headings between kept blocks, headings that declare what the kept text below explains, and those above a kept block with
 * the structure of a kept heading: a button or a label may precede them.
 */
function keepHeadingsBetween(blocks: readonly TextBlock[], kept: boolean[]): void {
  const pathOf = createPaths();
  const above = blocks.keys().filter((i) => isHeadingBox((blocks[i] as TextBlock).box) && kept[i + 1] === true);
  for (const alike of Map.groupBy(above, (i) => pathOf((blocks[i] as TextBlock).box)).values()) {
    if (alike.some((i) => kept[i] === true)) for (const i of alike) kept[i] = true;
  }
  for (const [i, { box, text }] of blocks.entries()) {
    const isDeclared = declaration.test(text.slice(0, maxDeclaration)) && isProse(blocks[i + 1], 3);
    if (isHeadingBox(box) && (kept[i - 1] === true || isDeclared) && kept[i + 1] === true) kept[i] = true;
  }
}

/** Marks the blocks after a text that begins another section, up to the next chosen block. */
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

/** Whether the block's box, or a box between it and `within`, has a class hint of something else. */
function isOtherMatter({ box }: TextBlock, within: Box): boolean {
  const steps = box.depth - within.depth;
  return otherMatter.some((kind) => (box.marked[kind] ?? unmarked) < steps);
}

function frameOf(box: Box): Box {
  let at = box;
  while (!frames.has(at.tag) && at.parent !== null) at = at.parent;
  return at;
}

/** In letters and digits. A shorter block may say the same by chance. */
const minCharacters = 4;

/** In words. Shorter texts of a recipe card are labels and buttons. */
const minProse = 5;

/**
 * Restores the blocks that the page's own data call the ingredients and steps of its recipe or instructions, what else their card
 * says in prose, and the headings directly above. Such cards are built like the widgets beside an article. Changes `kept` in place.
 */
export function restoreDeclared(blocks: readonly TextBlock[], kept: boolean[], facts: PageFacts): void {
  const declared = new Set(readSteps(facts.jsonLd).map(bareName));
  if (declared.size === 0) return;
  const own = [...blocks.keys()].filter((i) => {
    const bare = bareName(blocks[i]?.text ?? '');
    return bare.length >= minCharacters && declared.has(bare);
  });
  const [first, last] = [blocks[own[0] ?? -1], blocks[own.at(-1) ?? -1]];
  if (first === undefined || last === undefined) return;
  const card = commonBox(first.box, last.box);
  const words = own.reduce((sum, i) => sum + (blocks[i]?.words ?? 0), 0);
  const prose =
    words * 2 < card.words
      ? []
      : [...blocks.keys()]
          .slice(card.first, card.first + card.blocks)
          .filter((i) => isProse(blocks[i] as TextBlock, minProse));
  for (const i of [...own, ...prose]) {
    kept[i] = true;
    const above = blocks[i - 1];
    if (above !== undefined && isHeadingBox(above.box)) kept[i - 1] = true;
  }
}
