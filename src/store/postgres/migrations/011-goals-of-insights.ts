import type { Migration } from './migration.ts';

/* As in SQLite (`account/036-goals-of-insights.ts`). */
export const goalsOfInsights: Migration = {
  name: 'goals of insights',
  sql: `
ALTER TABLE insights ADD COLUMN goal text;
ALTER TABLE insights ADD COLUMN goal_reason text;
ALTER TABLE insights ADD COLUMN goals_version integer NOT NULL DEFAULT 0;
ALTER TABLE insights ADD FOREIGN KEY (account_id, goal) REFERENCES goals (account_id, id) ON DELETE SET NULL (goal);
CREATE INDEX insights_by_goal ON insights (account_id, goal) WHERE goal IS NOT NULL;
CREATE INDEX insights_by_goals_version ON insights (account_id, goals_version);
`,
};
