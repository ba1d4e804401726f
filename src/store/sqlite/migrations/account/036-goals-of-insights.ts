import type { Migration } from '../../files/migrate.ts';

/* `goals_version`: that of `file_state` when the insight's goal was looked for. A greater one there: it is looked for again. */
export const goalsOfInsights: Migration = {
  name: 'goals of insights',
  sql: `
ALTER TABLE insights ADD COLUMN goal TEXT REFERENCES goals (id) ON DELETE SET NULL;
ALTER TABLE insights ADD COLUMN goal_reason TEXT;
ALTER TABLE insights ADD COLUMN goals_version INTEGER NOT NULL DEFAULT 0;
CREATE INDEX insights_by_goal ON insights (goal) WHERE goal IS NOT NULL;
CREATE INDEX insights_by_goals_version ON insights (goals_version);
`,
};
