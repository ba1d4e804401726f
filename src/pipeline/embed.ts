import type { Clock } from '../domain/clock.ts';
import { Turns } from '../domain/turns/turns.ts';
import { ProcessingError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedding/embedder.ts';
import type { Store, Stores } from '../store/store.ts';

export interface EmbeddingParts {
  stores: Stores;
  embedder: Embedder;
  log: Log;
}

const betweenWalksMs = 10 * 60_000;

/** Passages whose vectors are computed and kept together: what is lost at most when the process dies. */
const usualBatch = 16;

/**
 * Gives every passage that has no vector of this embedder one, except those in languages that it does not know and those that
 * it refuses.
 * @param which of one item alone, and at most so many; without it: all of the whole account
 * @returns how many got one
 */
export async function embedMissing(
  embedder: Embedder,
  store: Store,
  signal: AbortSignal,
  { contentId, most = Number.POSITIVE_INFINITY }: { contentId?: string; most?: number } = {},
): Promise<number> {
  let count = 0;
  let after = 0;
  while (count < most) {
    const done = await embedBatch(embedder, store, signal, { contentId, after, most: most - count });
    if (done === null) break;
    // What is refused is not counted: who comes back after `most` would be given the same again for ever.
    count += done.count;
    after = done.last;
  }
  return count;
}

/** @returns how many passages got a vector, and the last one that was looked at; null when none is left behind `after` */
async function embedBatch(
  embedder: Embedder,
  store: Store,
  signal: AbortSignal,
  { contentId, after, most }: { contentId?: string | undefined; after: number; most?: number },
): Promise<{ count: number; last: number } | null> {
  signal.throwIfAborted();
  const size = Math.min(embedder.passagesAtOnce ?? usualBatch, most ?? Number.POSITIVE_INFINITY);
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
      'The sentence model did not answer for every passage. Until it does, this is found by its words.',
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
 * Embeds what another embedder left: after a change of model, or where search went by words alone before. Search goes
 * on meanwhile, and what is being processed gets its vectors there. One walk over all accounts, which take turns batch by batch;
 * one that fails is left to the next walk. Never rejects.
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

/** Walks over all accounts again and again until it is stopped. */
export async function keepAllEmbedded(parts: EmbeddingParts & { clock: Clock }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await embedAllAccounts(parts, signal);
    await parts.clock.sleep(betweenWalksMs, signal).catch(() => undefined);
  }
}
