import type { Clock } from '../../domain/clock.ts';
import { isVisiblyEnglish, isVisiblyNotEnglish } from '../../domain/search/question-language.ts';
import { isAbortError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Embedder } from '../../models/embedding/embedder.ts';
import type { QuestionVector } from '../../store/search-records.ts';
import type { Store } from '../../store/store.ts';

/** What a search knows of the question's meaning. */
export interface Meaning {
  /** Null where words decide alone. */
  vector: QuestionVector | null;
  /** Passages that still wait for a vector: until then only their words find them. */
  passagesToEmbed: number;
}

const nobody = { embedders: [], everyPassage: false, known: 1 };
const wordsAlone: Meaning = { vector: null, passagesToEmbed: 0 };

/**
 * From this share of passages with a vector on, meaning makes search better and not worse: what has none is judged by its words
 * (`bench/part-embedded.ts`, docs/decisions/0008-fusion.md).
 */
export const minEmbedded = 0.8;
/** How long it stays settled who embeds an account's questions: counting costs more than searching. */
const settledForMs = 60_000;
/** The same while passages are embedded anew. */
const settledMeanwhileMs = 5_000;

/** Where fewer of the passages are in the model's languages, a question is taken to be in another unless it shows that it is not. */
const minKnown = 0.1;

/**
 * An English model makes noise of other languages, and noise pushes down what the words find.
 * @param known the share of the account's passages that are in the model's languages
 */
export function understands({ languages }: Pick<Embedder, 'languages'>, question: string, known: number): boolean {
  if (languages === null || languages.some((language) => language !== 'en')) return true;
  return known < minKnown ? isVisiblyEnglish(question) : !isVisiblyNotEnglish(question);
}

/** Who embeds an account's questions, the embedder of the settings first; nobody where words decide alone. */
interface Answering {
  embedders: readonly Embedder[];
  /** See `QuestionVector`. */
  everyPassage: boolean;
  /** The share of passages in languages that the embedder knows. */
  known: number;
  passagesToEmbed: number;
}

/**
 * Embeds questions, for accounts whose passages have vectors to compare with. While passages are embedded anew, those that still have
 * the vectors of another embedder are compared by that one, where it can still be run. An embedder that fails costs a search its
 * meaning, never its answer.
 * @param findEmbedder an embedder by its id, null when it cannot be run any more
 */
export function createMeaning(
  embedder: Embedder | null,
  clock: Clock,
  log: Log,
  findEmbedder: (id: string) => Embedder | null = () => null,
) {
  const settled = new Map<string, Answering & { until: number }>();

  const settle = ({ accountId }: Store, answering: Answering, forMs: number): Answering => {
    settled.set(accountId, { ...answering, until: clock.elapsed() + forMs });
    return answering;
  };

  const choose = async (store: Store, wanted: Embedder): Promise<Answering> => {
    const known = settled.get(store.accountId);
    if (known !== undefined && clock.elapsed() < known.until) return known;
    const { passages, embedded } = await store.countVectors(wanted.id, wanted.languages);
    const waiting = passages - embedded;
    if (embedded >= passages * minEmbedded) {
      // Nothing to compare with is not ready: the first item changes that.
      if (embedded === 0) return { ...nobody, passagesToEmbed: 0 };
      const inAll = wanted.languages === null ? passages : (await store.countVectors(wanted.id)).passages;
      const answering = {
        embedders: [wanted],
        everyPassage: embedded >= inAll,
        known: passages / inAll,
        passagesToEmbed: Math.max(0, waiting),
      };
      return settle(store, answering, waiting > 0 ? settledMeanwhileMs : settledForMs);
    }
    // Of several the one with the most vectors: each costs a question's embedding, and a model's memory.
    const [other] = (await store.listEmbedders()).filter(({ id }) => id !== wanted.id);
    const before = other === undefined ? null : findEmbedder(other.id);
    if (other === undefined || before === null || embedded + other.vectors < passages * minEmbedded) {
      return { ...nobody, passagesToEmbed: waiting };
    }
    const embedders = embedded === 0 ? [before] : [wanted, before];
    const passagesToEmbed = Math.max(0, waiting - other.vectors);
    return settle(store, { embedders, everyPassage: false, known: 1, passagesToEmbed }, settledMeanwhileMs);
  };

  return {
    /** @param text null: meaning is not asked for */
    async ofQuestion(store: Store, text: string | null, signal: AbortSignal): Promise<Meaning> {
      if (embedder === null || text === null) return wordsAlone;
      const { embedders, everyPassage, known, passagesToEmbed } = await choose(store, embedder);
      try {
        const vectors = await Promise.all(
          embedders
            .filter((one) => understands(one, text, known))
            .map(async (one): Promise<QuestionVector> => {
              const values = await one.embedQuery(text, signal, store.accountId);
              return { embedderId: one.id, values, unrelatedCosine: one.unrelatedCosine ?? 0, everyPassage };
            }),
        );
        const [vector, before] = vectors;
        if (vector === undefined) return { vector: null, passagesToEmbed };
        return { vector: { ...vector, before }, passagesToEmbed };
      } catch (error) {
        if (signal.aborted || isAbortError(error)) throw error;
        log.warn({ err: error }, 'the question could not be embedded; words alone decide');
        return wordsAlone;
      }
    },
  };
}
