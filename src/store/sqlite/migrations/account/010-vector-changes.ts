import type { Migration } from '../../files/migrate.ts';

/*
 * `vectors.content` is the item of the passage, so that filling the memory that is searched need not read the passages with their
 * texts. `vector_changes` says whose vectors were added, replaced or taken away, for those who hold them in memory; who comes
 * later than the oldest entry has to read everything again. REPLACE would take rows away without a trigger: vectors are upserted.
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
