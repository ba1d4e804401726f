import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { explained } from '../../../src/store/sqlite/files/sqlite-errors.ts';

describe("the engine's errors", () => {
  it.each([
    ['SQLITE_BUSY_SNAPSHOT', /another process/i],
    ['SQLITE_FULL', /Free some space/],
    ['SQLITE_READONLY_DIRECTORY', /permissions/],
    ['SQLITE_NOMEM', /too little memory .* damaged/],
    ['SQLITE_CORRUPT_VTAB', /damaged, or its disk reports an error.*doctor --check/],
  ])('%s is reported with advice', (code, words) => {
    const told = explained(new Database.SqliteError('engine words', code));
    expect(told).toBeInstanceOf(AppError);
    expect(told).toMatchObject({ code: 'unavailable', message: expect.stringMatching(words) });
  });

  it.each([new Database.SqliteError('no such column: x', 'SQLITE_ERROR'), new TypeError('a bug')])(
    'a bug stays a bug: %s',
    (bug) => {
      expect(explained(bug)).toBe(bug);
    },
  );
});
