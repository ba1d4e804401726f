import type { Clock } from '../domain/clock.ts';
import { isAbortError, ProcessingError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Store, Stores } from '../store/store.ts';

/** Passages whose vectors are computed and kept together: what is lost at most when the process dies. */
const batchSize = 32;

/**
 * Gives every passage that has no vector of this embedder one, except those in languages that it does not know.
 * @param contentId of this item alone; undefined: of the whole account
 * @returns how many there were
 */
export async function embedMissing(
  embedder: Embedder,
  store: Store,
  signal: AbortSignal,
  contentId?: string,
): Promise<number> {
  let count = 0;
  let after = 0;
  for (;;) {
    signal.throwIfAborted();
    const batch = await store.listPassagesToEmbed(embedder.id, batchSize, {
      contentId,
      languages: embedder.languages,
      after,
    });
    const last = batch.at(-1);
    if (last === undefined) return count;
    const vectors = await embedder.embedPassages(
      batch.map((passage) => passage.text),
      signal,
    );
    signal.throwIfAborted();
    if (vectors.length !== batch.length) {
      throw new ProcessingError(
        'embedding_failed',
        'The sentence model did not answer for every passage. It is tried again; until then this is found by its words.',
        { retryable: true },
      );
    }
    await store.keepVectors(
      embedder.id,
      batch.flatMap(({ passageId }, index) => {
        const vector = vectors[index];
        return vector === undefined ? [] : [{ passageId, vector }];
      }),
    );
    after = last.passageId;
    count += batch.length;
  }
}

/**
 * Embeds in the background what another embedder left: after a change of model, or where search went by words alone
 * before. Search goes on meanwhile. One walk over all accounts; an account that fails is tried again at the next start.
 */
export async function embedAllAccounts(
  parts: { stores: Stores; embedder: Embedder; clock: Clock; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const { stores, embedder, log } = parts;
  for (const { id } of await stores.control.listAccounts()) {
    try {
      const store = await stores.open(id);
      // What is being processed right now gets its vectors there; asked too early, the work would be done twice.
      while ((await store.countUnfinishedJobs()) > 0) await parts.clock.sleep(1_000, signal);
      const count = await embedMissing(embedder, store, signal);
      if (count > 0) log.info({ accountId: id, count }, 'passages got their vectors in the background');
    } catch (error) {
      if (signal.aborted || isAbortError(error)) return;
      log.warn({ err: error, accountId: id }, 'passages could not be embedded in the background');
    }
  }
}
