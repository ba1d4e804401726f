import type { Goal } from '../../domain/records/analyses/goal.ts';
import { invalidInput, notFound } from '../../errors.ts';
import type { Stores } from '../../store/store.ts';

/** Completions of typed text; every list has at most `maxSuggestions` entries. */
export type CompletionsService = ReturnType<typeof createCompletionsService>;

/** More suggestions do not help a person who types. */
const maxSuggestions = 20;
/** Names come from at most this many of the newest items and most used tags; one read of them takes milliseconds. */
const maxNames = 5_000;
/** Nobody would choose a longer title from a list. */
const maxTopicLength = 120;

export function createCompletionsService(stores: Stores) {
  const goalsOf = async (account: string) => (await (await stores.open(account)).listGoals({ offset: 0 })).items;
  return {
    async topics(account: string, typed: string): Promise<string[]> {
      const { tags, items } = await (await stores.open(account)).listNames(maxNames);
      const names = [...tags, ...items.map(({ title }) => title)];
      return bestMatches(
        names.filter(({ length }) => length <= maxTopicLength),
        typed,
      );
    },
    /** Ids of saved items, found by the beginning of the id or by words of the title. */
    async items(account: string, typed: string): Promise<string[]> {
      const { items } = await (await stores.open(account)).listNames(maxNames);
      const words = fold(typed);
      return items
        .filter(({ id, title }) => id.startsWith(typed) || fold(title).includes(words))
        .slice(0, maxSuggestions)
        .map(({ id }) => id);
    },
    /** Titles of the goals that are not archived. */
    async goals(account: string, typed: string): Promise<string[]> {
      const goals = await goalsOf(account);
      return bestMatches(
        goals.map(({ title }) => title),
        typed,
      );
    },
    /** By id, title or words of it. @throws {AppError} `not_found`; `invalid_input` when several could be meant */
    async findGoal(account: string, named: string): Promise<Goal> {
      const goals = await goalsOf(account);
      const words = fold(named);
      const exact = goals.find(({ id, title }) => id === named.trim() || fold(title) === words);
      if (exact !== undefined) return exact;
      const [first, second] = words === '' ? [] : goals.filter(({ title }) => fold(title).includes(words));
      if (first === undefined)
        throw notFound('There is no goal with this id or title. The list of goals shows ids and titles.');
      if (second !== undefined)
        throw invalidInput('Several goals have these words in their title. Give the whole title or the id.');
      return first;
    },
  };
}

/** Names that begin with the typed text, then names that contain it anywhere; otherwise in their order, each once. */
function bestMatches(names: readonly string[], typed: string): string[] {
  const words = fold(typed);
  const matching = [...new Set(names)].filter((name) => fold(name).includes(words));
  const begins = matching.filter((name) => fold(name).startsWith(words));
  return [...new Set([...begins, ...matching])].slice(0, maxSuggestions);
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
