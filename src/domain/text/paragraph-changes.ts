/** What a text has that another one has not. */
export interface TextChanges {
  /** How many paragraphs were added, and how many were taken away. */
  added: number;
  removed: number;
  /** The first of them in their order, at most `maxShown`, each with at most `maxLength` characters. */
  changes: { change: 'added' | 'removed'; text: string }[];
}

interface BlockText {
  text: string;
  blocks: readonly { start: number; end: number }[];
}

const maxShown = 200;
const maxLength = 2_000;

/**
 * Compares two texts by paragraph, in linear time. A paragraph that only moved has not changed; one in which a word
 * changed was taken away and added.
 */
export function paragraphChanges(before: BlockText, after: BlockText): TextChanges {
  const [old, now] = [paragraphsOf(before), paragraphsOf(after)];
  const isRemoved = missingIn(now, old);
  const isAdded = missingIn(old, now);
  const found: TextChanges = { added: 0, removed: 0, changes: [] };
  const note = (change: 'added' | 'removed', text = ''): void => {
    found[change] += 1;
    if (found.changes.length < maxShown) found.changes.push({ change, text: text.slice(0, maxLength) });
  };
  for (let i = 0, j = 0; i < old.length || j < now.length;) {
    if (isRemoved[i] === true) note('removed', old[i++]);
    else if (isAdded[j] === true) note('added', now[j++]);
    else {
      i += 1;
      j += 1;
    }
  }
  return found;
}

function paragraphsOf({ text, blocks }: BlockText): string[] {
  return blocks.map(({ start, end }) => text.slice(start, end).trim()).filter((paragraph) => paragraph !== '');
}

/** For each of the paragraphs: whether the other text has fewer of the same. */
function missingIn(other: readonly string[], paragraphs: readonly string[]): boolean[] {
  const left = new Map<string, number>();
  for (const paragraph of other) left.set(paragraph, (left.get(paragraph) ?? 0) + 1);
  return paragraphs.map((paragraph) => {
    const count = left.get(paragraph) ?? 0;
    left.set(paragraph, count - 1);
    return count <= 0;
  });
}
