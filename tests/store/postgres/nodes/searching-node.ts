import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../../../src/errors.ts';
import { indexMethods } from '../../../../src/app/index-methods.ts';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { ManualClock } from '../../../support/clock.ts';

/* A node in a process of its own (`search-kills.test.ts`) that answers questions until it is killed or told to end. */

export interface Question {
  account: string;
  word: string;
}

/** The items that were found, one for each passage. */
export type Found = string[];

async function answer(url: string, folder: string): Promise<void> {
  const clock = new ManualClock();
  const index = { folder, maxBytes: 1e9, indexMethods: indexMethods() };
  const stores = await openPostgresStores({ url, clock, index, maxConnections: 4 });
  const find = async ({ account, word }: Question): Promise<Found> => {
    const store = await stores.open(account);
    for (;;)
      try {
        return (await store.searchWords(word, {}, 100_000)).map(({ contentId }) => contentId);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
        await pause(5);
      }
  };
  process.on('message', (asked: Question | 'end') => {
    if (asked === 'end') void stores.close().then(() => process.disconnect());
    else void find(asked).then((found) => process.send?.(found));
  });
  process.send?.('ready');
}

const [, program = '', url = '', folder = ''] = process.argv;
if (import.meta.url === pathToFileURL(program).href) await answer(url, folder);
