import type { Migration } from './migration.ts';

/**
 * What clients asked for within a minute, counted by all nodes together, as `rate-limiter-flexible` writes it. It is not
 * worth a log: after a crash, counting begins anew.
 */
export const sharedLimits: Migration = {
  name: 'rate limits that nodes share',
  sql: `
CREATE UNLOGGED TABLE rate_counts (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_counts_by_end ON rate_counts (expire);
`,
};
