import type { Clock } from '../domain/clock.ts';
import { Turns } from '../domain/turns/fair-queue.ts';
import { ProcessingError } from '../errors.ts';
import type { Log } from '../workers/log.ts';
import type { Embedder } from '../models/embedding/index.ts';
import type { Store, Stores } from '../store/store.ts';

export interface EmbeddingParts {
  stores: Stores;
  embedder: Embedder;
  log: Log;
}

const betweenWalksMs = 10 * 60_000;

/** Passages that are embedded and stored together: at most this many are lost when the process dies. */
const usualBatch = 16;

/**
 * Embeds every passage that has no vector of this embedder, except those in languages that it does not know and those
 * that it refuses.
 * @param which `contentId`: passages of this item only; `limit`: at most this many; without them: all of the account
 * @returns how many passages got a vector
 */
export async function embedMissing(
  embedder: Embedder,
  store: Store,
  signal: AbortSignal,
  { contentId, limit = Number.POSITIVE_INFINITY }: { contentId?: string; limit?: number } = {},
): Promise<number> {
  let count = 0;
  let after = 0;
  while (count < limit) {
    const done = await embedBatch(embedder, store, signal, { contentId, after, limit: limit - count });
    if (done === null) break;
    // Do not count refused passages: a caller that comes back after `limit` would get the same ones again forever.
    count += done.count;
    after = done.last;
  }
  return count;
}

/** @returns how many passages got a vector, and the last one that was read; null when none is left after `after` */
async function embedBatch(
  embedder: Embedder,
  store: Store,
  signal: AbortSignal,
  { contentId, after, limit }: { contentId?: string | undefined; after: number; limit?: number },
): Promise<{ count: number; last: number } | null> {
  signal.throwIfAborted();
  const size = Math.min(embedder.passagesAtOnce ?? usualBatch, limit ?? Number.POSITIVE_INFINITY);
  const batch = await store.listPassagesToEmbed(embedder.id, size, { contentId, languages: embedder.languages, after });
  const last = batch.at(-1);
  if (last === undefined) return null;
  const vectors = await embedder.embedPassages(
    batch.map((passage) => passage.text),
    signal,
    store.accountId,
  );
  signal.throwIfAborted();
  if (vectors.length !== batch.length) {
    throw new ProcessingError(
      'embedding_failed',
      'The sentence model did not return a vector for every passage. Until it does, only words find this item.',
      { retryable: true },
    );
  }
  const embedded = batch.flatMap(({ passageId }, index) => {
    const vector = vectors[index];
    return vector === undefined || vector === null ? [] : [{ passageId, vector }];
  });
  await store.keepVectors(embedder.id, embedded);
  return { count: embedded.length, last: last.passageId };
}

/**
 * Embeds passages without a vector of this embedder: after a change of the model, or when search used words only
 * before. Search continues meanwhile, and items that are being processed get their vectors there. One walk over all
 * accounts, which take turns batch by batch. An account that fails is left to the next walk. Never rejects.
 */
export async function embedAllAccounts({ stores, embedder, log }: EmbeddingParts, signal: AbortSignal): Promise<void> {
  const done = new Map<string, { count: number; last: number }>();
  try {
    const turns = new Turns((await stores.control.listAccounts()).map(({ id }) => id));
    for (let accountId = turns.next(); accountId !== undefined; accountId = turns.next()) {
      const before = done.get(accountId) ?? { count: 0, last: 0 };
      try {
        const batch = await embedBatch(embedder, await stores.open(accountId), signal, { after: before.last });
        if (batch === null) {
          turns.done(accountId);
          const { count } = before;
          if (count > 0) log.info({ accountId, count }, 'passages got their vectors in the background');
        } else done.set(accountId, { count: before.count + batch.count, last: batch.last });
      } catch (error) {
        if (signal.aborted) return;
        turns.done(accountId);
        log.warn({ err: error, accountId }, 'passages could not be embedded in the background; trying again later');
      }
    }
  } catch (error) {
    log.warn({ err: error }, 'the accounts could not be listed for embedding; trying again later');
  }
}

/** Repeats `embedAllAccounts` every 10 minutes, in one process of those that share the records, until `signal` is aborted. */
export async function keepAllEmbedded(
  {
    takeTurn,
    clock,
    ...parts
  }: EmbeddingParts & { clock: Clock; takeTurn: (name: string, everyMs: number) => Promise<boolean> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const isOurs = await takeTurn('vectors', betweenWalksMs).catch(() => false);
    if (isOurs) await embedAllAccounts(parts, signal);
    await clock.sleep(betweenWalksMs, signal).catch(() => undefined);
  }
}
