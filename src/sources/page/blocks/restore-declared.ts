import type { PageFacts } from '../html/html-scan.ts';
import { readSteps } from '../metadata/json-ld.ts';
import { bareName } from '../metadata/names.ts';
import { commonBox, isHeadingBox } from './block-elements.ts';
import type { TextBlock } from './page-blocks.ts';
import { isProse } from './page-features.ts';

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
