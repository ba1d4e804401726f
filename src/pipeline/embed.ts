import type { Clock } from '../domain/clock.ts';
import { ProcessingError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedder.ts';
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
  const batchSize = embedder.passagesAtOnce ?? usualBatch;
  let count = 0;
  let after = 0;
  for (;;) {
    signal.throwIfAborted();
    if (count >= most) return count;
    const batch = await store.listPassagesToEmbed(embedder.id, Math.min(batchSize, most - count), {
      contentId,
      languages: embedder.languages,
      after,
    });
    const last = batch.at(-1);
    if (last === undefined) return count;
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
    after = last.passageId;
    // What is refused is not counted: who comes back after `most` would be given the same again for ever.
    count += embedded.length;
  }
}

/**
 * Embeds what another embedder left: after a change of model, or where search went by words alone before. Search goes
 * on meanwhile, and what is being processed gets its vectors there. One walk over all accounts; one that fails is
 * left to the next walk. Never rejects.
 */
export async function embedAllAccounts({ stores, embedder, log }: EmbeddingParts, signal: AbortSignal): Promise<void> {
  try {
    for (const { id } of await stores.control.listAccounts()) {
      try {
        const count = await embedMissing(embedder, await stores.open(id), signal);
        if (count > 0) log.info({ accountId: id, count }, 'passages got their vectors in the background');
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error, accountId: id }, 'passages could not be embedded in the background; trying again later');
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
