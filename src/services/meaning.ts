import type { Clock } from '../domain/clock.ts';
import { isVisiblyNotEnglish } from '../domain/question-language.ts';
import { isAbortError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Store } from '../store/store.ts';

export interface QuestionVector {
  embedderId: string;
  values: Float32Array;
  /** See `Embedder.unrelatedCosine`. */
  unrelatedCosine: number;
}

/** What a search knows of the question's meaning. */
export interface Meaning {
  /** Null where words decide alone. */
  vector: QuestionVector | null;
  /** Passages that still wait for a vector, when they are so many that words decide alone meanwhile; else 0. */
  passagesToEmbed: number;
}

const wordsAlone: Meaning = { vector: null, passagesToEmbed: 0 };

/** Below this share of passages with a vector, the few that have one would push the others down for no reason. */
const leastEmbedded = 0.9;
/** How long an account that was found ready counts as such: counting costs more than searching. */
const readyForMs = 60_000;

/** An English model makes noise of other languages, and noise pushes down what the words find. */
function understands({ languages }: Embedder, question: string): boolean {
  return languages === null || languages.some((language) => language !== 'en') || !isVisiblyNotEnglish(question);
}

/**
 * Embeds questions, for accounts whose passages have vectors to compare with. An embedder that fails costs a search
 * its meaning, never its answer.
 */
export function createMeaning(embedder: Embedder | null, clock: Clock, log: Log) {
  const readySince = new Map<string, number>();

  const countWaiting = async (store: Store, { id, languages }: Embedder): Promise<number> => {
    const since = readySince.get(store.accountId);
    if (since !== undefined && clock.now() - since < readyForMs) return 0;
    const { passages, embedded } = await store.countVectors(id, languages);
    if (embedded < passages * leastEmbedded) return passages - embedded;
    // Nothing to compare with is not ready: the first item changes that.
    if (embedded > 0) readySince.set(store.accountId, clock.now());
    return 0;
  };

  return {
    /** @param text null: meaning is not asked for */
    async ofQuestion(store: Store, text: string | null, signal: AbortSignal): Promise<Meaning> {
      if (embedder === null || text === null || !understands(embedder, text)) return wordsAlone;
      const passagesToEmbed = await countWaiting(store, embedder);
      if (passagesToEmbed > 0 || !readySince.has(store.accountId)) return { vector: null, passagesToEmbed };
      try {
        const values = await embedder.embedQuery(text, signal);
        return {
          vector: { embedderId: embedder.id, values, unrelatedCosine: embedder.unrelatedCosine ?? 0 },
          passagesToEmbed,
        };
      } catch (error) {
        if (signal.aborted || isAbortError(error)) throw error;
        log.warn({ err: error }, 'the question could not be embedded; words alone decide');
        return wordsAlone;
      }
    },
  };
}
