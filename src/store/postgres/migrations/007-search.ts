import type { Migration } from './migration.ts';
import { rowLevelSecurity } from './row-level-security.ts';

/*
 * What nodes need to bring their copies of an account's search index up to date (docs/decisions/postgresql.md).
 *
 * Each transaction that changes something that searches read takes the next number of the account, `index_change`. So
 * these transactions happen one after the other, and a reader that sees a number sees all changes up to it. `index_changes`
 * says for each item in which change it was last touched, and its text; its row stays when the item is gone. Triggers
 * write it, so no write can forget to. `index_epoch` tells the numbers of one library from those of another.
 *
 * Vectors have numbers of their own: they arrive in batches, which must not bring along the items. They are stored as in
 * SQLite (`quantize.ts`).
 *
 * Keys of items and passages are counted for each account: searches keep tables with a place for each key in memory.
 */
const tables = `
ALTER TABLE libraries
  ADD COLUMN index_change bigint NOT NULL DEFAULT 0,
  ADD COLUMN index_epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN last_item bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_passage bigint NOT NULL DEFAULT 0;
ALTER TABLE items ALTER COLUMN seq DROP IDENTITY;
ALTER TABLE passages ALTER COLUMN id DROP IDENTITY;

CREATE TABLE index_changes (
  account_id text NOT NULL REFERENCES libraries (account_id),
  item bigint NOT NULL,
  change bigint NOT NULL,
  text_change bigint NOT NULL,
  PRIMARY KEY (account_id, item)
);
CREATE INDEX index_changes_in_order ON index_changes (account_id, change, item);

CREATE TABLE vectors (
  account_id text NOT NULL,
  passage bigint NOT NULL,
  embedder text NOT NULL,
  scale double precision NOT NULL,
  components bytea NOT NULL,
  change bigint NOT NULL,
  PRIMARY KEY (account_id, passage),
  FOREIGN KEY (account_id, passage) REFERENCES passages (account_id, id) ON DELETE CASCADE
);
ALTER TABLE vectors ALTER COLUMN components SET STORAGE EXTERNAL;
CREATE INDEX vectors_in_order ON vectors (account_id, change, passage);
CREATE INDEX vectors_by_embedder ON vectors (account_id, embedder);

CREATE TABLE past_queries (
  account_id text NOT NULL REFERENCES libraries (account_id),
  folded_hash bytea NOT NULL,
  folded text NOT NULL,
  text text NOT NULL,
  times bigint NOT NULL,
  asked_at bigint NOT NULL,
  PRIMARY KEY (account_id, folded_hash)
);
CREATE INDEX past_queries_newest ON past_queries (account_id, asked_at);
`;

const functions = `
-- The number of this transaction; null while the account is being removed. It is one writer's: the row is locked.
CREATE FUNCTION take_index_change(account text) RETURNS bigint LANGUAGE plpgsql AS $taken$
DECLARE
  known text := current_setting('app.index_change', true);
  taken bigint;
BEGIN
  IF starts_with(known, account || ' ') THEN
    RETURN split_part(known, ' ', 2)::bigint;
  END IF;
  UPDATE libraries SET index_change = index_change + 1 WHERE account_id = account AND NOT closed
  RETURNING index_change INTO taken;
  IF taken IS NOT NULL THEN
    PERFORM set_config('app.index_change', account || ' ' || taken, true);
  END IF;
  RETURN taken;
END $taken$;

CREATE FUNCTION note_index_changes(account text, changed bigint[], is_text boolean) RETURNS void
LANGUAGE plpgsql AS $noted$
DECLARE
  taken bigint := take_index_change(account);
BEGIN
  IF taken IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO index_changes AS c (account_id, item, change, text_change)
  SELECT account, item, taken, CASE WHEN is_text THEN taken ELSE 0 END FROM unnest(changed) item
  ON CONFLICT (account_id, item) DO UPDATE
    SET change = excluded.change, text_change = greatest(c.text_change, excluded.text_change)
    WHERE c.change < excluded.change OR c.text_change < excluded.text_change;
END $noted$;

CREATE FUNCTION number_item() RETURNS trigger LANGUAGE plpgsql AS $numbered$
BEGIN
  UPDATE libraries SET last_item = last_item + 1 WHERE account_id = NEW.account_id RETURNING last_item INTO NEW.seq;
  RETURN NEW;
END $numbered$;
CREATE TRIGGER number_item BEFORE INSERT ON items FOR EACH ROW WHEN (NEW.seq IS NULL) EXECUTE FUNCTION number_item();

CREATE FUNCTION note_index_item() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  PERFORM note_index_changes(NEW.account_id, ARRAY[NEW.seq], OLD.visible_document IS DISTINCT FROM NEW.visible_document);
  RETURN NULL;
END $noted$;

CREATE FUNCTION note_index_marks() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  PERFORM note_index_changes(NEW.account_id, ARRAY[NEW.item], false);
  RETURN NULL;
END $noted$;
CREATE TRIGGER note_index AFTER UPDATE OF marks ON passages FOR EACH ROW
  WHEN (OLD.marks::text IS DISTINCT FROM NEW.marks::text) EXECUTE FUNCTION note_index_marks();
`;

