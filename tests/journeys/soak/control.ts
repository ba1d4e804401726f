import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';

/*
 * A server that does the same small work for every call, with nothing but Node and SQLite: what its answers take is what the machine
 * takes at that moment. The answers of Commonplace are measured against it. `node control.ts FILE` prints its port.
 */

/** Rows that each call reads: as much work as a middle call of Commonplace on a machine that does nothing else. */
const rows = 1_000;

const db = new Database(process.argv[2] ?? ':memory:');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = NORMAL');
db.pragma('journal_size_limit = 33554432');
db.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
const insert = db.prepare('INSERT OR REPLACE INTO texts (id, text) VALUES (?, ?)');
const textOf = (id: number, about: string): string =>
  JSON.stringify({ id, about, words: 'persistence pays off '.repeat(20) });
db.transaction(() => {
  for (let id = 0; id < rows; id += 1) insert.run(id, textOf(id, 'first'));
}).immediate();
const readAll = db.prepare<[], string>('SELECT text FROM texts').pluck();

/** One row is written, all are read, parsed and hashed. */
const work = db.transaction((at: number, about: string): string => {
  insert.run(at % rows, textOf(at % rows, about));
  const hash = createHash('sha256');
  for (const found of readAll.all()) hash.update(JSON.stringify(JSON.parse(found)));
  return hash.digest('hex');
});

let calls = 0;
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { about } = JSON.parse(await text(request)) as { about: string };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ hash: work.immediate((calls += 1), about) }));
}

const server = createServer((request, response) => void answer(request, response));
// A client that waits its turn on a busy machine finds its connection still open.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
