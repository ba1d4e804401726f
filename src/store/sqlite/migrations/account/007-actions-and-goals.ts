import type { Migration } from '../../files/migrate.ts';

/*
 * Why an action serves its goal stands apart from the reason that the text gives; before, one column held both, the first
 * before the second. `link_due`: the goals have changed since its goal was looked for. `goals_version` counts those
 * changes, so that a goal found among the old ones is not kept for one among the new ones.
 */
export const actionsAndGoals: Migration = {
  name: 'actions and goals',
  sql: `
ALTER TABLE file_state ADD COLUMN goals_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE actions ADD COLUMN goal_reason TEXT;
ALTER TABLE actions ADD COLUMN link_due INTEGER NOT NULL DEFAULT 0 CHECK (link_due IN (0, 1));
UPDATE actions SET goal_reason = reason, reason = NULL WHERE goal IS NOT NULL AND reason LIKE 'Serves your goal "%: it speaks of %';
UPDATE actions SET
    reason = substr(goal_reason, instr(goal_reason, ': it speaks of ') + instr(substr(goal_reason, instr(goal_reason, ': it speaks of ')), '. ') + 1),
    goal_reason = substr(goal_reason, 1, instr(goal_reason, ': it speaks of ') + instr(substr(goal_reason, instr(goal_reason, ': it speaks of ')), '. ') - 1)
  WHERE instr(substr(goal_reason, instr(goal_reason, ': it speaks of ')), '. ') > 0;
DROP INDEX actions_newest;
DROP INDEX actions_by_state;
CREATE INDEX actions_in_order ON actions (state <> 'open', goal IS NULL, created_at DESC, content DESC, seq);
CREATE INDEX actions_by_state ON actions (state, goal IS NULL, created_at DESC, content DESC, seq);
CREATE INDEX actions_link_due ON actions (seq) WHERE link_due = 1;
`,
};
