import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataFolder, type DataFolderOptions } from '../../../src/app/installations/data-folder.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { accountOf, type Writer } from '../../../src/domain/records/change.ts';
import type { Stores } from '../../../src/store/store.ts';
import { ManualClock } from '../../support/clock.ts';
import { putNewLibrary } from '../../support/store/new-library.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { StoreEngine } from './store-contract.ts';

/**
 * One data folder for a whole suite, whose threads need not be started for each test. What a test calls `local` is a separate account, which is
 * removed after it.
 */
export class SharedDataFolder {
  readonly #folder = temporaryFolder();
  readonly #options: Omit<DataFolderOptions, 'folder' | 'clock'>;
  #stores: Promise<Stores> | undefined;
  #clock: Clock = new ManualClock();

  constructor(options: Omit<DataFolderOptions, 'folder' | 'clock'>) {
    this.#options = options;
  }

  /** The engine of one test. */
  engine(): StoreEngine {
    return { open: (clock) => this.#open(clock), remove: () => Promise.resolve() };
  }

  async close(): Promise<void> {
    await (await this.#stores)?.close();
    await this.#folder.remove();
  }

  async #open(clock: Clock): Promise<Stores> {
    this.#clock = clock;
    this.#stores ??= this.#make();
    const stores = await this.#stores;
    const { id } = await stores.control.createAccount({ name: 'of a test', plan: 'pro' });
    const accounts = join(this.#folder.path, 'accounts');
    copyFileSync(join(accounts, 'local.db'), join(accounts, `${id}.db`));
    const mapped = (writer: Writer): Writer => {
      if (accountOf(writer) !== 'local') return writer;
      return typeof writer === 'string' ? id : { ...writer, account: id };
    };
    return {
      ...stores,
      open: (writer, signal) => stores.open(mapped(writer), signal),
      close: () => stores.removeAccount(id),
    };
  }

  async #make(): Promise<Stores> {
    await putNewLibrary(this.#folder.path);
    const clock: Clock = {
      now: () => this.#clock.now(),
      elapsed: () => this.#clock.elapsed(),
      uptime: () => this.#clock.uptime(),
      sleep: (...asked) => this.#clock.sleep(...asked),
    };
    return openDataFolder({ folder: this.#folder.path, clock, ...this.#options });
  }
}
