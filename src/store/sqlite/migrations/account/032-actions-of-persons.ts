import type { Migration } from '../../files/migrate.ts';
import { recorded, triggersOf } from './021-history.ts';

/* `due` is a day, `2026-03-31`. An action that a person adds before its item has a text has no `document` yet. */
const actions = recorded.filter(({ table }) => table === 'actions');

export const actionsOfPersons: Migration = {
  name: 'actions of persons',
  sql: `
ALTER TABLE actions ADD COLUMN due TEXT;
ALTER TABLE actions ALTER COLUMN document DROP NOT NULL;
DROP TRIGGER actions_add_to_history;
DROP TRIGGER actions_change_in_history;
DROP TRIGGER actions_remove_in_history;
${actions.map((of) => triggersOf({ ...of, columns: [...of.columns, 'due'] })).join('\n')}
`,
};
