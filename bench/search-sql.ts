import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import { readCollection } from './retrieval/collection.ts';
import { mean, ndcg, percentile } from './retrieval/metrics.ts';
import { connect, type Pool } from '../src/store/postgres/database.ts';
import { PostgresServer, withStatistics } from '../tests/support/postgres/server.ts';
import { createRandom, question, wordByFrequency } from './search-account.ts';
import { createVectorSource } from './synthetic-vectors.ts';

/*
 * What searching in SQL would take, beside which `bench/search-engines.ts` stands with the copies that nodes keep:
 * `node bench/search-sql.ts [passages] [collections…]`. Words by BM25 over a table of postings with the account's own statistics, and by
 * `ts_rank` over `tsvector`; meaning by pgvector, exactly. Row-level security is on, as in the product. Nothing of what the product
 * does above that is in these figures: spelling, phrases, near duplicates, places in texts, the answer.
 */

const passages = Number(process.argv[2] ?? 10_000);
const collections = process.argv.slice(3);
const searches = 200;
const depth = 200;
const account = 'local';
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const schema = `
  CREATE EXTENSION IF NOT EXISTS vector;
  CREATE TABLE sql_passages (account_id text, id int, text text, words tsvector, length int, vector halfvec(384), PRIMARY KEY (account_id, id));
  CREATE TABLE sql_postings (account_id text, term text, passage int, frequency int, PRIMARY KEY (account_id, term, passage));
  CREATE TABLE sql_terms (account_id text, term text, passages int, PRIMARY KEY (account_id, term));
  ALTER TABLE sql_passages ENABLE ROW LEVEL SECURITY;
  ALTER TABLE sql_postings ENABLE ROW LEVEL SECURITY;
  ALTER TABLE sql_terms ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own ON sql_passages USING (account_id = current_setting('app.account', true));
  CREATE POLICY own ON sql_postings USING (account_id = current_setting('app.account', true));
  CREATE POLICY own ON sql_terms USING (account_id = current_setting('app.account', true));
  CREATE INDEX ON sql_passages USING gin (words);
  GRANT SELECT ON sql_passages, sql_postings, sql_terms TO PUBLIC;`;

/** BM25 with k1 = 1.2 and b = .75, as in FTS5; the inverse document frequency is Lucene's, which is never negative. */
const byPostings = `
  WITH asked AS (SELECT DISTINCT lexeme FROM unnest(to_tsvector('english', $2))),
    size AS (SELECT count(*) AS passages, avg(length) AS length FROM sql_passages WHERE account_id = $1),
    terms AS (SELECT t.term, ln(1 + (size.passages - t.passages + .5) / (t.passages + .5)) AS idf
      FROM sql_terms t JOIN asked ON asked.lexeme = t.term, size WHERE t.account_id = $1)
  SELECT p.passage AS id, sum(idf * p.frequency * 2.2 / (p.frequency + 1.2 * (.25 + .75 * d.length / size.length))) AS score
  FROM terms JOIN sql_postings p ON p.account_id = $1 AND p.term = terms.term
    JOIN sql_passages d ON d.account_id = $1 AND d.id = p.passage, size
  GROUP BY p.passage ORDER BY score DESC, id LIMIT ${depth}`;

const byRank = `
  SELECT id, ts_rank(words, asked) AS score
  FROM sql_passages, (SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS asked FROM unnest(to_tsvector('english', $2))) q
  WHERE account_id = $1 AND words @@ asked ORDER BY score DESC, id LIMIT ${depth}`;

const byMeaning = `SELECT id FROM sql_passages WHERE account_id = $1 ORDER BY vector <=> $2::halfvec LIMIT ${depth}`;

const server = await PostgresServer.start([...withStatistics, 'shared_buffers=512MB']);
const database = await server.createDatabase();
const admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
const node: Pool = connect({ url: database.url, maxConnections: 1 });

