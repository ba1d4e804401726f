import type { Migration } from '../../files/migrate.ts';
import { indexAll } from '../../writing/indexed-words.ts';

/*
 * Compounds by their ends have a column of their own in the index, which lengths do not count. A column cannot be added, so the
 * index is made anew, with the settings of 013.
 */
export const compounds: Migration = {
  name: 'compounds',
  sql: `
DROP TABLE passage_words;
CREATE VIRTUAL TABLE passage_words USING fts5 (
  title, text, compounds,
  content = '', contentless_delete = 1, detail = full,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
INSERT INTO passage_words (passage_words, rank) VALUES ('automerge', 64), ('crisismerge', 256), ('usermerge', 2);
UPDATE file_state SET titles_given = titles_given + 1;
`,
  run: (db) => indexAll(db),
};
