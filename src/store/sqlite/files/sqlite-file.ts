import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { bringUpToDate, type Migration, refuseNewerFile, schemaVersion } from './migrate.ts';
import { whileBusy } from './busy.ts';
import { type FileState, OpenedPaths } from './file-state.ts';
import { withKeptPlan } from './kept-plans.ts';
import { openDatabase, type OpenDatabase } from './open-database.ts';
import { busyLog, closedFolder, explained, FileChangedError } from './sqlite-errors.ts';

export interface SqliteFileOptions extends OpenDatabase {
  migrations: readonly Migration[];
  /** Runs before every statement; throwing gives up what asks for it. */
  beforeStatement?: (() => void) | undefined;
  /** Runs inside every write transaction before its work; throwing refuses the write. */
  beforeWrite?: (file: SqliteFile) => void;
  /** Runs inside every write transaction after its work. */
  afterWrite?: (file: SqliteFile) => void;
}

/** Loads the native code of the driver, which comes with the first file otherwise. */
export function loadDriver(): void {
  new Database(':memory:').close();
}

/**
 * One open database file: prepared statements by their text, and write transactions that check the schema's version.
 * Everything is synchronous, so no other task of this process comes between the statements of a transaction.
 */
export class SqliteFile {
  readonly #db: Database.Database;
  readonly #paths: OpenedPaths;
  readonly #statements = new Map<string, Database.Statement<unknown[], unknown>>();
  readonly #beforeStatement: (() => void) | undefined;
  readonly #readOnly: boolean;
  readonly #migrations: readonly Migration[];
  readonly #remembered = new Map<string, unknown>();
  #rememberedState = '';
  #changesAside = 0;
  /** Whether that is the state of the transaction that runs, which is one of reading. */
  #isStateKnown = false;
  #isReading = false;
  readonly #later = new Map<unknown, () => void>();
  readonly #writing: Database.Transaction<(work: () => unknown) => unknown>;
  readonly #reading: Database.Transaction<(work: () => unknown) => unknown>;

  private constructor(db: Database.Database, options: SqliteFileOptions) {
    this.#db = db;
    this.#paths = new OpenedPaths(options.path);
    this.#beforeStatement = options.beforeStatement;
    this.#readOnly = options.readOnly;
    this.#migrations = options.migrations;
    this.#reading = db.transaction((work) => work());
    this.#writing = db.transaction((work) => {
      if (this.#version() !== options.migrations.length) bringUpToDate(db, options.migrations);
      options.beforeWrite?.(this);
      this.#later.clear();
      const result = work();
      for (const last of this.#later.values()) last();
      this.#later.clear();
      options.afterWrite?.(this);
      // What is written to a file without a name is lost: nothing is committed there.
      if (this.state() !== 'same') throw new FileChangedError();
      return result;
    });
  }

