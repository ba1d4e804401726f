import { AppError, invalidInput, unavailable } from '../../errors.ts';
import { connect, transaction, type Tx } from './database.ts';
import { migrations, readSchema } from './schema.ts';

/*
 * Old nodes continue while a new program's migrations run: migrations add what the new program needs ("expand"), and a later
 * release removes what no node uses any more ("contract"). `oldest_program` is the version of the schema that a program must know
 * to work on this database: that of the last migration that removed something.
 */

/**
 * The version of a database without migrations. Smaller ones are those of previews, which had different migrations. A preview
 * refuses this version as a newer one.
 */
export const firstVersion = 100;

export const presentVersion = firstVersion + migrations.length;

const oldestProgram = firstVersion + migrations.findLastIndex(({ isContraction }) => isContraction === true) + 1;

interface Version {
  version: number;
  oldestProgram: number;
}

/** Any number that nothing else in the database takes: "comm" in ASCII. */
const migrationLock = 0x63_6f_6d_6d;

export interface MigrateOptions {
  /** As the role that owns the tables, which is not the role with which nodes work. */
  url: string;
  /** The role with which nodes work: it may read and write rows, and nothing else. */
  nodeRole: string;
}

export interface Migrated {
  /** The version before; 0 for an empty database. */
  before: number;
  after: number;
  /** Names of the migrations that it applied; none for an empty database, which gets the whole schema. */
  applied: string[];
}

/**
 * Makes an empty database, or applies all missing migrations, in one transaction, and grants the nodes' role what it needs. Several may be started at
 * once: each waits for the one before.
 * @throws {AppError} `newer_data` when a newer program has migrated the database in a way that this one cannot work with; `unavailable` when a preview has made it;
 *   `invalid_input` when the nodes' role is missing, or is the owner
 */
export async function migratePostgres({ url, nodeRole }: MigrateOptions): Promise<Migrated> {
  const pool = connect({ url, maxConnections: 1, maxStatementMs: 0 });
  try {
    return await transaction(pool, '', (tx) => bringUpToDate(tx, nodeRole));
  } finally {
    await pool.end();
  }
}

async function bringUpToDate(tx: Tx, nodeRole: string): Promise<Migrated> {
  await requireNodeRole(tx, nodeRole);
  await tx`SELECT pg_advisory_xact_lock(${migrationLock})`;
  await tx`
    CREATE TABLE IF NOT EXISTS schema_version (
      one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL, oldest_program integer NOT NULL)`;
  await tx`INSERT INTO schema_version (version, oldest_program) VALUES (0, 0) ON CONFLICT DO NOTHING`;
  const known = await readVersion(tx);
  refuseOther(known);
  const { version } = known;
  const missing = version === 0 ? [] : migrations.slice(version - firstVersion);
  if (version === 0) await tx.unsafe(readSchema());
  for (const { sql } of missing) await tx.unsafe(sql);
  if (version < presentVersion)
    await tx`UPDATE schema_version SET version = ${presentVersion}, oldest_program = ${oldestProgram}`;
  await tx`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${tx(nodeRole)}`;
  await tx`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${tx(nodeRole)}`;
  await tx`REVOKE INSERT, UPDATE, DELETE ON schema_version FROM ${tx(nodeRole)}`;
  return { before: version, after: Math.max(version, presentVersion), applied: missing.map(({ name }) => name) };
}

async function requireNodeRole(tx: Tx, nodeRole: string): Promise<void> {
  const [found] = await tx<{ isOwner: boolean }[]>`
    SELECT rolname = current_user AS is_owner FROM pg_roles WHERE rolname = ${nodeRole}`;
  if (found === undefined)
    throw invalidInput(
      `The database has no role ${JSON.stringify(nodeRole)} for the servers. Make it (CREATE ROLE … LOGIN PASSWORD …), then migrate again.`,
    );
  if (found.isOwner)
    throw invalidInput(
      'The servers must connect as another role than the one that migrates: an owner of tables passes the protection that keeps accounts apart.',
    );
}

async function readVersion(sql: Tx): Promise<Version> {
  const [row] = await sql<Version[]>`SELECT version, oldest_program FROM schema_version`;
  if (row === undefined) throw new Error('the schema has no version');
  return row;
}

function refuseOther({ version, oldestProgram: oldest }: Version): void {
  if (version > 0 && version < firstVersion)
    throw unavailable(
      'A preview of Commonplace made this database, in a form that this version does not read. Export each library with the ' +
        'version that wrote it (`commonplace export <folder>`; each account with --account), then import those folders here into an empty database (`commonplace import <folder>`).',
    );
  if (oldest <= presentVersion) return;
  throw new AppError(
    'newer_data',
    'A newer version of Commonplace than this one has migrated this database. Update this one.',
  );
}

/** @throws {AppError} `newer_data` and `unavailable` as above; `unavailable` when the database was not migrated for this program yet */
export async function requireVersion(sql: Tx): Promise<void> {
  const [table] = await sql<{ found: string | null }[]>`SELECT to_regclass('public.schema_version') AS found`;
  const known = (table?.found ?? null) === null ? { version: 0, oldestProgram: 0 } : await readVersion(sql);
  refuseOther(known);
  if (known.version >= presentVersion) return;
  throw unavailable(
    'The database was not migrated for this version of Commonplace yet. Run `commonplace migrate`, then start this one.',
  );
}

/**
 * Row-level security does not apply to a superuser or to a role that bypasses it, and the tables' owner can switch it off. @throws
 * {AppError} `unavailable` when the role of this connection is one of these
 */
export async function requireBoundRole(sql: Tx): Promise<void> {
  const [role] = await sql<{ isFree: boolean }[]>`
    SELECT r.rolsuper OR r.rolbypassrls OR EXISTS (
        SELECT 1 FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND pg_has_role(current_user, c.relowner, 'USAGE')) AS is_free
    FROM pg_roles r WHERE r.rolname = current_user`;
  if (role?.isFree === false) return;
  throw unavailable(
    'The role of the database connection could switch off the protection that keeps accounts apart. ' +
      'Connect as a role that is no superuser, does not bypass row-level security and owns no tables.',
  );
}
