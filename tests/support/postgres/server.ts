import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, type Pool } from '../../../src/store/postgres/database.ts';
import { migratePostgres } from '../../../src/store/postgres/migrate.ts';
import { migrations, readSchema } from '../../../src/store/postgres/schema.ts';
import { PgBouncer } from './pgbouncer.ts';
import { createCluster, postgresPrograms, serverUser } from './programs.ts';

/** Little memory, and no waiting for the disk: the machine itself is not switched off. What was committed outlives the server. */
const settings = [
  'listen_addresses=',
  'fsync=off',
  'full_page_writes=off',
  'shared_buffers=16MB',
  'max_connections=60',
  'autovacuum=off',
];

/** Looks at tables that have changed each second, as a server that runs for long has done: plans of statements then fit their sizes. */
export const withStatistics = ['autovacuum=on', 'autovacuum_naptime=1s'];

/** With `TEST_POOLER=pgbouncer`, nodes of every test reach the server through PgBouncer in transaction mode. */
const behindPooler = process.env['TEST_POOLER'] === 'pgbouncer';

/** A migrated database. */
export interface TestDatabase {
  /** As the role that owns the tables. */
  readonly ownerUrl: string;
  /** As the role with which a node works. */
  readonly url: string;
  /** Takes all rows away, which is much faster than another database. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

/** A separate server in a temporary folder, which answers on a socket in that folder alone. */
export class PostgresServer {
  readonly #folder: string;
  #process: ChildProcess;
  readonly #admin: Pool;
  #databases = 0;
  readonly #pooler: PgBouncer | null;

  readonly #more: readonly string[];

  private constructor(
    folder: string,
    process: ChildProcess,
    admin: Pool,
    pooler: PgBouncer | null,
    more: readonly string[],
  ) {
    this.#more = more;
    this.#pooler = pooler;
    this.#folder = folder;
    this.#process = process;
    this.#admin = admin;
  }

  static async start(more: readonly string[] = []): Promise<PostgresServer> {
    const programs = await postgresPrograms();
    const folder = await mkdtemp(join(tmpdir(), 'pg-'));
    if (serverUser.uid !== undefined) await chown(folder, serverUser.uid, serverUser.gid);
    await createCluster(programs, join(folder, 'data'), schemaHash(), (data) => prepare(programs, data));
    const server = await launch(programs, join(folder, 'data'), folder, more);
    const admin = connect({ url: urlIn(folder, 'admin', 'postgres'), maxConnections: 1 });
    const pooler = behindPooler ? await PgBouncer.start(urlIn(folder, 'app', 'postgres')) : null;
    return new PostgresServer(folder, server, admin, pooler, more);
  }

  /** A copy of a database that was migrated once. */
  async createDatabase({ isMigrated = true } = {}): Promise<TestDatabase> {
    this.#databases += 1;
    const name = `d${this.#databases}`;
    await this.#admin.unsafe(`CREATE DATABASE ${name} OWNER owner ${isMigrated ? 'TEMPLATE template' : ''}`);
    const admin = connect({ url: urlIn(this.#folder, 'admin', name), maxConnections: 1 });
    const url = urlIn(this.#folder, 'app', name);
    return {
      ownerUrl: urlIn(this.#folder, 'owner', name),
      url: this.#pooler?.urlOf(url) ?? url,
      empty: () => empty(admin),
      drop: async () => {
        await admin.end();
        await this.#admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
      },
    };
  }

  /** As the administrator, who passes row-level security. */
  adminUrl(database: TestDatabase): string {
    return database.ownerUrl.replace('//owner@', '//admin@');
  }

  /** Kills the server, as if it had crashed, and starts it again. */
  async crash(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGQUIT');
    await ended;
    this.#process = await launch(await postgresPrograms(), join(this.#folder, 'data'), this.#folder, this.#more);
  }

  async stop(): Promise<void> {
    await this.#pooler?.stop();
    await this.#admin.end({ timeout: 1 });
    await end(this.#process);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Of the schema, and of what else `migratePostgres` does. */
function schemaHash(): string {
  const code = readFileSync(new URL('../../../src/store/postgres/migrate.ts', import.meta.url), 'utf8');
  return createHash('sha256')
    .update(JSON.stringify([code, readSchema(), migrations]))
    .digest('hex')
    .slice(0, 16);
}

/** Makes the roles and a migrated database, of which the databases of tests are copies. */
async function prepare(programs: string, data: string): Promise<void> {
  const server = await launch(programs, data, data, []);
  const admin = connect({ url: urlIn(data, 'admin', 'postgres'), maxConnections: 1 });
  try {
    for (const made of ['ROLE owner LOGIN', 'ROLE app LOGIN', 'DATABASE template OWNER owner'])
      await admin.unsafe(`CREATE ${made}`);
    await migratePostgres({ url: urlIn(data, 'owner', 'template'), nodeRole: 'app' });
  } finally {
    await admin.end({ timeout: 1 });
    await end(server);
  }
}

async function end(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}

/** @param folder of the socket. Resolves when the server lets people in */
async function launch(programs: string, data: string, folder: string, more: readonly string[]): Promise<ChildProcess> {
  const given = [...settings, ...more].flatMap((setting) => ['-c', setting]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, ...given], {
    ...serverUser,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface(server.stderr)) if (line.includes('ready to accept connections')) break;
  server.stderr.resume();
  return server;
}

function urlIn(folder: string, role: string, database: string): string {
  return `postgres://${role}@${encodeURIComponent(folder)}/${database}`;
}

/** One statement: some forty, one for each table, took longer than most tests. Foreign keys are not looked at, because everything goes. */
const emptying = `
DO $emptied$
DECLARE emptied text;
BEGIN
  SET LOCAL session_replication_role = replica;
  UPDATE control_state SET noted_at = NULL, noted_uptime = 0, passed_ms = 0;
  FOR emptied IN SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('schema_version', 'control_state')
  LOOP
    EXECUTE format('DELETE FROM %I', emptied);
  END LOOP;
END $emptied$`;

async function empty(admin: Pool): Promise<void> {
  await admin.unsafe(emptying);
}
