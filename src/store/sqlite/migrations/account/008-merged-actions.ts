import type { Migration } from '../../files/migrate.ts';

/*
 * An action that asks for nearly the same as an older open one of another item is `merged_into` it and stands for a further
 * source of it. `action_words` finds the candidates; `has_words` says that the words of an action's title are there.
 */
export const mergedActions: Migration = {
  name: 'merged actions',
  sql: `
ALTER TABLE actions ADD COLUMN merged_into INTEGER REFERENCES actions (seq) ON DELETE SET NULL;
ALTER TABLE actions ADD COLUMN has_words INTEGER NOT NULL DEFAULT 0 CHECK (has_words IN (0, 1));
CREATE INDEX actions_merged ON actions (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX actions_without_words ON actions (seq) WHERE has_words = 0;
CREATE TABLE action_words (
  word TEXT NOT NULL,
  action INTEGER NOT NULL REFERENCES actions (seq) ON DELETE CASCADE,
  PRIMARY KEY (word, action)
) STRICT, WITHOUT ROWID;
CREATE INDEX action_words_by_action ON action_words (action);
`,
};
