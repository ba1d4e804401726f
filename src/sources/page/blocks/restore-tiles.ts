import type { PageFacts } from '../html/html-scan.ts';
import { markingKinds } from '../class-hints.ts';
import { declaredPrice } from '../metadata/declared-price.ts';
import { commonBox, isHeadingBox, type Box, createPaths } from './block-elements.ts';
import type { TextBlock } from './page-blocks.ts';

/** Fewer things with a price are beside what a page is about. */
const minTiles = 4;
/** A longer text only mentions a price. It may hold a former price, "from", and the words of a button. */
const maxPriceWords = 8;
const maxPriceLength = 80;
const price =
  /\p{Sc}\s?\d|\d\s?(?:\p{Sc}|(?:kr|zł|kč|ft|lei|chf|eur|usd|gbp|aud|cad|sek|nok|dkk|pln|czk|huf|ron|try|uah|brl|inr|руб|грн)(?!\p{L}))/iu;
/** Further shelves are left as they are: each one is walked over. */
const maxShelves = 20;
/** A tile is no deeper than this. */
const maxTileDepth = 32;
/** A longer text describes a thing; it is not its name. */
const maxNameWords = 20;

const otherMatter = ['navigation', 'footer', 'aside', 'related', 'comments', 'advertising', 'consent'].map((name) =>
  markingKinds.indexOf(name),
);

/**
 * Restores name and price of each thing on a shelf: boxes built alike in one box, each with a price. They stay together, where the model, which judges each text
 * for itself, has kept something of half of them. Does nothing on the page of one product, where a shelf holds others.
 * Changes `kept` in place, and takes the words of a button out of the text of a price.
 */
export function restoreTiles(blocks: readonly TextBlock[], kept: boolean[], facts: PageFacts): void {
  const priced = blocks.keys().filter((i) => isPrice(blocks[i] as TextBlock));
  const pathOf = createPaths();
  const alike = Map.groupBy(priced, (i) => pathOf((blocks[i] as TextBlock).box));
  const shelves = [...alike.values()].filter((own) => own.length >= minTiles);
  if (shelves.length === 0 || declaredPrice(facts) !== null) return;
  const before = [...kept];
  for (const own of shelves.slice(0, maxShelves)) {
    const shelf = own.map((i) => (blocks[i] as TextBlock).box).reduce(commonBox);
    const shape = partOf(shelf, blocks[own[0] ?? 0])?.shape;
    if (shape === undefined || isOtherMatter(shelf, blocks, before)) continue;
    const tiles = Map.groupBy(range(shelf.first, shelf.first + shelf.blocks), (i) => partOf(shelf, blocks[i]));
    const those = [...tiles].flatMap(([tile, indexes]) => (tile?.shape === shape ? [indexes] : []));
    const started = those.filter((tile) => tile.some((i) => before[i] === true));
    if (started.length * 2 < those.length) continue;
    for (const tile of those) keepNameAndPrice(blocks, tile, kept);
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n);
}

function isPrice({ text, words }: TextBlock): boolean {
  return words <= maxPriceWords && text.length <= maxPriceLength && price.test(text);
}

/** The child of the shelf that holds a block; null where that is the shelf itself. */
function partOf(shelf: Box, block: TextBlock | undefined): Box | null {
  let at = block?.box ?? null;
  for (let n = 0; n < maxTileDepth && at !== null && at.parent !== shelf; n += 1) at = at.parent;
  return at?.parent === shelf ? at : null;
}

/** Whether a shelf is in a part of the page, such as a sidebar, that holds none of the kept text. */
function isOtherMatter(shelf: Box, blocks: readonly TextBlock[], kept: readonly boolean[]): boolean {
  const isOutside = (i: number): boolean => i < shelf.first || i >= shelf.first + shelf.blocks;
  const text = blocks[kept.findIndex((one, i) => one && isOutside(i))];
  const within = text === undefined ? null : commonBox(shelf, text.box);
  const steps = shelf.depth - (within?.depth ?? -1);
  return otherMatter.some((kind) => (shelf.marked[kind] ?? steps) < steps);
}

function keepNameAndPrice(blocks: readonly TextBlock[], tile: readonly number[], kept: boolean[]): void {
  const isKept = (i: number): boolean => kept[i] === true;
  const prices = tile.filter((i) => isPrice(blocks[i] as TextBlock));
  const texts = tile.filter((i) => !isPrice(blocks[i] as TextBlock));
  const [first] = prices;
  if (first === undefined) return;
  if (!texts.some(isKept)) {
    const names = texts.filter((i) => isName(blocks[i] as TextBlock));
    const name = names.find((i) => isHeadingBox((blocks[i] as TextBlock).box)) ?? names.find(isLink) ?? names[0];
    if (name !== undefined) kept[name] = true;
  }
  if (!prices.some(isKept)) {
    kept[first] = true;
    const { nodes } = blocks[first] as TextBlock;
    nodes.length = 1 + nodes.findLastIndex(({ data }) => /[\d\p{Sc}]/u.test(data ?? ''));
  }

  function isLink(i: number): boolean {
    return (blocks[i]?.linkChars ?? 0) * 2 >= (blocks[i]?.chars ?? 0);
  }
}

function isName({ inButton, words }: TextBlock): boolean {
  return !inButton && words > 0 && words <= maxNameWords;
}
