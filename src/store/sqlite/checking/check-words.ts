import type Database from 'better-sqlite3';
import { indexedText } from '../../../domain/search/index-terms.ts';
import type { FileProblem } from './finding.ts';

/*
 * The full-text index stores no text, so SQLite can check only its structure. To check its contents, the passages are
 * indexed again in a temporary index, and the number of passages and occurrences of each term are compared.
 */

interface Term {
  /** SQLite gives an empty term as null: that of `¯`, which the index knows as an accent without a letter. */
  term: string | null;
  doc: number;
  cnt: number;
}

const fix = 'Make the index anew: commonplace reprocess --all --from split.';

export function checkWords(db: Database.Database): FileProblem[] {
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
  const differing = countDifferingTerms(db);
  if (differing > 0)
    problems.push({ problem: `${differing} words stand in other passages than the index of words says`, fix });
  const titles = count(
    db,
    `SELECT count(*) AS count FROM content c LEFT JOIN documents d ON d.id = c.visible_document
       LEFT JOIN item_titles_content t ON t.id = c.seq
     WHERE t.c0 IS NOT CASE WHEN c.deleted_at IS NULL THEN coalesce(c.given_title, d.title) END`,
  );
  if (titles > 0) problems.push({ problem: `${titles} titles are not in the index of titles as they are shown`, fix });
  return problems;
}

function count(db: Database.Database, sql: string): number {
  return db.prepare<[], { count: number }>(sql).get()?.count ?? 0;
}

function countDifferingTerms(db: Database.Database): number {
  // Until all passages are indexed anew, some have words in an earlier form.
  if (count(db, 'SELECT older_words AS count FROM file_state') > 0) return 0;
  const made = db.prepare<[], { sql: string }>(`SELECT sql FROM sqlite_schema WHERE name = 'passage_words'`).get()?.sql;
  if (made === undefined) throw new Error('there is no index of words');
  // Temporary tables are not part of the account's file, so nothing is written to it.
  db.exec(`DROP TABLE IF EXISTS temp.words_expected;
    ${made.replace(/^CREATE VIRTUAL TABLE "?passage_words"?/, 'CREATE VIRTUAL TABLE temp.words_expected')};
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms_expected USING fts5vocab('temp', 'words_expected', 'col');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms_kept USING fts5vocab('main', 'passage_words', 'col');`);
  const add = db.prepare(`INSERT INTO temp.words_expected (rowid, title, text) VALUES (?, '', ?)`);
  const passages = db.prepare<[number], { id: number; text: string; language: string | null }>(
    `SELECT p.id, p.text, d.language FROM passages p JOIN documents d ON d.id = p.document
     WHERE p.id > ? ORDER BY p.id LIMIT 500`,
  );
  // Read in batches, because nothing can be written while rows are being read.
  for (let rows = passages.all(-1); rows.length > 0; rows = passages.all(rows.at(-1)?.id ?? 0))
    for (const { id, text, language } of rows) add.run(id, indexedText(text, language));
  // Titles are left out: older versions indexed less of them.
  const terms = (table: string) =>
    db.prepare<[], Term>(`SELECT term, doc, cnt FROM temp.${table} WHERE col = 'text'`).iterate();
  const [expected, kept] = [terms('terms_expected'), terms('terms_kept')];
  let differing: number;
  try {
    differing = countDifferences(expected, kept);
  } finally {
    // An iterator that was not read to its end would keep the file open.
    expected.return?.();
    kept.return?.();
  }
  db.exec('DROP TABLE temp.terms_kept; DROP TABLE temp.terms_expected; DROP TABLE temp.words_expected');
  return differing;
}

/** Counts the terms that differ. Both inputs are sorted by the bytes of their terms. */
function countDifferences(expected: Iterator<Term>, kept: Iterator<Term>): number {
  let differing = 0;
  let [ours, theirs] = [expected.next(), kept.next()];
  while (ours.done !== true || theirs.done !== true) {
    const order =
      ours.done === true ? 1 : theirs.done === true ? -1 : Buffer.compare(bytesOf(ours.value), bytesOf(theirs.value));
    if (order === 0 && ours.done !== true && theirs.done !== true) {
      if (ours.value.doc !== theirs.value.doc || ours.value.cnt !== theirs.value.cnt) differing += 1;
    } else differing += 1;
    if (order <= 0) ours = expected.next();
    if (order >= 0) theirs = kept.next();
  }
  return differing;
}

function bytesOf({ term }: Term): Buffer {
  return Buffer.from(term ?? '');
}
