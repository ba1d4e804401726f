import Database from 'better-sqlite3';

/**
 * Overwrites a transaction that failed at the end of its commit, by a commit that changes nothing.
 *
 * When the disk fails there, the whole transaction may stand in the write-ahead log, after the last valid commit. No
 * reader sees it. But if all processes end before the next commit overwrites it, SQLite takes it for committed at the
 * next start. Writing works even when the disk still cannot sync.
 */
export function overwriteFailedCommit(db: Database.Database): void {
  try {
    const version = db.pragma('user_version', { simple: true }) as number;
    db.transaction(() => db.pragma(`user_version = ${version}`)).immediate();
  } catch (error) {
    // The caller gets the error of its own write. If this one could not be written either, the next one will be.
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}
