import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PostgresStore } from '../../src/store/postgres/account-store.ts';
import { openPostgresStores } from '../../src/store/postgres/open.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import { PostgresServer, type TestDatabase } from '../support/postgres/server.ts';
import { storeContract } from './store-contract.ts';

/** What this engine does not have yet. A method that is missing here does not compile. */
const lacks: Record<Exclude<keyof Store, keyof PostgresStore>, 'search'> = {
  findItems: 'search',
  locate: 'search',
  searchWords: 'search',
  searchVectors: 'search',
  readPassages: 'search',
  readSurroundings: 'search',
  sampleItem: 'search',
  listPassagesToEmbed: 'search',
  keepVectors: 'search',
  countVectors: 'search',
  listEmbedders: 'search',
  listNamesLike: 'search',
  rememberQuery: 'search',
  listPastQueries: 'search',
  forgetQueries: 'search',
};

/** A store on which a test that asks for a port that is not there is skipped, and says which. */
function skipping(store: PostgresStore, skip: (note: string) => never): Store {
  const asked: ProxyHandler<PostgresStore> = {
    get(target, key) {
      if (!Object.hasOwn(lacks, key)) return Reflect.get(target, key) as unknown;
      return skip(`no ${lacks[key as keyof typeof lacks]} on PostgreSQL yet`);
    },
  };
  return new Proxy(store, asked) as unknown as Store;
}

let server: PostgresServer;
let database: TestDatabase;
let ended = 0;

beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
});
afterAll(() => server.stop());

storeContract('postgres', () => ({
  async open(clock, skip) {
    let isSkipped = false;
    const skipTest = (note: string): never => {
      isSkipped = true;
      return skip(note);
    };
    const stores = await openPostgresStores({ url: database.url, clock });
    const open: Stores['open'] = async (writer) => skipping(await stores.open(writer), skipTest);
    const close = async (): Promise<void> => {
      if (!isSkipped) ended += 1;
      await stores.close();
    };
    return { ...stores, open, close } as unknown as Stores;
  },
  remove: () => database.empty(),
  lacksSearch: true,
}));

// Whoever adds a port raises the number.
it('ran what the ports that are there are held to', () => {
  expect(ended).toBeGreaterThanOrEqual(169);
});
