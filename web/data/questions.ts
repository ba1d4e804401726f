import type { ActionOrder, TodoState } from './records.ts';

/** Rows of the list that are asked for at once. */
export const rowsAtOnce = 50;
/** Titles that are asked for at once. */
export const titlesAtOnce = 1_000;
/** Items that a search is asked for at once. */
export const foundAtOnce = 20;

/** What the address says of the library: a question, and filters. */
export interface Filters {
  shelf: Shelf;
  /** The id of a list. */
  list: string;
  kind: string;
  state: string;
  tags: string[];
  /** Empty: newest first. */
  order: string;
}

/** Which items are shown by where they are kept; `all`: wherever that is. */
export const shelves = ['inbox', 'later', 'archive', 'all'] as const;
type Shelf = (typeof shelves)[number];
/** Everything that was saved, as a query and as an address. */
export const everywhere: URLSearchParams = new URLSearchParams('shelf=all');
export const everything = `/?${everywhere.toString()}`;

/** Without a filter the inbox is shown; what anything else asks for may be on any shelf. */
const usualShelf = (query: URLSearchParams): Shelf =>
  ['q', 'list', 'kind', 'state', 'tag'].some((name) => query.has(name)) ? 'all' : 'inbox';

export function filtersOf(query: URLSearchParams): Filters {
  return {
    shelf: shelves.find((shelf) => shelf === query.get('shelf')) ?? usualShelf(query),
    list: query.get('list') ?? '',
    kind: query.get('kind') ?? '',
    state: query.get('state') ?? '',
    tags: query.getAll('tag'),
    order: query.get('order') ?? '',
  };
}

/** The input of `search_library` for the items from `offset` on; null when nothing is asked. */
export function searchInput(query: URLSearchParams, offset = 0): object | null {
  const question = (query.get('q') ?? '').trim();
  if (question === '') return null;
  const { kind, tags } = filtersOf(query);
  const filters = { ...(kind !== '' && { contentType: kind }), ...(tags.length > 0 && { tags }) };
  const asked = { query: question.slice(0, 2_000), limit: foundAtOnce, offset };
  return { ...asked, ...(Object.keys(filters).length > 0 && { filters }) };
}

/** The input of `list_library` for the rows from `offset` on; with another `limit`, that of `list_titles`. */
export function listInput(query: URLSearchParams, offset: number, limit = rowsAtOnce): object {
  const { shelf, list, kind, state, tags, order } = filtersOf(query);
  const asked = [shelf !== 'all' && `is:${shelf === 'archive' ? 'archived' : shelf}`, list !== '' && `list:${list}`]
    .filter(Boolean)
    .join(' ');
  return {
    limit,
    offset,
    ...(asked !== '' && { query: asked }),
    ...(order !== '' && { order }),
    ...(kind !== '' && { contentType: kind }),
    ...(state !== '' && { status: state }),
    ...(tags.length > 0 && { tags }),
  };
}

/** The address of the library with these changes; empty values are left out. */
export function libraryAddress(query: URLSearchParams, changes: Partial<Filters> & { q?: string }): string {
  const next = new URLSearchParams();
  const q = changes.q ?? query.get('q') ?? '';
  const { shelf, list, kind, state, tags, order } = { ...filtersOf(query), ...changes };
  if (q !== '') next.set('q', q);
  // A search looks everywhere.
  else if (list !== '') next.set('list', list);
  if (kind !== '') next.set('kind', kind);
  if (state !== '') next.set('state', state);
  for (const tag of tags) next.append('tag', tag);
  if (order !== '') next.set('order', order);
  if (changes.q === undefined && shelf !== usualShelf(next)) next.set('shelf', shelf);
  const text = next.toString();
  return text === '' ? '/' : `/?${text}`;
}

/** Action items that are asked for at once. */
export const actionsAtOnce = 100;

export const states: readonly TodoState[] = ['open', 'snoozed', 'done', 'dismissed'];

/** Which action items the address wants to see. */
export function stateOf(query: URLSearchParams): TodoState {
  return states.find((state) => state === query.get('state')) ?? 'open';
}

export const orders: readonly ActionOrder[] = ['goal', 'item', 'day', 'priority'];

/** By what they are grouped. */
export function orderOf(query: URLSearchParams): ActionOrder {
  return orders.find((order) => order === query.get('by')) ?? 'goal';
}

/** The goal that the address names: null for none of them, undefined for all. */
export function goalOf(query: URLSearchParams): string | null | undefined {
  const goal = query.get('goal');
  return goal === null ? undefined : goal === 'none' ? null : goal;
}

export function todoAddress(state: TodoState, goal: string | null | undefined, by: ActionOrder = 'goal'): string {
  const query = new URLSearchParams();
  if (state !== 'open') query.set('state', state);
  if (goal !== undefined) query.set('goal', goal ?? 'none');
  if (by !== 'goal') query.set('by', by);
  const text = query.toString();
  return text === '' ? '/app/actions' : `/app/actions?${text}`;
}

/** The input of `list_todo`. */
export function todoInput(query: URLSearchParams, offset = 0): object {
  const goalId = goalOf(query);
  const state = stateOf(query);
  return {
    // A snoozed action is open.
    ...(state === 'snoozed' ? { state: 'open', snoozed: true } : { state }),
    ...(goalId !== undefined && { goalId }),
    order: orderOf(query),
    limit: actionsAtOnce,
    offset,
  };
}
