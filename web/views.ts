import type { Address } from './address.tsx';
import { todoInput } from './actions/questions.ts';
import { historyInput, trashInput } from './history/questions.ts';
import { failedInput } from './problems/questions.ts';
import { text } from './text.ts';
import { shownJobs } from './settings/jobs.ts';
import { listInput, searchInput } from './library/questions.ts';

/** The views of the page, by their paths. */
export type View =
  | {
      name:
        | 'library'
        | 'actions'
        | 'goals'
        | 'week'
        | 'save'
        | 'problems'
        | 'history'
        | 'trash'
        | 'settings'
        | 'missing';
    }
  | { name: 'reading'; id: string };

const paths: Readonly<Record<string, Exclude<View['name'], 'reading' | 'missing'>>> = {
  '/': 'library',
  '/app': 'library',
  '/app/actions': 'actions',
  '/app/goals': 'goals',
  '/app/week': 'week',
  '/app/save': 'save',
  '/app/problems': 'problems',
  '/app/history': 'history',
  '/app/trash': 'trash',
  '/app/settings': 'settings',
};

export function viewOf({ path }: Address): View {
  // As typed by hand, with a slash at the end.
  const name = paths[path.replace(/(?<=.)\/$/, '')];
  if (name !== undefined) return { name };
  const [, id] = /^\/app\/read\/(\w{1,100})$/.exec(path) ?? [];
  return id === undefined ? { name: 'missing' } : { name: 'reading', id };
}

/** @param item its title is the title of the window */
export function titleOf(view: View, item?: { title?: string | null }): string {
  if (view.name === 'reading' && item !== undefined) return `${item.title ?? text.library.untitled} – ${text.name}`;
  return view.name === 'library' ? text.name : `${text.views[view.name]} – ${text.name}`;
}

interface FirstCall {
  operation: string;
  input: object;
}

/** The calls whose answers a view shows at once, so that the server can send them with the document. */
export function firstCallsOf(address: Address): FirstCall[] {
  const always = [{ operation: 'library_state', input: {} }];
  const view = viewOf(address);
  switch (view.name) {
    case 'library': {
      const question = searchInput(address.query);
      const tags = { operation: 'list_tags', input: { limit: 100 } };
      return question === null
        ? [...always, tags, { operation: 'list_library', input: listInput(address.query, 0) }]
        : [...always, tags, { operation: 'search', input: question }];
    }
    case 'reading':
      return [...always, { operation: 'read_item', input: { id: view.id } }];
    case 'settings':
      return [
        ...always,
        { operation: 'show_access', input: {} },
        { operation: 'list_imports', input: shownJobs },
        { operation: 'list_exports', input: shownJobs },
      ];
    case 'actions':
      return [
        ...always,
        { operation: 'goals_overview', input: {} },
        { operation: 'list_todo', input: todoInput(address.query) },
      ];
    case 'goals':
      return [...always, { operation: 'goals_overview', input: {} }];
    case 'week':
      return [...always, { operation: 'weekly_review', input: {} }];
    case 'history':
      return [...always, { operation: 'history', input: historyInput(address.query, 0) }];
    case 'trash':
      return [...always, { operation: 'list_content', input: trashInput(0) }];
    case 'problems':
      return [...always, { operation: 'list_content', input: failedInput(0) }];
    default:
      return always;
  }
}
