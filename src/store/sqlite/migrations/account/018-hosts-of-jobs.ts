import type { Migration } from '../../files/migrate.ts';

/*
 * Jobs are claimed by what they need (the network, or the processor), and those whose host has no room are skipped without a
 * look at their items. `host` is null until it is known: for jobs from before this migration, and for those that need none.
 */
export const hostsOfJobs: Migration = {
  name: 'hosts of jobs',
  sql: `
ALTER TABLE jobs ADD COLUMN host TEXT;
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (background, (stage = 'fetch'), due_at, content, host) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_newest ON jobs (background, (stage = 'fetch'), content, due_at, host) WHERE due_at IS NOT NULL;
`,
};
