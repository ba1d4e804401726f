import { truncateSync } from 'node:fs';
import { unavailable } from '../../../errors.ts';
import { closedFolder, FileChangedError, whenFree } from './sqlite-errors.ts';
import type { FileState } from './file-state.ts';
import type { SqliteFile } from './sqlite-file.ts';

const replacedLog =
  'Another process writes to this library in files that were removed or replaced while Commonplace was using them. ' +
  'Nothing is saved until every Commonplace that uses this data folder is stopped and started again.';

/**
 * `recover`: copies all commits from the log into the file before closing it. `close`: leaves that to another thread.
 */
export type OnChange = 'recover' | 'close';

/**
 * A database file that is opened on first use. When its path no longer leads to it (the folder was moved, a file
 * removed or replaced), it is closed without losing commits, and the next use opens the file that is at the path then.
 */
export class WatchedFile {
  readonly #path: string;
  readonly #onChange: OnChange;
  readonly #open: () => SqliteFile;
  readonly #releaseElsewhere: () => Promise<void>;
  #file: SqliteFile | null = null;
  #isClosed = false;
  #lettingGo: Promise<void> | null = null;

  /**
   * @param releaseElsewhere closes the file in the other threads of this process, which share the log's index in SQLite
   */
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
   * Use the file at once and never keep it across an `await`.
   * @throws {FileChangedError} when the file is being closed: call again after the error's `settled`
   */
  use(): SqliteFile {
    if (this.#isClosed) throw closedFolder();
    if (this.#lettingGo !== null) throw new FileChangedError(this.#lettingGo);
    this.#file ??= this.#openNow();
    const state = this.#file.state();
    if (state === 'same') return this.#file;
    if (this.#onChange === 'close') {
      this.#closeFile();
      throw new FileChangedError();
    }
    if (state === 'log_replaced') throw unavailable(replacedLog);
    this.#lettingGo = this.#letGo(this.#file, state).finally(() => (this.#lettingGo = null));
    throw new FileChangedError(this.#lettingGo);
  }

  close(): void {
    this.#isClosed = true;
    this.#closeFile();
  }

  #openNow(): SqliteFile {
    const file = this.#open();
    // Nobody keeps a file across an `await`. So others get at it in between, and it is shared again once there is room.
    if (file.isAlone) setImmediate(() => this.#file === file && this.#lettingGo === null && this.#closeFile());
    return file;
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
      // The deleted log alone holds the last commits: keep the file open, so that the next use tries again.
      if (state === 'log_gone') throw error;
    }
    if (this.#file !== file) return;
    // A truncated file is whole again if its log held every page. Otherwise empty it: a part is not a usable library.
    const isWhole = state !== 'emptied' || file.isWhole();
    this.#closeFile();
    if (!isWhole) truncateSync(this.#path, 0);
  }
}
