import type { Box } from './block-elements.ts';

/** Gives each box a number that is equal for boxes with the same tags and first classes up to the page's root. */
export function createPaths(): (box: Box) => number {
  const numbers = new Map<string, number>();
  const known = new Map<Box, number>();
  const pathOf = (box: Box): number => {
    const before = known.get(box);
    if (before !== undefined) return before;
    const path = `${box.parent === null ? '' : pathOf(box.parent)}>${box.shape}`;
    const number = numbers.get(path) ?? numbers.size;
    numbers.set(path, number);
    known.set(box, number);
    return number;
  };
  return pathOf;
}
