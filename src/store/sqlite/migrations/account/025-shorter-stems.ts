import type { Migration } from '../../files/migrate.ts';

/*
 * From this version on, stems have six letters at most, and Czech, Polish and Slovak words have stems, too. 022 explains how
 * passages are indexed again. A library in English alone stays as it is.
 */
export const shorterStems: Migration = {
  name: 'shorter stems',
  sql: `
UPDATE file_state SET older_words = coalesce((SELECT max(id) FROM passages), 0)
WHERE EXISTS (SELECT 1 FROM indexed_languages)
  OR EXISTS (SELECT 1 FROM documents WHERE lower(substr(language, 1, 2)) IN ('cs', 'pl', 'sk') AND substr(language, 3, 1) IN ('', '-', '_'));
`,
};
