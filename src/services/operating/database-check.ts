import type { Check } from './inspection.ts';

/** What is known of the database that has the records. */
export interface DatabaseChecked {
  /** Host and name, without role and password. */
  name: string;
  version: string;
  role: string;
  schema: number;
  latencyMs: number;
  connections: number;
  maxConnections: number;
  /** Whether the data folder has a library, too, which is not used. */
  hasLibrary: boolean;
}

/** A save is some round trips: beyond this it is felt. */
const slowMs = 10;
/** Connections of the server that have to be left for others. */
const minFree = 10;

/** What `doctor` says of the database. */
export function databaseCheck(database: DatabaseChecked): Check {
  const { version, role, schema, latencyMs, connections, maxConnections, hasLibrary } = database;
  const name = 'Database';
  const detail = `PostgreSQL ${version} at ${database.name}, role ${role}, schema ${schema}, ${latencyMs.toFixed(1)} ms an answer, ${connections} of ${maxConnections} connections`;
  const fixes = [
    ...(latencyMs > slowMs
      ? ['The database is far away: each save waits for several answers. Run the servers near it.']
      : []),
    ...(maxConnections - connections < minFree
      ? ['It has hardly a connection left: lower databaseConnections, or put PgBouncer before it.']
      : []),
    ...(hasLibrary
      ? [
          'The data folder has a library, too, which is not used: `commonplace move --to database` copies it; else move it away.',
        ]
      : []),
  ];
  return fixes.length === 0 ? { name, state: 'ok', detail } : { name, state: 'warning', detail, fix: fixes.join(' ') };
}
