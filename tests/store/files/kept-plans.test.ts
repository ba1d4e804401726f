import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { withKeptPlan } from '../../../src/store/sqlite/files/sqlite-file.ts';

describe('a statement with a fixed plan', () => {
  it('has a plus before each parameter that SQLite would inspect, and nothing else', () => {
    expect(withKeptPlan('SELECT a FROM t WHERE b = ? AND c IS @c AND d=? AND e <= ? LIMIT ? OFFSET @skip')).toBe(
      'SELECT a FROM t WHERE b = +? AND c IS +@c AND d=+? AND e <= ? LIMIT +? OFFSET +@skip',
    );
    const others = `INSERT INTO t (a, b) VALUES (?, @b); SELECT a = 1, b IS NOT ? FROM t WHERE a IN (SELECT value FROM json_each(?)) AND isis_limit < ?`;
    expect(withKeptPlan(others)).toBe(others);
  });

  it('finds the same rows with the same index', () => {
    const db = new Database(':memory:');
    db.exec('CREATE TABLE t (a INTEGER, b TEXT); CREATE INDEX t_by_b ON t (b, a)');
    for (const [a, b] of [
      [0, 'x'],
      [1, 'x'],
      [2, null],
      [3, '4'],
    ])
      db.prepare('INSERT INTO t VALUES (?, ?)').run(a, b);
    const sql = 'SELECT a FROM t WHERE b IS ? ORDER BY a LIMIT ?';
    for (const [b, limit] of [
      ['x', 1],
      ['x', 9],
      [null, 9],
      ['4', 9],
      [4, 9],
      ['y', 9],
    ]) {
      expect(db.prepare(withKeptPlan(sql)).all(b, limit)).toEqual(db.prepare(sql).all(b, limit));
    }
    const plan = (asked: string) => db.prepare(`EXPLAIN QUERY PLAN ${asked}`).all('x', 1);
    expect(plan(withKeptPlan(sql))).toEqual(plan(sql));
    db.close();
  });
});
