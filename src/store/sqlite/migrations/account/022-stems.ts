import type { Migration } from '../../files/migrate.ts';

/*
 * The index holds words of many languages by their stems, and ß, ł, œ and the like as ss, l, oe. Passages up to the id
 * `older_words` were indexed before; they are indexed anew, the newest first, when nothing else is to be done. Languages
 * stay in `indexed_languages` when their last passage goes: that costs searches a look-up a word.
 */
export const stems: Migration = {
  name: 'stems',
  sql: `
ALTER TABLE file_state ADD COLUMN older_words INTEGER NOT NULL DEFAULT 0;
UPDATE file_state SET older_words = coalesce((SELECT max(id) FROM passages), 0);
CREATE TABLE indexed_languages (language TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`,
};
