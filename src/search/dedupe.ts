import { createNearDuplicates, KnownWords } from '../domain/duplicates/near-duplicates.ts';
import type { AnsweringPassage } from '../store/records/search-records.ts';
import type { Steps } from '../store/steps.ts';

/** The items of one original that are shown: their words, and those of them whose words are not read yet. */
interface ShownCopies {
  words: KnownWords;
  unread: string[];
}

/**
 * Takes the passages of items one item after the other, the best first, and returns those that are new; none for an
 * item that is marked as a copy of an earlier one, if that has the words of its best passage. The mark alone proves
 * little: it may come from a fingerprint, and a page can be made to have the fingerprint of another. A passage that is
 * nearly repeated gets the repeating item in `alsoIn`.
 * @param readTexts the texts of an item's passages that a copy's best passage is looked for in
 */
export function createRepetitionFilter<T extends { passage: AnsweringPassage }>(
  readTexts: (contentId: string) => Steps<string[]>,
): (passages: T[]) => Steps<T[]> {
  const shown = new Map<string, ShownCopies>();
  const shownBefore = createNearDuplicates<AnsweringPassage>();
  return function* (passages) {
    const [first] = passages;
    if (first === undefined) return [];
    const { itemDuplicateOf, contentId, text } = first.passage;
    const original = itemDuplicateOf ?? contentId;
    const copies = shown.get(original) ?? { words: new KnownWords(), unread: [] };
    for (const id of copies.unread.splice(0)) for (const known of yield* readTexts(id)) copies.words.add(known);
    if (shown.has(original) && copies.words.knows(text)) return [];
    copies.unread.push(contentId);
    shown.set(original, copies);
    return passages.filter(({ passage }) => {
      const same = shownBefore(passage.text, passage);
      if (same !== null && same.contentId !== passage.contentId)
        same.alsoIn = [...new Set([...(same.alsoIn ?? []), passage.contentId])];
      return same === null;
    });
  };
}
