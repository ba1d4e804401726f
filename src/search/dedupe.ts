import { createNearDuplicates } from '../domain/duplicates/near-duplicates.ts';
import type { AnsweringPassage } from './item-search.ts';

/**
 * Takes the passages of items one item after the other, the best first, and returns those that are new; none for an
 * item that is a copy of one before, or has the same original. A passage that is nearly repeated gets the repeating item
 * in `alsoIn`.
 */
export function createRepetitionFilter<T extends { passage: AnsweringPassage }>(): (passages: T[]) => T[] {
  const shown = new Set<string>();
  const shownBefore = createNearDuplicates<AnsweringPassage>();
  return (passages) => {
    const [first] = passages;
    if (first === undefined) return [];
    if (first.passage.cardOf !== undefined) return passages;
    const original = first.passage.itemDuplicateOf ?? first.passage.contentId;
    if (shown.has(original)) return [];
    shown.add(original);
    return passages.filter(({ passage }) => {
      const same = shownBefore(passage.text, passage);
      if (same !== null && same.contentId !== passage.contentId)
        same.alsoIn = [...new Set([...(same.alsoIn ?? []), passage.contentId])];
      return same === null;
    });
  };
}