/** The columns of an item that searches read. */
const indexedColumns = [
  'id',
  'url',
  'canonical_url',
  'state',
  'content_type',
  'passage_count',
  'visible_document',
  'duplicate_of',
  'given_title',
  'created_at',
  'deleted_at',
];

const itemTrigger = `
CREATE TRIGGER note_index AFTER UPDATE ON items FOR EACH ROW
  WHEN (${indexedColumns.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`).join(' OR ')})
  EXECUTE FUNCTION note_index_item();`;

/** Notes the items of all rows that a statement inserted, changed or deleted: a book has thousands of passages. */
function statementTrigger(table: string, item: string, event: 'INSERT' | 'UPDATE' | 'DELETE', isText: boolean): string {
  const name = `note_index_${table}_${event.toLowerCase()}`;
  return `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $noted$
DECLARE
  account text;
  items bigint[];
BEGIN
  FOR account, items IN SELECT account_id, array_agg(DISTINCT ${item}) FROM changed GROUP BY account_id LOOP
    PERFORM note_index_changes(account, items, ${isText});
  END LOOP;
  RETURN NULL;
END $noted$;
CREATE TRIGGER ${name} AFTER ${event} ON ${table}
  REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
}

const triggers = [
  itemTrigger,
  statementTrigger('items', 'seq', 'INSERT', false),
  statementTrigger('items', 'seq', 'DELETE', true),
  statementTrigger('item_tags', 'item', 'INSERT', false),
  statementTrigger('item_tags', 'item', 'UPDATE', false),
  statementTrigger('item_tags', 'item', 'DELETE', false),
  statementTrigger('passages', 'item', 'INSERT', true),
  statementTrigger('passages', 'item', 'DELETE', true),
].join('');

/** What was written before is the first change. The owner of the tables is bound by row-level security, too, and has to see all accounts. */
const read = ['libraries', 'items', 'passages', 'index_changes'];
const backfill = `
${read.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`).join('\n')}
UPDATE libraries l SET index_change = 1,
  last_item = coalesce((SELECT max(seq) FROM items i WHERE i.account_id = l.account_id), 0),
  last_passage = coalesce((SELECT max(id) FROM passages p WHERE p.account_id = l.account_id), 0);
INSERT INTO index_changes (account_id, item, change, text_change) SELECT account_id, seq, 1, 1 FROM items;
${read.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`).join('\n')}
`;

/** In the order in which rows can be deleted. */
export const searchTables = ['past_queries', 'vectors'] as const;

export const search: Migration = {
  name: 'vectors, past queries, and what changed for searches',
  sql: tables + rowLevelSecurity([...searchTables, 'index_changes']) + functions + triggers + backfill,
  // Programs that do not know it leave the keys of items and passages to the database.
  isContraction: true,
};
