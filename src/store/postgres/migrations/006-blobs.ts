import type { Migration } from './migration.ts';
import { originalColumns, partOfOriginal, recordedColumns, replaceNotes } from './003-history.ts';
import { rowLevelSecurity } from './row-level-security.ts';

/*
 * The bytes of an original stand in its row, or in an object of an object store, which `blobs` names. A row of `blobs` is
 * there before its object, and its name is never used for another one: `dead_objects` holds names of objects that nothing
 * refers to any more, until they are deleted. `blob_sweeps` says when orphans of an account are looked for. It is seen
 * by all, as the tables of `Control` are: `removals` counts how often everything of an account that was removed is still
 * to be deleted.
 */

const tables = `
CREATE TABLE blobs (
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  -- SHA-256 of what is stored.
  hash bytea NOT NULL,
  size bigint NOT NULL,
  noted_at bigint NOT NULL,
  PRIMARY KEY (account_id, name),
  UNIQUE (account_id, hash)
);
CREATE INDEX blobs_by_age ON blobs (account_id, noted_at);

CREATE TABLE dead_objects (
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  PRIMARY KEY (account_id, name)
);

CREATE TABLE blob_sweeps (
  account_id text PRIMARY KEY REFERENCES accounts (id),
  due_at bigint NOT NULL,
  removals integer NOT NULL DEFAULT 0
);
CREATE INDEX blob_sweeps_due ON blob_sweeps (due_at);
`;

const places = (['originals', 'history_originals'] as const)
  .map(
    (table) => `
ALTER TABLE ${table} ALTER COLUMN bytes DROP NOT NULL;
ALTER TABLE ${table} ADD COLUMN blob text;
ALTER TABLE ${table} ADD COLUMN blob_size bigint;
ALTER TABLE ${table} ADD CONSTRAINT ${table}_place
  CHECK ((bytes IS NULL) = (blob IS NOT NULL) AND (blob IS NULL) = (blob_size IS NULL));
ALTER TABLE ${table} ADD CONSTRAINT ${table}_blob FOREIGN KEY (account_id, blob) REFERENCES blobs (account_id, name);
CREATE INDEX ${table}_by_blob ON ${table} (account_id, blob) WHERE blob IS NOT NULL;
`,
  )
  .join('');

/** The columns of an original that undo brings back. */
export const placedOriginalColumns = `${originalColumns}, blob, blob_size`;

/** SQL, with `$` in place of the row: how many bytes an original takes, wherever they are. */
const storedBytes = 'coalesce(octet_length($.bytes), $.blob_size)';

/** What is recorded since this migration. */
export const columnsRecordedNow = {
  ...recordedColumns,
  original: { ...recordedColumns.original, stored: storedBytes },
};

const keepOriginal = `
CREATE OR REPLACE FUNCTION keep_original(o originals) RETURNS void LANGUAGE plpgsql AS $noted$
BEGIN
  INSERT INTO history_originals (account_id, entry, ${placedOriginalColumns})
  SELECT o.account_id, current_setting('app.change')::bigint, ${placedOriginalColumns
    .split(', ')
    .map((column) => `o.${column}`)
    .join(', ')}
  WHERE NOT EXISTS (SELECT 1 FROM history_changes c
    WHERE c.account_id = o.account_id AND c.entry = current_setting('app.change')::bigint AND c.kind = 'original'
      AND c.key = o.item AND c.part = ${partOfOriginal.replaceAll('$', 'o')});
END $noted$;
`;

/** In the order in which rows can be deleted, after those of all other tables. */
export const blobTables = ['blobs', 'dead_objects'] as const;

export const blobs: Migration = {
  name: 'originals in an object store',
  sql:
    tables +
    places +
    keepOriginal +
    replaceNotes('original', columnsRecordedNow.original) +
    rowLevelSecurity(blobTables),
};
