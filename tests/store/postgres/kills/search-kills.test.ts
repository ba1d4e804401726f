import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { saveAndProcess } from '../../contracts/items/store-items.ts';
import { ManualClock } from '../../../support/clock.ts';
import { PostgresServer, type TestDatabase } from '../../../support/postgres/server.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import type { Found, Question } from '../nodes/searching-node.ts';

/*
 * Accounts move between three nodes that are killed while they copy indexes, and while accounts change. Every answer has
 * exactly what was acknowledged before the question.
 *
 * SEARCH_KILLS=200 SEED=7 vitest run tests/store/postgres/kills/search-kills.test.ts: so many.
 */

const maxKills = Number(process.env['SEARCH_KILLS'] ?? 2);
const seed = Number(process.env['SEED'] ?? 1);
const word = 'gannet';
/** Several pages of passages. */
const passagesOfItem = 300;
const itemsOfAccount = 3;

let server: PostgresServer;
let database: TestDatabase;
let writer: Awaited<ReturnType<typeof openPostgresStores>>;
const folder = temporaryFolder();

beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
  writer = await openPostgresStores({ url: database.url, clock: new ManualClock() });
});
afterAll(async () => {
  await writer.close();
  await server.stop();
  await folder.remove();
});

/** Numbers from 0 to below 1, the same for the same seed. */
function randomNumbers(): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

class Node {
  readonly #folder: string;
  #process: ChildProcess;
  #isReady: Promise<unknown>;

  constructor(name: string) {
    this.#folder = join(folder.path, name);
    this.#process = this.#start();
    this.#isReady = once(this.#process, 'message');
  }

  #start(): ChildProcess {
    const program = fileURLToPath(new URL('../nodes/searching-node.ts', import.meta.url));
    return fork(program, [database.url, this.#folder], { execArgv: [] });
  }

  async send(question: Question): Promise<void> {
    await this.#isReady;
    this.#process.send(question);
  }

  async ask(question: Question): Promise<Found> {
    await this.#isReady;
    const answered = once(this.#process, 'message');
    const ended = once(this.#process, 'exit').then(() => {
      throw new Error('a node ended by itself');
    });
    ended.catch(() => undefined);
    this.#process.send(question);
    const [found] = (await Promise.race([answered, ended])) as [Found];
    return found;
  }

  async kill(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    this.#process = this.#start();
    this.#isReady = once(this.#process, 'message');
  }

  async end(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.send('end');
    await ended;
  }
}

it(
  'finds exactly the acknowledged items, wherever an account goes and whoever was killed during the copy',
  async () => {
    const random = randomNumbers();
    const below = (count: number): number => Math.floor(random() * count);
    const text = `${word} `.repeat(passagesOfItem);
    let saved = 0;
    const save = async (account: string, items: string[]): Promise<void> => {
      saved += 1;
      const store = await writer.open(account);
      const id = await saveAndProcess(store, `https://a.example/${saved}`, { text, passageLength: word.length + 1 });
      const passages = await store.listPassagesToEmbed('e', passagesOfItem, { contentId: id });
      expect(passages).toHaveLength(passagesOfItem);
      const vector = Float32Array.of(1, 0);
      await store.keepVectors(
        'e',
        passages.map(({ passageId }) => ({ passageId, vector })),
      );
      items.push(id);
    };
    const remove = async (account: string, items: string[]): Promise<void> => {
      const [gone] = items.splice(below(items.length), 1);
      await (await writer.open(account)).deleteContent(gone!);
    };
    const accounts: { account: string; items: string[] }[] = [];
    for (let n = 0; n < 2; n += 1) {
      const { id } = await writer.control.createAccount({ name: `a${n}`, plan: 'pro' });
      const items: string[] = [];
      while (items.length < itemsOfAccount) await save(id, items);
      accounts.push({ account: id, items });
    }
    const nodes = ['one', 'two', 'three'].map((name) => new Node(name));
    let questions = 0;
    try {
      for (let kills = 0; kills < maxKills;) {
        const { account, items } = accounts[below(accounts.length)]!;
        const node = nodes[below(nodes.length)]!;
        const change = below(4);
        if (change === 0 && items.length > 2) await remove(account, items);
        if (change === 1 && items.length < 2 * itemsOfAccount) await save(account, items);
        if (below(2) === 0) {
          // Copying takes some tenths of a second.
          await node.send({ account, word });
          await pause(below(300));
          await node.kill();
          kills += 1;
        }
        const found = await node.ask({ account, word });
        questions += 1;
        const expected = items.flatMap((id) => Array.from({ length: passagesOfItem }, () => id));
        expect(found.toSorted(), `seed ${seed}, question ${questions}`).toEqual(expected.toSorted());
      }
    } finally {
      await Promise.all(nodes.map((node) => node.end()));
    }
    if (process.env['SEARCH_KILLS'] !== undefined)
      process.stdout.write(`${maxKills} kills, ${questions} questions answered, seed ${seed}\n`);
  },
  30 * 60_000,
);
