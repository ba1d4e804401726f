import { setImmediate as nextTurn } from 'node:timers/promises';
import { heldToOf } from '../../domain/access/account-names.ts';
import { nothingSaved } from '../../search/match.ts';
import type { Clock } from '../../domain/clock.ts';
import { allOf } from '../../domain/search/filter.ts';
import { parseQuery, type RankBy } from '../../domain/search/query-language.ts';
import type { Log } from '../../workers/log.ts';
import type { Embedder } from '../../models/embedding/index.ts';
import type { SearchAnswer, SearchQuery } from '../../search/answer.ts';
import { indexMethodsOf } from '../../search/index-methods.ts';
import { type Meaning, textToEmbed } from '../../search/query.ts';
import type { Store, Stores } from '../../store/store.ts';
import { createMeaning, type LoadingTimes } from './meaning.ts';

export type { SearchAnswer, SearchQuery } from '../../search/answer.ts';

export interface SearchService {
  /** @param by rank by words or meaning alone, for measurements; the default is both */
  search(account: string, query: SearchQuery, signal: AbortSignal, by?: RankBy): Promise<SearchAnswer>;
}

export interface SearchSettings {
  /** Keep questions for suggestions. */
  rememberQueries: boolean;
  /** See `createMeaning`. */
  findEmbedder?: (id: string) => Embedder | null;
  maxLoadingMs?: LoadingTimes | undefined;
}

/** A longer question is a pasted text, which is not repeated. */
const maxRememberedLength = 200;

export function createSearchService(
  stores: Stores,
  embedder: Embedder | null,
  clock: Clock,
  log: Log,
  settings: SearchSettings = { rememberQueries: false },
): SearchService {
  const meaning = createMeaning(embedder, clock, log, settings.findEmbedder, settings.maxLoadingMs);
  /** Runs in the background: no search waits for it or fails because of it. */
  const keepQuestion = (store: Store, { query, cursor, remember }: SearchQuery) => {
    if (remember !== true || !settings.rememberQueries || cursor !== undefined || query.length > maxRememberedLength)
      return;
    store.rememberQuery(query).catch((error: unknown) => log.debug({ err: error }, 'a question was not kept'));
  };
  /** Questions that a model reads now. */
  let waiting = 0;
  return {
    async search(account, query, signal, by = 'both') {
      const store = await stores.open(account, signal);
      const read = parseQuery(query.query, clock.now());
      const filter = allOf(query.filter, read.filter);
      const parsed = { ...read, filter: filter && (await store.resolveFilter(filter)) };
      const text = textToEmbed(parsed, by);
      const meanings = new Map<string, Meaning>();
      const index = indexMethodsOf(store);
      const asked = { query, parsed, by, now: clock.now(), meanings, advice: null };
      if (text !== null) {
        let isFound = false;
        waiting += 1;
        const found = meaning.ofQuestion(store, text, signal).finally(() => {
          isFound = true;
          waiting -= 1;
        });
        // With several questions at once, nothing is idle while the model reads this one.
        const isIdle = () => !isFound && waiting === 1 && by === 'both';
        const ahead = nextTurn().then(() => (isIdle() ? index.prepareQuestion(asked) : undefined));
        meanings.set(text, (await Promise.all([found, ahead]))[0]);
      }
      const advice = query.cursor === undefined ? await meaning.adviceOn(store) : null;
      // Finding out what a question needs takes about ten milliseconds, so it starts over.
      for (;;) {
        const answered = await index.answerQuestion({ ...asked, now: clock.now(), advice });
        signal.throwIfAborted();
        if ('need' in answered) {
          const { kind, text: needed } = answered.need;
          const known = meanings.get(needed);
          if (kind === 'meaning') meanings.set(needed, await meaning.ofQuestion(store, needed, signal));
          else if (known?.foreign === undefined) throw new Error('a search needs a meaning that nobody can find out');
          else known.foreign.meaning = await meaning.ofForeign(store, needed, signal);
          continue;
        }
        if (answered.isAnswered) keepQuestion(store, query);
        if (advice !== null && answered.answer.hint === advice) meaning.noteAdvised(store);
        const { answer } = answered;
        if (answer.hint === undefined || heldToOf(account) === null) return answer;
        return { ...answer, hint: answer.hint.replace(nothingSaved, 'Nothing that this token may see is saved yet.') };
      }
    },
  };
}
