import { readFileSync } from 'node:fs';

/** One step from the first version of the schema to the present one. Only append: a migration that was released never changes. */
export interface Migration {
  name: string;
  sql: string;
  /** Takes away or changes what programs that do not know this migration use. */
  isContraction?: boolean;
}

/** The statements that make an empty database. */
export function readSchema(): string {
  return readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');
}

export const migrations: readonly Migration[] = [
  {
    name: 'cards',
    // The owner of the tables is bound by row-level security, too, and has to see all accounts.
    sql: `
ALTER TABLE libraries NO FORCE ROW LEVEL SECURITY;
ALTER TABLE items NO FORCE ROW LEVEL SECURITY;
ALTER TABLE items ADD COLUMN card bigint;
UPDATE items i SET card = l.last_passage + n.nth FROM libraries l,
  (SELECT account_id, seq, row_number() OVER (PARTITION BY account_id ORDER BY seq) AS nth FROM items) n
  WHERE l.account_id = i.account_id AND n.account_id = i.account_id AND n.seq = i.seq;
UPDATE libraries l SET last_passage = last_passage + (SELECT count(*) FROM items i WHERE i.account_id = l.account_id);
ALTER TABLE items ALTER COLUMN card SET NOT NULL;
ALTER TABLE libraries FORCE ROW LEVEL SECURITY;
ALTER TABLE items FORCE ROW LEVEL SECURITY;
DROP TRIGGER number_item ON items;
DROP FUNCTION number_item;
CREATE FUNCTION number_item() RETURNS trigger LANGUAGE plpgsql AS $numbered$
DECLARE
  taken bigint;
BEGIN
  UPDATE libraries SET last_passage = last_passage + 1, last_item = last_item + CASE WHEN NEW.seq IS NULL THEN 1 ELSE 0 END
  WHERE account_id = NEW.account_id RETURNING last_passage, last_item INTO NEW.card, taken;
  NEW.seq := coalesce(NEW.seq, taken);
  RETURN NEW;
END $numbered$;
CREATE TRIGGER number_item BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION number_item();
DROP TRIGGER note_index ON items;
CREATE TRIGGER note_index AFTER UPDATE ON items FOR EACH ROW
  WHEN (OLD.id IS DISTINCT FROM NEW.id OR OLD.url IS DISTINCT FROM NEW.url
    OR OLD.canonical_url IS DISTINCT FROM NEW.canonical_url OR OLD.state IS DISTINCT FROM NEW.state
    OR OLD.content_type IS DISTINCT FROM NEW.content_type OR OLD.passage_count IS DISTINCT FROM NEW.passage_count
    OR OLD.visible_document IS DISTINCT FROM NEW.visible_document OR OLD.duplicate_of IS DISTINCT FROM NEW.duplicate_of
    OR OLD.given_title IS DISTINCT FROM NEW.given_title OR OLD.notes IS DISTINCT FROM NEW.notes
    OR OLD.known::text IS DISTINCT FROM NEW.known::text OR OLD.created_at IS DISTINCT FROM NEW.created_at
    OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION note_index_item();
`,
  },
  {
    name: 'tasks in notes',
    sql: `
ALTER TABLE items ADD COLUMN tasks_due boolean NOT NULL DEFAULT false;
CREATE INDEX items_tasks_due ON items (account_id, seq) WHERE tasks_due;
CREATE FUNCTION mark_item_noted() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.tasks_due := NEW.notes IS NOT NULL;
  ELSE
    NEW.tasks_due := NEW.tasks_due OR NEW.notes IS DISTINCT FROM OLD.notes;
  END IF;
  RETURN NEW;
END $noted$;
CREATE TRIGGER mark_noted BEFORE INSERT OR UPDATE OF notes ON items FOR EACH ROW EXECUTE FUNCTION mark_item_noted();
CREATE FUNCTION mark_highlight_noted() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.note IS NULL THEN
    RETURN NULL;
  ELSIF TG_OP = 'UPDATE' AND NEW.note IS NOT DISTINCT FROM OLD.note
      AND (NEW.note IS NULL OR NEW.deleted_at IS NOT DISTINCT FROM OLD.deleted_at) THEN
    RETURN NULL;
  END IF;
  UPDATE items SET tasks_due = true WHERE account_id = NEW.account_id AND seq = NEW.item;
  RETURN NULL;
END $noted$;
CREATE TRIGGER mark_noted AFTER INSERT OR UPDATE OF note, deleted_at ON highlights
  FOR EACH ROW EXECUTE FUNCTION mark_highlight_noted();
`,
  },
];
