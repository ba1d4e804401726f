import type { Migration } from '../../files/migrate.ts';

/* Actions are linked to goals by meaning now: those without a goal are looked at again. */
export const linksByMeaning: Migration = {
  name: 'links by meaning',
  sql: `
UPDATE actions SET link_due = 1 WHERE goal IS NULL AND state = 'open' AND touched_at IS NULL
  AND EXISTS (SELECT 1 FROM goals WHERE archived_at IS NULL);
`,
};
