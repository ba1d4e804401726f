import type Database from 'better-sqlite3';
import { indexAll } from '../writing/indexed-words.ts';
import type { FileProblem } from './finding.ts';

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
  // Until all passages are indexed anew, some have words in an earlier form.
  if (count(db, 'SELECT older_words AS count FROM libraries') > 0) return [];
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
