import type { Migration } from '../../files/migrate.ts';

/*
 * The fingerprint of each item's visible text, and its bits in 16 bands of two bytes: texts that differ in few bits have
 * at least one band in common, so the candidates of a text are a few lookups.
 */
export const fingerprints: Migration = {
  name: 'fingerprints',
  sql: `
CREATE TABLE fingerprints (
  content INTEGER PRIMARY KEY REFERENCES content (seq) ON DELETE CASCADE,
  hash BLOB NOT NULL
) STRICT;

CREATE TABLE fingerprint_bands (
  band INTEGER NOT NULL,
  value INTEGER NOT NULL,
  content INTEGER NOT NULL REFERENCES fingerprints (content) ON DELETE CASCADE,
  PRIMARY KEY (band, value, content)
) STRICT, WITHOUT ROWID;
CREATE INDEX fingerprint_bands_by_content ON fingerprint_bands (content);
`,
};
