import type { Migration } from '../../files/migrate.ts';

/*
 * Items whose analysis somebody better than the extractive analyst may replace: a language model or the connected
 * assistant, whoever claims them first. `due_at` as in `jobs`. A finished row keeps its
 * `lease_token`, which tells a repeated submission from one that comes too late.
 */
export const betterAnalyses: Migration = {
  name: 'better analyses',
  sql: `
CREATE TABLE better_analyses (
  content INTEGER PRIMARY KEY REFERENCES content (seq) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'failed', 'done')),
  due_at INTEGER CHECK ((due_at IS NULL) = (state IN ('failed', 'done'))),
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_token TEXT,
  failure_code TEXT,
  failure_message TEXT
) STRICT;
CREATE INDEX better_analyses_due ON better_analyses (due_at) WHERE due_at IS NOT NULL;
INSERT INTO better_analyses (content, state, due_at)
  SELECT seq, 'waiting', 0 FROM content WHERE state = 'completed' AND passage_count > 0;
`,
};
