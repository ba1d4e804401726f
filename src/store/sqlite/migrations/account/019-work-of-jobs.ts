import type { Migration } from '../../files/migrate.ts';

/*
 * Jobs are claimed by three kinds of work: what fetches an item, what makes it findable, and what makes it better. So a job that
 * waits for its vectors is never looked at by who looks for the next item to read.
 */
export const workOfJobs: Migration = {
  name: 'work of jobs',
  sql: `
DROP INDEX jobs_due;
DROP INDEX jobs_newest;
CREATE INDEX jobs_due ON jobs (background,
  (CASE stage WHEN 'fetch' THEN 'fetch' WHEN 'extract' THEN 'read' WHEN 'split' THEN 'read' ELSE 'enrich' END),
  due_at, content, host) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_newest ON jobs (background,
  (CASE stage WHEN 'fetch' THEN 'fetch' WHEN 'extract' THEN 'read' WHEN 'split' THEN 'read' ELSE 'enrich' END),
  content, due_at, host) WHERE due_at IS NOT NULL;
`,
};
