import { recordedColumns, replaceNotes } from './003-history.ts';
import type { Migration } from './migration.ts';

/* As in SQLite (`account/032-actions-of-persons.ts`). */
export const actionsOfPersons: Migration = {
  name: 'actions of persons',
  sql: `
ALTER TABLE actions ADD COLUMN due text;
ALTER TABLE actions ALTER COLUMN document DROP NOT NULL;
${replaceNotes('action', { ...recordedColumns.action, due: '$.due' })}
`,
};