async function fill(texts: readonly string[], vectors: (() => Float32Array) | null): Promise<void> {
  await admin.unsafe('TRUNCATE sql_passages, sql_postings, sql_terms');
  for (let from = 0; from < texts.length; from += 500) {
    const part = texts.slice(from, from + 500);
    const of = part.map(() => (vectors === null ? null : `[${vectors().join(',')}]`));
    await admin.unsafe(
      `INSERT INTO sql_passages SELECT $1, $2::int + at - 1, text, to_tsvector('english', text), 0, vector::halfvec
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (text, vector, at)`,
      [account, from, part, of],
    );
  }
  await admin.unsafe(
    `INSERT INTO sql_postings SELECT account_id, lexeme, id, cardinality(positions) FROM sql_passages, unnest(words)`,
  );
  await admin.unsafe(`INSERT INTO sql_terms SELECT account_id, term, count(*) FROM sql_postings GROUP BY 1, 2`);
  await admin.unsafe(
    `UPDATE sql_passages p SET length = (SELECT coalesce(sum(cardinality(positions)), 0) FROM unnest(p.words))`,
  );
  await admin.unsafe('VACUUM ANALYZE sql_passages');
  await admin.unsafe('VACUUM ANALYZE sql_postings');
  await admin.unsafe('VACUUM ANALYZE sql_terms');
}

/** In a transaction that names the account, as every use of the store is. */
async function search(statement: string, about: string): Promise<string[]> {
  return node.begin(async (sql) => {
    await sql.unsafe(`SELECT set_config('app.account', $1, true)`, [account]);
    const rows = await sql.unsafe(statement, [account, about]);
    return rows.map(({ id }) => String(id));
  });
}

async function speed(): Promise<void> {
  const random = createRandom(1);
  const texts = Array.from({ length: passages }, () =>
    Array.from({ length: 150 }, () => wordByFrequency(random)).join(' '),
  );
  const vectors = createVectorSource('clustered', passages);
  await fill(texts, () => vectors.next());
  const asked = createRandom(42);
  const ways = {
    'words by postings': () => search(byPostings, question(asked)),
    'words by ts_rank': () => search(byRank, question(asked)),
    'meaning, exactly': () => search(byMeaning, `[${vectors.next().join(',')}]`),
  };
  const taken = new Map<string, number[]>();
  for (let n = 0; n < searches + 20; n += 1)
    for (const [name, way] of Object.entries(ways)) {
      const began = performance.now();
      await way();
      if (n >= 20) taken.set(name, [...(taken.get(name) ?? []), performance.now() - began]);
    }
  print(`${passages} passages in SQL`);
  for (const [name, times] of taken)
    print(`${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`);
  const [bytes] = await admin.unsafe(
    `SELECT pg_total_relation_size('sql_passages') AS passages, pg_total_relation_size('sql_postings') AS postings`,
  );
  print(
    `bytes a passage: ${Math.round(Number(bytes?.['passages']) / passages)}, and ${Math.round(Number(bytes?.['postings']) / passages)} of postings`,
  );
}

async function quality(folder: string): Promise<void> {
  const { documents, queries, judgements } = await readCollection(folder);
  await fill(
    documents.map(({ title, text }) => `${title} ${text}`),
    null,
  );
  for (const [name, statement] of Object.entries({ postings: byPostings, ts_rank: byRank })) {
    const scores = [];
    for (const { id, text } of queries) {
      const judged = judgements.get(id);
      if (judged === undefined) continue;
      const ranked = (await search(statement, text)).map((at) => documents[Number(at)]?.id ?? '');
      scores.push(ndcg(ranked, judged, 10));
    }
    print(`${basename(folder)}: nDCG@10 by ${name} ${mean(scores).toFixed(4)}`);
  }
}

try {
  await admin.unsafe(schema);
  await speed();
  for (const folder of collections) await quality(folder);
} finally {
  await Promise.all([admin.end(), node.end()]);
  await server.stop();
}
