import Database from 'better-sqlite3';
import { unavailable } from '../../../errors.ts';
import type { Answer } from '../../library/db.ts';
import { bringUpToDate, presentVersion, refuseOtherVersion, type Schema, schemaVersion } from './migrate.ts';
import { busyError, closedFolder, explained, FileChangedError, whileBusy } from './sqlite-errors.ts';
import { type FileState, OpenedPaths } from './file-state.ts';
import { isOpenAlone, openDatabase, type OpenDatabase } from './open-database.ts';

export interface SqliteFileOptions extends OpenDatabase {
  schema: Schema;
  /** Copies the file before it is migrated. Throwing leaves the file as it is. */
  beforeMigration?: ((db: Database.Database, version: number) => void) | undefined;
  /** Runs before every statement; throwing cancels the statement. */
  beforeStatement?: (() => void) | undefined;
  /** Runs inside every write transaction before its work; throwing cancels the write. */
  beforeWrite?: (file: SqliteFile) => void;
  /** Runs inside every write transaction after its work. */
  afterWrite?: (file: SqliteFile) => void;
}

/** Number of cached prepared statements: several times those of the program. */
const maxStatements = 2_000;

/** Loads the native code of the driver now, instead of when the first file is opened. */
export function loadDriver(): void {
  new Database(':memory:').close();
}

/**
 * One open database file. It caches prepared statements by their text; write transactions check the schema version.
 * Everything is synchronous, so no other task of this thread runs between the statements of a transaction.
 */
export class SqliteFile {
  /** Nobody else can use the file while it is open: the disk is full. */
  readonly isAlone: boolean;
  readonly #db: Database.Database;
  readonly #paths: OpenedPaths;
  readonly #statements = new Map<string, Database.Statement<unknown[], unknown>>();
  readonly #beforeStatement: (() => void) | undefined;
  readonly #readOnly: boolean;
  readonly #schema: Schema;
  readonly #remembered = new Map<string, unknown>();
  #rememberedState = '';
  #changesAside = 0;
  /** Whether `#rememberedState` was read in the read transaction that is running. */
  #isStateKnown = false;
  #isReading = false;
  readonly #later = new Map<unknown, () => void>();
  readonly #writing: Database.Transaction<(work: () => unknown) => unknown>;
  readonly #reading: Database.Transaction<(work: () => unknown) => unknown>;

  private constructor(db: Database.Database, options: SqliteFileOptions) {
    this.#db = db;
    this.isAlone = isOpenAlone(db);
    this.#paths = new OpenedPaths(options.path);
    this.#beforeStatement = options.beforeStatement;
    this.#readOnly = options.readOnly;
    this.#schema = options.schema;
    this.#reading = db.transaction((work) => work());
    this.#writing = db.transaction((work) => {
      if (this.#version() !== presentVersion(options.schema)) bringUpToDate(db, options.schema);
      options.beforeWrite?.(this);
      this.#later.clear();
      const result = work();
      for (const last of this.#later.values()) last();
      this.#later.clear();
      options.afterWrite?.(this);
      // Writes to a file that is no longer at its path could be lost, so they are not committed.
      if (this.state() !== 'same') throw new FileChangedError();
      return result;
    });
  }

  /**
   * Opens the file. Creates or migrates it first, unless it is opened read-only.
   * @throws {AppError} `newer_data`, or `unavailable` when the file cannot be used or is of a preview
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
    refuseOtherVersion(version, options.schema);
    if (version === 0 && options.missing !== undefined) throw options.missing();
    if (version < presentVersion(options.schema)) {
      if (options.readOnly) {
        throw unavailable(
          'The data folder is from an older version of Commonplace. Start Commonplace once to bring it up to date.',
        );
      }
      if (version > 0) whileBusy(() => options.beforeMigration?.(db, version));
      whileBusy(() => db.transaction(() => bringUpToDate(db, options.schema)).immediate());
    }
    return new SqliteFile(db, options);
  }

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

  /** The rows that a statement of the shared library code finds or changes (`store/library/db.ts`). */
  answer(sql: string, parameters: readonly unknown[]): Answer {
    return explaining(() => {
      const statement = this.#statement(sql);
      if (!statement.reader) {
        this.#isStateKnown = false;
        return { rows: [], count: statement.run(...parameters).changes };
      }
      if (!statement.readonly) this.#isStateKnown = false;
      const rows = namedRows(statement, parameters);
      return { rows, count: rows.length };
    });
  }

