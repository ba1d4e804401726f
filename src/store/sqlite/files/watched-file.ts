import { truncateSync } from 'node:fs';
import { AppError } from '../../../errors.ts';
import { whenFree } from './busy.ts';
import type { FileState } from './file-state.ts';
import type { SqliteFile } from './sqlite-file.ts';
import { closedFolder, FileChangedError } from './sqlite-errors.ts';

const replacedLog =
  'Another process writes to this library in files that were removed or replaced while Commonplace was using them. ' +
  'Nothing is saved until every Commonplace that uses this data folder is stopped and started again.';

/** Whether this thread brings what was committed into safety, or leaves that to another and only closes the file. */
export type OnChange = 'recover' | 'close';

/**
 * A database file that is opened when it is used. When its name no longer leads to it (the folder was moved, a file removed or
 * replaced), it is let go of without losing what was committed, and whatever stands there then is opened.
 */
export class WatchedFile {
  readonly #path: string;
  readonly #onChange: OnChange;
  readonly #open: () => SqliteFile;
  readonly #releaseElsewhere: () => Promise<void>;
  #file: SqliteFile | null = null;
  #isClosed = false;
  #lettingGo: Promise<void> | null = null;

  /** @param releaseElsewhere closes what other threads of this process have open of it: SQLite shares the log's index among them */
  constructor(
    path: string,
    open: () => SqliteFile,
    onChange: OnChange = 'recover',
    releaseElsewhere = (): Promise<void> => Promise.resolve(),
  ) {
    this.#path = path;
    this.#open = open;
    this.#onChange = onChange;
    this.#releaseElsewhere = releaseElsewhere;
  }

  /**
   * To be used at once and never kept across an `await`.
   * @throws {FileChangedError} when it has to be asked for again
   */
  use(): SqliteFile {
    if (this.#isClosed) throw closedFolder();
    if (this.#lettingGo !== null) throw new FileChangedError(this.#lettingGo);
    this.#file ??= this.#open();
    const state = this.#file.state();
    if (state === 'same') return this.#file;
    if (this.#onChange === 'close') {
      this.#closeFile();
      throw new FileChangedError();
    }
    if (state === 'log_replaced') throw new AppError('unavailable', replacedLog);
    this.#lettingGo = this.#letGo(this.#file, state).finally(() => (this.#lettingGo = null));
    throw new FileChangedError(this.#lettingGo);
  }

  /** For good. */
  close(): void {
    this.#isClosed = true;
    this.#closeFile();
  }

  #closeFile(): void {
    this.#file?.close();
    this.#file = null;
  }

  async #letGo(file: SqliteFile, state: FileState): Promise<void> {
    await this.#releaseElsewhere();
    try {
      await whenFree(() => this.#file === file && file.emptyLog());
    } catch (error) {
      // Its log is the only place of what was committed last: the file stays open, and the next use tries again.
      if (state === 'log_gone') throw error;
    }
    if (this.#file !== file) return;
    // Where the log had every page, the file is whole again. Else a part of it would be taken for the library.
    const isWhole = state !== 'emptied' || file.isWhole();
    this.#closeFile();
    if (!isWhole) truncateSync(this.#path, 0);
  }
}
