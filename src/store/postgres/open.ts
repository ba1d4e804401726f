import type { Clock } from '../../domain/clock.ts';
import { localAccountId } from '../../domain/records/account.ts';
import { accountIdOf, heldToOf } from '../../domain/access/account-names.ts';
import { accountOf, type Writer } from '../../domain/records/change.ts';
import { noSuchAccount, invalidInput } from '../../errors.ts';
import type { Log } from '../../workers/log.ts';
import { createHeldStore } from '../held-store.ts';
import type { HistoryLimits } from '../history.ts';
import { usualHistory } from '../history/recording.ts';
import { createPostgresControl, PostgresAccounts } from './control.ts';
import { connect, type ConnectOptions, type Pool, statement, transaction } from './database.ts';
import { AccountAccess } from './account-access.ts';
import type { ObjectStore } from './blobs/object-store.ts';
import { BlobSweeps } from './blobs/kept-bytes.ts';
import type { Store } from '../store.ts';
import { createPostgresStore } from './account-store.ts';
import { requireBoundRole, requireVersion } from './migrate.ts';
import { readDatabaseFacts, requireWritable, sharedLimiters, WorkNotices } from './nodes.ts';
import { IndexNode, type IndexOptions } from './searching/index-node.ts';

export interface PostgresStoresOptions extends ConnectOptions {
  /** Database connections that outlive these stores. Absent: its own connections. */
  pool?: Pool | undefined;
  /** Of this machine. */
  clock: Clock;
  /** Leases and due times use the database's clock, which all nodes share. */
  usesDatabaseTime?: boolean;
  /** Absent: the usual limits. Null: no history is kept, and nothing can be undone. */
  history?: HistoryLimits | null | undefined;
  /** Where large originals go (`openS3ObjectStore`). Absent: they stay in the database. It is closed with the stores. */
  objects?: ObjectStore | undefined;
  /** Where this node keeps its copies of search indexes, and how it searches them. Absent: it does not search. */
  index?: IndexOptions | undefined;
  log?: Log | undefined;
}

/**
 * Connects to a database that `migratePostgres` has prepared.
 * @throws {AppError} `unavailable` when it does not answer, is not migrated yet, or the role of the connection could pass
 *   row-level security; `newer_data` when a newer program has migrated it
 */
export async function openPostgresStores(options: PostgresStoresOptions) {
  const pool = options.pool ?? connect(options);
  const disconnect = async (timeout: number): Promise<void> => {
    if (options.pool === undefined) await pool.end({ timeout });
  };
  try {
    await transaction(pool, '', async (tx) => {
      await requireVersion(tx);
      await requireBoundRole(tx);
    });
    const clock = options.usesDatabaseTime === true ? databaseClock(pool.time, options.clock) : options.clock;
    const index = options.index === undefined ? null : new IndexNode(options.index, clock, options.log);
    const notices = new WorkNotices(pool, options.clock);
    const onWork = (): void => notices.tell();
    const accounts = new PostgresAccounts(pool, clock);
    const historyLimits = options.history === undefined ? usualHistory : options.history;
    const { objects } = options;
    const parts = { pool, clock, historyLimits, objects: objects ?? null, onWork };
    const sweeps = objects === undefined ? null : new BlobSweeps({ ...parts, objects });
    const control = createPostgresControl(pool, clock, onWork);
    await statement(() => accounts.ensureFirst());
    const forgetRemoved = async (): Promise<void> => index?.keepOnly((ids) => statement(() => accounts.whichOf(ids)));
    await forgetRemoved();
    return {
      control,
      /**
       * @param writer with a change: what the store writes is recorded as part of it
       * @param signal Aborting it rejects searches with the signal's reason
       * @throws {AppError} `not_found` when there is no such account
       */
      async open(writer: Writer, signal?: AbortSignal): Promise<Store> {
        const name = accountOf(writer);
        const accountId = accountIdOf(name);
        if ((await control.getAccount(accountId)) === null) throw noSuchAccount();
        const change = typeof writer === 'string' ? undefined : writer.change;
        const store = createPostgresStore(new AccountAccess(parts, accountId, { change }), index, signal);
        const held = heldToOf(name);
        return held === null ? store : createHeldStore(store, held, name);
      },
      async removeAccount(id: string): Promise<void> {
        requireRemovable(id);
        await accounts.remove(id);
        await sweeps?.empty(id);
        await index?.discard(id);
      },
      async setAsideAccount(id: string): Promise<void> {
        requireRemovable(id);
        await accounts.setAside(id);
      },
      bringBackAccount: (id: string) => accounts.bringBack(id),
      listSetAside: () => control.listSetAside(),
      async removeExpiredAccounts(): Promise<void> {
        for (const id of await control.listExpired()) await accounts.remove(id);
        await statement(() => accounts.finishRemovals());
        await sweeps?.sweep();
      },
      /** Deletes this node's copies of indexes of accounts that any node has removed. */
      forgetRemovedAccounts: forgetRemoved,
      checkWritable: () => requireWritable(pool),
      readFacts: () => readDatabaseFacts(pool),
      /** The one by which records of these stores are due. */
      clock,
      /** Calls `wake` when any node has written work. Behind a pooler it is never called: then polling finds the work. */
      onWork: (wake: () => void): void => notices.listen(wake),
      makeLimiter: sharedLimiters(pool),
      async close(): Promise<void> {
        sweeps?.stop();
        await notices.end();
        await objects?.close();
        await index?.close();
        await disconnect(5);
      },
    };
  } catch (error) {
    await disconnect(0);
    throw error;
  }
}

/** Shows the database's time of day, and else what the clock of this machine does. */
function databaseClock(time: Pool['time'], local: Clock): Clock {
  return {
    now: () => time.now(),
    elapsed: () => local.elapsed(),
    uptime: () => local.uptime(),
    sleep: (ms, signal) => local.sleep(ms, signal),
  };
}

function requireRemovable(id: string): void {
  if (id === localAccountId)
    throw invalidInput(
      'The local account belongs to this installation: the command line uses it. It goes when the database goes.',
    );
}
