import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { exportFromPreview, isOfPreview, presentVersion, schemaVersion } from '../files/migrate.ts';
import { openForReading } from '../files/open-database.ts';
import { accountSchema, controlSchema } from '../schema.ts';
import { rowSumsIn } from '../files/row-sums.ts';
import { checkDocuments, checkOriginals, checkPassages, checkVectors } from './check-contents.ts';
import { checkNumbers, checkRows, checkSchema } from './check-rows.ts';
import { checkWords } from './check-words.ts';
import { type FileProblem, restoreBackup } from './finding.ts';

/** Limit of structural problems reported for one file: the first ones are enough. */
const maxStructureProblems = 20;

const olderVersion = 'it is from an older version, so its structure alone was checked';

/** True if a finding only says that the file is from an older version: that is no damage. */
export function isOfOlderVersion({ problem }: FileProblem): boolean {
  return problem === olderVersion;
}

/**
 * Checks one file for damage. Reads one snapshot and writes nothing, so other processes can write meanwhile. Their
 * write-ahead log grows until the check ends.
 */
export function checkFile(path: string, kind: 'control' | 'account'): FileProblem[] {
  if (!existsSync(path)) return [{ problem: 'the file is missing', fix: restoreBackup }];
  let db: Database.Database | undefined;
  try {
    db = openForReading(path, 5_000);
    loadVectorFunctions(db);
    db.exec('BEGIN');
    return checkOpened(db, kind);
  } catch (error) {
    return [unreadable(error)];
  } finally {
    db?.close();
  }
}

function checkOpened(db: Database.Database, kind: 'control' | 'account'): FileProblem[] {
  const schema = kind === 'control' ? controlSchema : accountSchema;
  const version = schemaVersion(db);
  if (isOfPreview(version)) return [{ problem: 'a preview of Commonplace wrote it', fix: exportFromPreview }];
  if (version > presentVersion(schema))
    return [{ problem: 'it was written by a newer version of Commonplace', fix: 'Check it with that version.' }];
  const problems = checkStructure(db);
  if (version < presentVersion(schema)) {
    const fix = 'Start Commonplace once to bring it up to date, then check again.';
    return [...problems, { problem: olderVersion, fix }];
  }
  problems.push(...unlessUnreadable(() => checkSchema(db, schema)));
  const changed = [...rowSumsIn(db)].flatMap(([table, sum]) => unlessUnreadable(() => checkRows(db, table, sum)));
  problems.push(...changed);
  if (kind === 'control') return problems;
  for (const check of [checkNumbers, checkOriginals, checkDocuments, checkPassages, checkVectors])
    problems.push(...unlessUnreadable(() => check(db)));
  // Rows that have changed are not what was indexed.
  if (changed.length === 0) problems.push(...unlessUnreadable(() => checkWords(db)));
  return problems;
}

function checkStructure(db: Database.Database): FileProblem[] {
  const problems: FileProblem[] = [];
  problems.push(
    ...unlessUnreadable(() => {
      // SQLite's messages name tables, indexes and pages, and contain no stored data.
      const rows = db.pragma(`integrity_check(${maxStructureProblems})`) as { integrity_check: string }[];
      const found = rows.map((row) => row.integrity_check).filter((problem) => problem !== 'ok');
      if (found.length === 0) return [];
      const shown = found.map((problem) => problem.replaceAll(/\s+/g, ' ').slice(0, 200)).join('; ');
      return [{ problem: `its structure is damaged: ${shown}`, fix: restoreBackup }];
    }),
  );
  problems.push(
    ...unlessUnreadable(() => {
      const broken = db.prepare<[], { table: string }>('SELECT DISTINCT "table" FROM pragma_foreign_key_check').all();
      if (broken.length === 0) return [];
      const tables = broken.map(({ table }) => table).join(', ');
      return [{ problem: `records that belong to others which are gone, in ${tables}`, fix: restoreBackup }];
    }),
  );
  return problems;
}

function unlessUnreadable(check: () => FileProblem[]): FileProblem[] {
  try {
    return check();
  } catch (error) {
    return [unreadable(error)];
  }
}

/** Turns an SQLite error into a finding. Other errors are bugs and are thrown again. */
function unreadable(error: unknown): FileProblem {
  if (!(error instanceof Database.SqliteError)) throw error;
  if (/^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(error.code)) {
    const fix =
      'Check the permissions of its folder; one that cannot be written to has to be copied and checked there.';
    return { problem: `it cannot be opened (${error.code})`, fix };
  }
  return { problem: `a part of it cannot be read (${error.code})`, fix: restoreBackup };
}
