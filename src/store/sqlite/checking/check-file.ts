import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { exportFromPreview, isOfPreview, presentVersion, schemaVersion } from '../files/migrate.ts';
import { openForReading } from '../files/open-database.ts';
import { accountSchema, controlSchema } from '../schema.ts';
import { rowSumsIn } from '../files/row-sums.ts';
import {
  checkDocuments,
  checkNumbers,
  checkOriginals,
  checkPassages,
  checkRows,
  checkSchema,
  checkVectors,
  type FileProblem,
  restoreBackup,
} from './check-records.ts';
import { indexAll } from '../items/indexed-words.ts';

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

/*
 * The full-text index stores no text, so SQLite can check only its structure. To check its contents, the passages are
 * indexed again in a temporary index. The number of passages and occurrences of each term are compared, the places of all
 * terms together, and the numbers of words of each passage.
 */

const columns = ['title', 'text', 'compounds'] as const;

interface Term {
  /** SQLite gives an empty term as null: that of `¯`, which the index knows as an accent without a letter. */
  term: string | null;
  col: (typeof columns)[number];
  doc: number;
  cnt: number;
}

const fix = 'Rebuild the index: commonplace reprocess --all --from split.';

function checkWords(db: Database.Database): FileProblem[] {
  const kept =
    db.prepare<[], { count: number }>('SELECT count(*) AS count FROM passage_words_docsize').get()?.count ?? 0;
  const missing = count(
    db,
    'SELECT count(*) AS count FROM passages WHERE id NOT IN (SELECT id FROM passage_words_docsize)',
  );
  const extra = count(
    db,
    'SELECT count(*) AS count FROM passage_words_docsize WHERE id NOT IN (SELECT id FROM passages)',
  );
  const problems: FileProblem[] = [];
  if (missing > 0) problems.push({ problem: `${missing} passages are not in the index of words`, fix });
  if (extra > 0) problems.push({ problem: `${extra} of ${kept} entries of the index of words are of no passage`, fix });
  problems.push(...compareWithNew(db));
  const titles = count(
    db,
    `SELECT count(*) AS count FROM items c LEFT JOIN documents d ON d.id = c.visible_document
       LEFT JOIN item_titles_content t ON t.id = c.seq
     WHERE t.c0 IS NOT CASE WHEN c.deleted_at IS NULL THEN coalesce(c.given_title, d.title) END`,
  );
  if (titles > 0) problems.push({ problem: `${titles} titles are not in the index of titles as they are shown`, fix });
  return problems;
}

function count(db: Database.Database, sql: string): number {
  return db.prepare<[], { count: number }>(sql).get()?.count ?? 0;
}

function compareWithNew(db: Database.Database): FileProblem[] {
  const made = db.prepare<[], { sql: string }>(`SELECT sql FROM sqlite_schema WHERE name = 'passage_words'`).get()?.sql;
  if (made === undefined) throw new Error('there is no index of words');
  // Temporary tables are not part of the account's file, so nothing is written to it.
  db.exec(`DROP TABLE IF EXISTS temp.words_expected;
    ${made.replace(/^CREATE VIRTUAL TABLE "?passage_words"?/, 'CREATE VIRTUAL TABLE temp.words_expected')};`);
  for (const [name, kind] of [
    ['terms', 'col'],
    ['places', 'instance'],
  ] as const)
    db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${name}_expected USING fts5vocab('temp', 'words_expected', '${kind}');
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.${name}_kept USING fts5vocab('main', 'passage_words', '${kind}');`);
  indexAll(db, 'temp.words_expected');
  const terms = (table: string) => db.prepare<[], Term>(`SELECT term, col, doc, cnt FROM temp.${table}`).iterate();
  const [expected, kept] = [terms('terms_expected'), terms('terms_kept')];
  let differing: number;
  try {
    differing = countDifferences(expected, kept);
  } finally {
    // An iterator that was not read to its end would keep the file open.
    expected.return?.();
    kept.return?.();
  }
  // A remainder, so that no place that damage has made overflows the sum.
  const places = (table: string) =>
    db.prepare(`SELECT sum((doc * 31 + "offset") * 40503 % 1000003 + length(col)) FROM temp.${table}`).pluck().get();
  const problems: FileProblem[] = [];
  if (differing > 0)
    problems.push({ problem: `${differing} words stand in other passages than the index of words says`, fix });
  else if (places('places_expected') !== places('places_kept'))
    problems.push({ problem: 'words stand at other places than the index of words says', fix });
  const sizes = count(
    db,
    `SELECT count(*) AS count FROM passage_words_docsize k JOIN temp.words_expected_docsize e ON e.id = k.id
     WHERE k.sz IS NOT e.sz`,
  );
  if (sizes > 0)
    problems.push({ problem: `${sizes} passages have another number of words than the index of words says`, fix });
  for (const name of ['terms', 'places']) db.exec(`DROP TABLE temp.${name}_kept; DROP TABLE temp.${name}_expected`);
  db.exec('DROP TABLE temp.words_expected');
  return problems;
}

/** Counts the terms that differ. Both inputs are sorted by the bytes of their terms, then by their columns. */
function countDifferences(expected: Iterator<Term>, kept: Iterator<Term>): number {
  let differing = 0;
  let [ours, theirs] = [expected.next(), kept.next()];
  while (ours.done !== true || theirs.done !== true) {
    const order = ours.done === true ? 1 : theirs.done === true ? -1 : compare(ours.value, theirs.value);
    if (order === 0 && ours.done !== true && theirs.done !== true) {
      if (ours.value.doc !== theirs.value.doc || ours.value.cnt !== theirs.value.cnt) differing += 1;
    } else differing += 1;
    if (order <= 0) ours = expected.next();
    if (order >= 0) theirs = kept.next();
  }
  return differing;
}

function compare(a: Term, b: Term): number {
  return (
    Buffer.compare(Buffer.from(a.term ?? ''), Buffer.from(b.term ?? '')) ||
    columns.indexOf(a.col) - columns.indexOf(b.col)
  );
}
