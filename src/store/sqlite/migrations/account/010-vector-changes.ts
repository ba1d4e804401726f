import type { Migration } from '../../files/migrate.ts';

/*
 * `vectors.content` is the item of the passage. With it, the vector cache is filled without reading passages and their texts.
 * `vector_changes` lists passages whose vectors were added, replaced or deleted, so that caches can follow. A cache that is
 * older than the oldest entry has to be filled again. Vectors are upserted, because REPLACE deletes rows without a trigger.
 */
export const vectorChanges: Migration = {
  name: 'vector changes',
  sql: `
ALTER TABLE vectors ADD COLUMN content INTEGER;
UPDATE vectors SET content = (SELECT p.content FROM passages p WHERE p.id = vectors.passage);

CREATE TABLE vector_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  passage INTEGER NOT NULL
) STRICT;
CREATE TRIGGER vector_changes_trim AFTER INSERT ON vector_changes BEGIN
  DELETE FROM vector_changes WHERE id <= new.id - 50000;
END;
CREATE TRIGGER vectors_added AFTER INSERT ON vectors BEGIN
  INSERT INTO vector_changes (passage) VALUES (new.passage);
END;
CREATE TRIGGER vectors_replaced AFTER UPDATE ON vectors BEGIN
  INSERT INTO vector_changes (passage) VALUES (new.passage);
END;
CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
  INSERT INTO vector_changes (passage) VALUES (old.passage);
END;
`,
};