  /** Runs several reads on one snapshot of the file. */
  read<T>(work: () => T): T {
    // A transaction is a snapshot already, and a savepoint inside it costs as much as a small query.
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
   * Caches the result of `work` until this or another connection writes to the file. For counts that are needed often.
   * @param key of the result, unique within this file
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

  /**
   * The version of the schema (`PRAGMA schema_version`). It also grows when another state of the file is restored over
   * this one: then ids may belong to other rows.
   */
  schema(): number {
    return this.remember(
      'schema',
      () => this.get<{ schema_version: number }>('PRAGMA schema_version')?.schema_version ?? 0,
    );
  }

  /** Runs work that writes only to temporary tables, so that remembered results stay valid. */
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
   * For a file that stays open for long. Call inside a read transaction.
   * @throws {AppError} `newer_data` when a newer program has migrated it since.
   */
  refuseNewer(): void {
    refuseOtherVersion(this.#version(), this.#schema);
  }

  /** Like `schemaVersion`, but with a cached statement, because it runs in every write. */
  #version(): number {
    return this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  }

  /**
   * Runs one write transaction. Always immediate: with two writers, SQLite refuses a transaction that reads first and
   * writes later. Call within `whenFree`, because another process may be writing.
   */
  write<T>(work: () => T): T {
    if (this.#readOnly) {
      throw unavailable('The data folder is opened for reading only. Start Commonplace normally to write.');
    }
    return explaining(() => {
      this.#requireOpen();
      try {
        return this.#writing.immediate(work) as T;
      } catch (error) {
        // Values remembered in this transaction were rolled back.
        this.#remembered.clear();
        if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_IOERR'))
          overwriteFailedCommit(this.#db);
        throw error;
      }
    });
  }

  /**
   * Registers work for the end of this write transaction, in the order of registration. It does not run when the
   * transaction fails.
   * @param about key of the work: registering the same key again replaces the earlier work
   */
  later(work: () => void, about: unknown = work): void {
    this.#later.set(about, work);
  }

  state(): FileState {
    return this.#paths.state();
  }

  /**
   * Copies all commits from the write-ahead log into the file, and empties the log.
   * @throws an error that `isBusy` recognises, while somebody reads or writes
   */
  emptyLog(): void {
    if (this.#readOnly) return;
    explaining(() => {
      const result = this.#db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      if (result[0]?.busy !== 0) throw busyError('the log is in use');
    });
  }

  /**
   * Rewrites the file without its freed pages, and empties the log, so that nothing deleted is left.
   * @throws an error that `isBusy` recognises, during other reads or writes
   */
  compact(): void {
    if (this.#readOnly) return;
    explaining(() => void this.#db.exec('VACUUM'));
    this.emptyLog();
  }

  /** Whether the file passes SQLite's `quick_check`. Reads the whole file. */
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

  /** Calls during shutdown get this error instead of the driver's. */
  #requireOpen(): void {
    if (!this.#db.open) throw closedFolder();
  }

  #statement(sql: string): Database.Statement<unknown[], unknown> {
    this.#beforeStatement?.();
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      this.#requireOpen();
      statement = this.#db.prepare<unknown[], unknown>(withKeptPlan(sql));
      // Filters make ever new statements.
      if (this.#statements.size >= maxStatements) this.#statements.delete(this.#statements.keys().next().value ?? '');
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

interface NamedColumn {
  name: string;
  isBoolean: boolean;
}

const columnsOf = new WeakMap<Database.Statement, NamedColumn[]>();

function namedColumn({ name }: Database.ColumnDefinition): NamedColumn {
  return {
    name: name.replaceAll(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase()),
    isBoolean: /^(?:is|has|was)_/.test(name),
  };
}

/** The rows that a statement finds, with names in camel case. Made from lists of values: objects of the driver would be copied. */
function namedRows(statement: Database.Statement<unknown[], unknown>, parameters: readonly unknown[]): object[] {
  const columns = columnsOf.get(statement) ?? statement.columns().map(namedColumn);
  columnsOf.set(statement, columns);
  try {
    return (statement.raw().all(...parameters) as unknown[][]).map((values) => {
      const row: Record<string, unknown> = {};
      for (const [at, { name, isBoolean }] of columns.entries()) {
        const value = values[at];
        row[name] = isBoolean && value !== null ? value === 1 : value;
      }
      return row;
    });
  } finally {
    statement.raw(false);
  }
}

function explaining<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explained(error);
  }
}

/*
 * SQLite recompiles a statement when a new parameter value could change its plan. Since 3.54 it checks whether a value
 * that a column is compared with is 0 or 1, and it checks limits. better-sqlite3 clears the parameters after every run,
 * which counts as such a change. So nearly every query other than a single lookup was recompiled on each run, which
 * took longer than the run itself. After a unary plus SQLite does not look at the parameter's value
 * (`sqlite3ExprIsInteger`); nothing else changes.
 */

const weighedParameter = /(?=[?@])(?<=(?:(?<![<>!])=|\bIS|\bFROM|\bLIMIT|\bOFFSET)\s*)/g;

/** Rewrites the statement so that it keeps the plan from when it was prepared. */
export function withKeptPlan(sql: string): string {
  return sql.replaceAll(weighedParameter, '+');
}

/**
 * Overwrites a transaction that failed at the end of its commit, by a commit that changes nothing.
 *
 * When the disk fails there, the whole transaction may stand in the write-ahead log, after the last valid commit. No
 * reader sees it. But if all processes end before the next commit overwrites it, SQLite takes it for committed at the
 * next start. Writing works even when the disk still cannot sync.
 */
function overwriteFailedCommit(db: Database.Database): void {
  try {
    const version = db.pragma('user_version', { simple: true }) as number;
    db.transaction(() => db.pragma(`user_version = ${version}`)).immediate();
  } catch (error) {
    // The caller gets the error of its own write. If this one could not be written either, the next one will be.
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}