  /**
   * Opens the file, creating and migrating it first unless it is opened for reading only.
   * @throws {AppError} `newer_data`, or `unavailable` when the file cannot be used.
   */
  static open(options: SqliteFileOptions): SqliteFile {
    return explaining(() => {
      const db = openDatabase(options);
      try {
        return SqliteFile.#checked(db, options);
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  static #checked(db: Database.Database, options: SqliteFileOptions): SqliteFile {
    const version = schemaVersion(db);
    refuseNewerFile(version, options.migrations);
    if (version === 0 && options.missing !== undefined) throw options.missing();
    if (version < options.migrations.length) {
      if (options.readOnly) {
        throw new AppError(
          'unavailable',
          'The data folder is from an older version of Commonplace. Start Commonplace once to bring it up to date.',
        );
      }
      whileBusy(() => db.transaction(() => bringUpToDate(db, options.migrations)).immediate());
    }
    return new SqliteFile(db, options);
  }

  /** The first row, or undefined. */
  get<Row>(sql: string, ...parameters: unknown[]): Row | undefined {
    return explaining(() => this.#statement(sql).get(...parameters) as Row | undefined);
  }

  all<Row>(sql: string, ...parameters: unknown[]): Row[] {
    return explaining(() => this.#statement(sql).all(...parameters) as Row[]);
  }

  /** The number of rows that changed, and the id of the row inserted last. */
  run(sql: string, ...parameters: unknown[]): { changes: number; rowId: number } {
    return explaining(() => {
      this.#isStateKnown = false;
      const { changes, lastInsertRowid } = this.#statement(sql).run(...parameters);
      return { changes, rowId: Number(lastInsertRowid) };
    });
  }

  /** Several reads of one state of the file. */
  read<T>(work: () => T): T {
    // Within a transaction there is one state already; another savepoint costs as much as a small question.
    if (this.#db.inTransaction) return work();
    this.#isReading = true;
    try {
      return explaining(() => {
        this.#requireOpen();
        return this.#reading.deferred(work) as T;
      });
    } finally {
      this.#isReading = false;
      this.#isStateKnown = false;
    }
  }

  /**
   * What `work` reads, remembered as long as nobody writes to the file, here or elsewhere. For what is asked for again and
   * again and has to be counted.
   * @param key names the answer among those of this file
   */
  remember<T>(key: string, work: () => T): T {
    return this.read(() => {
      if (!this.#isStateKnown) this.#forgetOutdated();
      if (!this.#remembered.has(key)) this.#remembered.set(key, work());
      return this.#remembered.get(key) as T;
    });
  }

  #forgetOutdated(): void {
    const state = JSON.stringify([this.get('PRAGMA data_version'), this.#changes() - this.#changesAside]);
    if (state !== this.#rememberedState) this.#remembered.clear();
    this.#rememberedState = state;
    this.#isStateKnown = this.#isReading;
  }

  /** The version of its tables. It grows also when another state of the file is put back over this one: numbers may be those of others then. */
  schema(): number {
    return this.remember(
      'schema',
      () => this.get<{ schema_version: number }>('PRAGMA schema_version')?.schema_version ?? 0,
    );
  }

  /** Writes nothing but temporary tables: what is remembered stays. */
  aside<T>(work: () => T): T {
    const before = this.#changes();
    try {
      return work();
    } finally {
      this.#changesAside += this.#changes() - before;
    }
  }

  #changes(): number {
    return this.get<{ changes: number }>('SELECT total_changes() AS changes')?.changes ?? 0;
  }

  /**
   * For a file that is open for long, inside the transaction of a read.
   * @throws {AppError} `newer_data` when a newer program has migrated it since.
   */
  refuseNewer(): void {
    refuseNewerFile(this.#version(), this.#migrations);
  }

  /** The number of the last migration, as `schemaVersion`, without preparing the question anew for every write. */
  #version(): number {
    return this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  }

  /**
   * One write transaction. Always immediate: one that reads first and writes later is refused under two writers.
   * To be called within `whenFree`, for another process may be writing.
   */
  write<T>(work: () => T): T {
    if (this.#readOnly) {
      throw new AppError(
        'unavailable',
        'The data folder is opened for reading only. Start Commonplace normally to write.',
      );
    }
    return explaining(() => {
      this.#requireOpen();
      try {
        return this.#writing.immediate(work) as T;
      } catch (error) {
        // What was read within it was never there.
        this.#remembered.clear();
        throw error;
      }
    });
  }

  /**
   * Runs at the end of this write transaction, in the order asked for; not at all when it fails.
   * @param about what is asked for again about the same takes the place of what was asked for before
   */
  later(work: () => void, about: unknown = work): void {
    this.#later.set(about, work);
  }

  /** What stands at its path now. */
  state(): FileState {
    return this.#paths.state();
  }

  /**
   * Brings everything that was committed from the log into the file, and empties the log.
   * @throws an error that `isBusy` knows while somebody reads or writes
   */
  emptyLog(): void {
    if (this.#readOnly) return;
    explaining(() => {
      const result = this.#db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      if (result[0]?.busy !== 0) throw busyLog();
    });
  }

  /** Whether all its pages are what the tables expect. Reads the whole file. */
  isWhole(): boolean {
    try {
      return this.#db.pragma('quick_check(1)', { simple: true }) === 'ok';
    } catch (error) {
      if (error instanceof Database.SqliteError) return false;
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  /** What comes while the folder is being closed is told so, in our words and not in the driver's. */
  #requireOpen(): void {
    if (!this.#db.open) throw closedFolder();
  }

  #statement(sql: string): Database.Statement<unknown[], unknown> {
    this.#beforeStatement?.();
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      this.#requireOpen();
      statement = this.#db.prepare<unknown[], unknown>(withKeptPlan(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function explaining<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explained(error);
  }
}
