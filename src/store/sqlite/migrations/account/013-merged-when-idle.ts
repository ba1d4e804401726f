import type { Migration } from '../../files/migrate.ts';

/*
 * Segments of the full-text indexes are merged when nothing else is to be done (`index-merge.ts`). The indexes themselves, which merge within
 * the transactions that write, begin at 64 segments of a level instead of 4, and merge all at once only where that did not keep up; what
 * is merged is merged down to one a level.
 */
export const mergedWhenIdle: Migration = {
  name: 'merged when idle',
  sql: ['passage_words', 'item_titles']
    .map(
      (index) =>
        `INSERT INTO ${index} (${index}, rank) VALUES ('automerge', 64), ('crisismerge', 256), ('usermerge', 2);`,
    )
    .join('\n'),
};
