import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { fuseRankings } from '../src/search/ranking.ts';
import { queryTerms } from '../src/domain/search/index-terms.ts';
import { dimensions } from './synthetic-vectors.ts';

/** The same search as FTS5 and `vec0` do it out of the box: every word of the question, floats, one thread. */
export function openBaseline(accountFile: string, vectorFile: string) {
  const isNew = !existsSync(vectorFile);
  const db = new Database(vectorFile);
  db.pragma('journal_mode = OFF');
  db.pragma('mmap_size = 2147418112');
  loadVectorFunctions(db);
  db.prepare('ATTACH ? AS account').run(accountFile);
  if (isNew) fillVectors(db);
  const byWords = db.prepare<[string, number], { passageId: number; contentId: string; score: number }>(
    `SELECT hit.passageId, c.id AS contentId, -hit.score AS score FROM (
       SELECT rowid AS passageId, bm25(passage_words, 2.0, 1.0) AS score FROM account.passage_words
       WHERE passage_words MATCH ? ORDER BY bm25(passage_words, 2.0, 1.0) LIMIT ?) hit
     JOIN account.passages p ON p.id = hit.passageId JOIN account.items c ON c.seq = p.item`,
  );
  const byMeaning = db.prepare<[Float32Array, number], { passageId: number; contentId: string; score: number }>(
    `SELECT hit.rowid AS passageId, c.id AS contentId, 1 - hit.distance * hit.distance / 2 AS score
     FROM (SELECT rowid, distance FROM rows WHERE embedding MATCH ? AND k = ?) hit
     JOIN account.passages p ON p.id = hit.rowid JOIN account.items c ON c.seq = p.item`,
  );
  const read = db.prepare(
    `SELECT p.*, d.title, c.url FROM json_each(?) wanted JOIN account.passages p ON p.id = wanted.value
     JOIN account.items c ON c.seq = p.item JOIN account.documents d ON d.id = p.document`,
  );
  return {
    /** @param depth how many passages are taken from each ranking */
    search(query: string, vector: Float32Array, depth: number): number {
      const terms = queryTerms(query);
      const hits = byWords.all(terms.map(({ text }) => `"${text}"`).join(' OR '), depth);
      const fused = fuseRankings(
        hits.map((hit) => ({ ...hit, score: hit.score / 30 })),
        byMeaning.all(vector, depth),
      );
      return read.all(JSON.stringify(fused.slice(0, 30).map(({ passageId }) => passageId))).length;
    },
    close: () => db.close(),
  };
}

function fillVectors(db: Database.Database): void {
  db.exec(`CREATE VIRTUAL TABLE rows USING vec0(embedding float[${dimensions}])`);
  const insert = db.prepare('INSERT INTO rows (rowid, embedding) VALUES (?, ?)');
  const vector = new Float32Array(dimensions);
  db.transaction(() => {
    for (let after = 0; ;) {
      const page = db
        .prepare<[number], { passage: number; scale: number; components: Buffer }>(
          'SELECT passage, scale, components FROM account.vectors WHERE passage > ? ORDER BY passage LIMIT 1000',
        )
        .all(after);
      for (const { passage, scale, components } of page) {
        for (let index = 0; index < dimensions; index += 1) vector[index] = components.readInt8(index) * scale;
        insert.run(BigInt(passage), vector);
      }
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.passage;
    }
  })();
}
