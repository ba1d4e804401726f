import { indexedText } from '../../../../domain/search/index-terms.ts';
import type { Migration } from '../../files/migrate.ts';

/*
 * The index holds Arabic words without their affixes and Russian ё as е (`domain/search/index-terms.ts`): passages with such words are indexed anew.
 */
const spelledOtherwise = `SELECT p.id FROM passages p JOIN documents d ON d.id = p.document JOIN content c ON c.seq = p.content
    WHERE coalesce(c.given_title, d.title, '') || p.heading_path || p.text GLOB '*[ёЁ\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]*'`;

export const spellings: Migration = {
  name: 'spellings',
  functions: { indexed_text: indexedText },
  sql: `
CREATE TEMP TABLE spelled_otherwise AS ${spelledOtherwise};
DELETE FROM passage_words WHERE rowid IN (SELECT id FROM temp.spelled_otherwise);
INSERT INTO passage_words (rowid, title, text)
  SELECT p.id,
    indexed_text(coalesce(c.given_title, d.title, '') || coalesce((SELECT group_concat(char(10) || h.value, '') FROM json_each(p.heading_path) h), '')),
    indexed_text(p.text)
  FROM passages p JOIN documents d ON d.id = p.document JOIN content c ON c.seq = p.content
  WHERE p.id IN (SELECT id FROM temp.spelled_otherwise);
DROP TABLE temp.spelled_otherwise;
`,
};
