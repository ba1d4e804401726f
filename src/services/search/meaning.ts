import type { Clock } from '../../domain/clock.ts';
import {
  isMostlyNotLatin,
  isVisiblyEnglish,
  isVisiblyNotEnglish,
  likelyLanguages,
} from '../../domain/search/question-language.ts';
import { isAbortError } from '../../errors.ts';
import type { Log } from '../../workers/log.ts';
import type { Embedder } from '../../models/embedding/index.ts';
import type { ForeignMeaning, Meaning } from '../../search/query.ts';
import type { Store } from '../../store/store.ts';

/** In a library of fewer passages, the next item may change which language most are in. */
const minForAdvice = 20;

const otherModel =
  'Most of this library is in languages that the sentence model does not know, so only words find it. To search it by meaning, run ' +
  '`commonplace model install multilingual-e5-small` and set `embedder` to multilingual-e5-small (COMMONPLACE_EMBEDDER).';

/**
 * Advice where most passages are in languages that an English model does not know; otherwise null.
 * @param known passages in languages of the model
 */
export function adviceOnModel(
  { languages }: Pick<Embedder, 'languages'>,
  known: number,
  passages: number,
): string | null {
  return languages !== null && passages >= minForAdvice && known < passages / 2 ? otherModel : null;
}

const nobody = { embedders: [], everyPassage: false, known: 1 };
const wordsAlone: Meaning = { vector: null, passagesToEmbed: 0 };

/**
 * From this share of passages with a vector on, vectors make search better and not worse: passages without one are
 * ranked by words only (`bench/part-embedded.ts`, docs/decisions/fusion.md).
 */
export const minEmbedded = 0.8;
/** How long the choice of an account's embedders is cached: counting vectors costs more than searching. */
const settledForMs = 60_000;
/** The same while passages are being embedded. */
const settledMeanwhileMs = 5_000;

/** Below this share of passages in its languages, only questions visibly in one of them are embedded. */
const minKnown = 0.1;

/** An English model turns other languages into noise. @param known share of passages in the model's languages */
export function understands({ languages }: Pick<Embedder, 'languages'>, question: string, known: number): boolean {
  if (languages === null || languages.some((language) => language !== 'en')) return true;
  return known < minKnown ? isVisiblyEnglish(question) : !isVisiblyNotEnglish(question);
}

/**
 * Minimum cosine of a passage that shares no word with a question in a language that the model does not know. To such
 * questions, passages that are only partly in the model's language are the nearest, whatever is asked
 * (docs/decisions/words-written-two-ways.md).
 */
const minForeignAlone = 0.45;

/** From this share of an account's passages on, a language counts as one that the account has. */
const minSpoken = 0.01;

/** The embedders for an account's questions, the configured one first; none when search uses words only. */
interface QuestionEmbedders {
  embedders: readonly Embedder[];
  /** See `QuestionVector`. */
  everyPassage: boolean;
  /** The share of passages in languages that the embedder knows. */
  known: number;
  passagesToEmbed: number;
}

/** How long a question waits for a model, in milliseconds: until it has answered for the first time, and later. */
export interface LoadingTimes {
  first: number;
  later: number;
}

/**
 * Embeds questions, for accounts whose passages have vectors. During re-embedding, passages that still have vectors of another
 * embedder are compared by that one, if it can still run. If an embedder fails, the search uses words only.
 * @param findEmbedder finds an embedder by its id; null when it is unavailable
 * @param maxLoadingMs how long a question waits for a model that has to be loaded first. Then only words are used, and the vector
 * is cached for the next time
 */
