import type { Address } from './address.tsx';
import { todoInput, listInput, searchInput } from './data/questions.ts';
import { text } from './text.ts';
import { headingOf } from './items/item-facts.ts';

/** The paths of the views, in the order in which one can go to them. */
export const paths = {
  library: '/',
  lists: '/app/lists',
  sources: '/app/sources',
  actions: '/app/actions',
  goals: '/app/goals',
  week: '/app/week',
  save: '/app/save',
  settings: '/app/settings',
  history: '/app/history',
  trash: '/app/trash',
  problems: '/app/problems',
  browser: '/app/browser',
} as const;

export type Place = keyof typeof paths;
export type View = { name: Place | 'missing' } | { name: 'reading'; id: string };

export const places = Object.keys(paths) as Place[];

export function viewOf({ path }: Address): View {
  // As typed by hand, with a slash at the end.
  const plain = path.replace(/(?<=.)\/$/, '');
  const name = plain === '/app' ? 'library' : places.find((place) => paths[place] === plain);
  if (name !== undefined) return { name };
  const [, id] = /^\/app\/read\/(\w{1,100})$/.exec(path) ?? [];
  return id === undefined ? { name: 'missing' } : { name: 'reading', id };
}

/** @param item its title, or else its address, is the title of the window */
export function titleOf(view: View, item?: { title?: string | null; url?: string | null }): string {
  if (view.name === 'reading' && item !== undefined) return `${headingOf(item)} – Commonplace`;
  return view.name === 'library' ? 'Commonplace' : `${text.views[view.name]} – Commonplace`;
}

/** Lists that are shown. */
export const maxLists = 500;

/** All sources: the input of `list_sources`. */
export const sourcesInput = {};

/** Imports and exports that are shown. */
export const shownJobs = { limit: 10 };
/** Entries of other lists that are asked for at once. */
const atOnce = 50;

/** The input of `history`: of one item, or of all. */
export function historyInput(query: URLSearchParams, offset: number): object {
  const id = query.get('id');
  return { ...(id !== null && { id }), limit: atOnce, offset };
}

/** The inputs of `list_content` for what was deleted, and for what failed. */
export const trashInput = (offset: number): object => ({ deleted: true, limit: atOnce, offset });
export const failedInput = (offset: number): object => ({ limit: atOnce, offset, status: 'failed' });

type FirstCall = readonly [operation: string, input: object];

const listsCall: FirstCall = ['list_lists', { limit: maxLists }];

/** The calls whose answers a view shows at once, so that the server can send them with the document. */
export function firstCallsOf(address: Address): { operation: string; input: object }[] {
  const view = viewOf(address);
  const own: readonly FirstCall[] =
    view.name === 'reading' ? [['read_item', { id: view.id }]] : (callsOf[view.name]?.(address.query) ?? []);
  return [['library_state', {}] as const, listsCall, ...own].map(([operation, input]) => ({ operation, input }));
}

const callsOf: Partial<Record<Place | 'missing', (query: URLSearchParams) => FirstCall[]>> = {
  library(query) {
    const question = searchInput(query);
    const list: FirstCall = question === null ? ['list_library', listInput(query, 0)] : ['search_library', question];
    return [['list_tags', { limit: 100 }], list];
  },
  settings: () => [
    ['show_access', {}],
    ['list_imports', shownJobs],
    ['list_exports', shownJobs],
  ],
  actions: (query) => [
    ['goals_overview', {}],
    ['list_todo', todoInput(query)],
  ],
  goals: () => [['goals_overview', {}]],
  week: () => [['weekly_review', {}]],
  sources: () => [['list_sources', sourcesInput]],
  history: (query) => [['history', historyInput(query, 0)]],
  trash: () => [['list_content', trashInput(0)]],
  problems: () => [['list_content', failedInput(0)]],
};
