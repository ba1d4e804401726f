import type { Migration } from '../../files/migrate.ts';

/** Up to which announcement in `control.db` a worker has found nothing to do (`announced-work.ts`). */
export const settledWork: Migration = {
  name: 'settled work',
  sql: 'ALTER TABLE file_state ADD COLUMN settled_generation INTEGER NOT NULL DEFAULT 0;',
};
