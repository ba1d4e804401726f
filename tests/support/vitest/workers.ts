import { doMaintenance } from '../../../src/pipeline/maintenance.ts';
import type { RunStage } from '../../../src/pipeline/queue/run-job.ts';
import {
  QueueWorker,
  type QueueWorkerParts,
  type QueueWorkerSettings,
} from '../../../src/pipeline/queue/queue-worker.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { ManualClock } from '../clock.ts';
import { openStores, rememberingLog, type TestStores } from '../store/stores.ts';
import { textWork } from '../texts/text-work.ts';

export const leaseMs = 60_000;

/** Real stores, a clock that stands still, and workers that are stopped with them. */
export interface Workshop extends TestStores {
  clock: ManualClock;
  log: ReturnType<typeof rememberingLog>;
  workerWith(
    runStage: RunStage,
    settings?: Partial<QueueWorkerSettings>,
    stores?: Stores,
    hosts?: QueueWorkerParts['hosts'],
    checkers?: QueueWorkerParts['checkers'],
  ): QueueWorker;
}

export async function openWorkshop(): Promise<Workshop> {
  const clock = new ManualClock();
  const log = rememberingLog();
  const opened = await openStores(clock);
  const workers: QueueWorker[] = [];
  return {
    ...opened,
    clock,
    log,
    workerWith(runStage, settings = {}, stores = opened.stores, hosts = { busyHosts: () => [] }, checkers) {
      const worker = new QueueWorker({
        stores,
        runStage,
        takeTurn: () => Promise.resolve(true),
        doMaintenance: (store, signal) => doMaintenance(store, textWork, signal),
        hosts,
        checkers,
        clock,
        log,
        random: () => 0.5,
        settings: { concurrency: 2, maxAttempts: 3, leaseMs, pollMs: 1_000, ...settings },
      });
      workers.push(worker);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await opened.close();
    },
  };
}

/** The same stores, except for what `change` does to each account's. */
export function withChangedStore(stores: Stores, change: (store: Store) => Partial<Store>): Stores {
  return {
    ...stores,
    open: async (accountId) => {
      const store = await stores.open(accountId);
      return Object.assign(Object.create(store) as Store, bound(store), change(store));
    },
  };
}

/** The store's own methods, tied to it: it keeps its state where only it can see it. */
function bound(store: Store): Partial<Store> {
  const methods: Record<string, unknown> = { accountId: store.accountId };
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(store))) {
    const method: unknown = name === 'constructor' ? undefined : Reflect.get(store, name);
    if (typeof method === 'function') methods[name] = method.bind(store);
  }
  return methods;
}

/** Lets everything that is under way go on until the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