export function createMeaning(
  embedder: Embedder | null,
  clock: Clock,
  log: Log,
  findEmbedder: (id: string) => Embedder | null = () => null,
  maxLoadingMs?: LoadingTimes,
) {
  let wasLoaded = false;
  const settled = new Map<string, QuestionEmbedders & { until: number }>();
  const advised = new Map<string, { advice: string | null; until: number }>();

  const settle = ({ accountId }: Store, answering: QuestionEmbedders, forMs: number): QuestionEmbedders => {
    settled.set(accountId, { ...answering, until: clock.elapsed() + forMs });
    return answering;
  };

  const choose = async (store: Store, wanted: Embedder): Promise<QuestionEmbedders> => {
    const known = settled.get(store.accountId);
    if (known !== undefined && clock.elapsed() < known.until) return known;
    const { passages, embedded } = await store.countVectors(wanted.id, wanted.languages);
    const waiting = passages - embedded;
    if (embedded >= passages * minEmbedded) {
      // Do not cache the choice for an account without vectors: the first item changes it.
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
    // Of several others, take the one with the most vectors: each costs a question's embedding, and a model's memory.
    const [other] = (await store.listEmbedders()).filter(({ id }) => id !== wanted.id);
    const before = other === undefined ? null : findEmbedder(other.id);
    if (other === undefined || before === null || embedded + other.vectors < passages * minEmbedded) {
      const words = { ...nobody, passagesToEmbed: waiting };
      return embedded === 0 ? words : settle(store, words, settledMeanwhileMs);
    }
    const embedders = embedded === 0 ? [before] : [wanted, before];
    const passagesToEmbed = Math.max(0, waiting - other.vectors);
    return settle(store, { embedders, everyPassage: false, known: 1, passagesToEmbed }, settledMeanwhileMs);
  };

  const wordsInstead = (error: unknown): null => {
    if (isAbortError(error)) throw error;
    log.warn({ err: error }, 'the question could not be embedded; words alone decide');
    return null;
  };

  /** Null when a model is being loaded and takes longer than a question waits for it. */
  const soonEnough = async <T>(
    embedding: Promise<T>,
    asked: readonly Embedder[],
    signal: AbortSignal,
  ): Promise<T | null> => {
    // A late vector is not waited for; the question cache keeps it.
    embedding.then(
      () => (wasLoaded ||= asked.length > 0),
      () => undefined,
    );
    if (maxLoadingMs === undefined || !asked.some((one) => one.isLoading === true)) return embedding;
    const ended = new AbortController();
    const tooLate = clock
      .sleep(wasLoaded ? maxLoadingMs.later : maxLoadingMs.first, AbortSignal.any([ended.signal, signal]))
      .then(
        () => null,
        () => embedding,
      );
    try {
      return await Promise.race([embedding, tooLate]);
    } finally {
      ended.abort();
    }
  };

  /** Whether the account has passages in the language of a question; true where its language is not known. */
  const isSpoken = async (store: Store, { id }: Embedder, question: string): Promise<boolean> => {
    const languages = likelyLanguages(question);
    // Passages of unknown language count in both.
    const [spoken, unknown, all] = await Promise.all(
      [languages, [], null].map(async (some) => (await store.countVectors(id, some)).passages),
    );
    return languages.length === 0 || (spoken ?? 0) - (unknown ?? 0) >= (all ?? 0) * minSpoken;
  };

  const readWith = async (
    one: Embedder,
    { accountId }: Store,
    text: string,
    signal: AbortSignal,
    minAlone?: number,
  ) => {
    const values = await one.embedQuery(text, signal, accountId);
    return { embedderId: one.id, values, unrelatedCosine: one.unrelatedCosine ?? 0, everyPassage: false, minAlone };
  };

  /**
   * The embedder that a question in a language which the model does not know is tried with. Only while a single embedder has all
   * the vectors: two would need a floor for both together. To an English model, other scripts are noise.
   */
  const foreignEmbedder = ([only, ...others]: readonly Embedder[], text: string) => {
    const floor = only?.matchFloors?.foreign;
    if (only === undefined || floor === undefined || others.length > 0 || isMostlyNotLatin(text)) return null;
    return { only, floor };
  };

  return {
    /** Null for an account that was advised since the server started. */
    async adviceOn(store: Store): Promise<string | null> {
      if (embedder === null || embedder.languages === null) return null;
      const before = advised.get(store.accountId);
      if (before !== undefined && clock.now() < before.until) return before.advice;
      const { passages: known } = await store.countVectors(embedder.id, embedder.languages);
      const { passages } = await store.countVectors(embedder.id);
      const advice = adviceOnModel(embedder, known, passages);
      const until = advice === null ? Number.POSITIVE_INFINITY : clock.now() + settledMeanwhileMs;
      // A small library is counted soon, and may grow.
      if (passages >= minForAdvice) advised.set(store.accountId, { advice, until });
      return advice;
    },

    noteAdvised: ({ accountId }: Store) =>
      void advised.set(accountId, { advice: null, until: Number.POSITIVE_INFINITY }),

    async ofQuestion(store: Store, text: string, signal: AbortSignal): Promise<Meaning> {
      if (embedder === null) return wordsAlone;
      const { embedders, everyPassage, known, passagesToEmbed } = await choose(store, embedder);
      const read = async (one: Embedder) => ({ ...(await readWith(one, store, text, signal)), everyPassage });
      try {
        const asked = embedders.filter((one) => understands(one, text, known));
        const vectors = await soonEnough(Promise.all(asked.map(read)), asked, signal);
        if (vectors === null) {
          log.info({}, 'the sentence model is still loading; words alone decide');
          return { vector: null, passagesToEmbed, isLoading: true };
        }
        const [vector, before] = vectors;
        if (vector === undefined) {
          const foreign = foreignEmbedder(embedders, text);
          return { vector: null, passagesToEmbed, ...(foreign !== null && { foreign: { floor: foreign.floor } }) };
        }
        const floors = embedders.length === 1 ? embedders[0]?.matchFloors : undefined;
        return { vector: { ...vector, before }, passagesToEmbed, ...(floors !== undefined && { floors }) };
      } catch (error) {
        signal.throwIfAborted();
        wordsInstead(error);
        return wordsAlone;
      }
    },

    /** Of a question whose meaning has `foreign`. */
    async ofForeign(store: Store, text: string, signal: AbortSignal): Promise<ForeignMeaning> {
      const { embedders, everyPassage } = embedder === null ? nobody : await choose(store, embedder);
      const foreign = foreignEmbedder(embedders, text);
      if (foreign === null) return { isSpoken: true, vector: null };
      const { only } = foreign;
      const read = async () => ({ ...(await readWith(only, store, text, signal, minForeignAlone)), everyPassage });
      const [isSpokenHere, vector] = await Promise.all([
        isSpoken(store, only, text),
        soonEnough(read(), [only], signal).catch(wordsInstead),
      ]);
      return { isSpoken: isSpokenHere, vector };
    },
  };
}
