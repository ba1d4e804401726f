import { z } from 'zod';
import type { Route } from '../routes.ts';
import { pascalCase } from './schemas.ts';
import type { ApiResponse } from './document.ts';

/** Values of an answer (JSON pointers), and the operations that take them as this parameter. */
type Followed = readonly [pointer: string, parameter: string, operations: readonly string[]];

const ofItem = ['get_content', 'update_content', 'delete_content', 'related'];
const ofAction = ['complete_action', 'update_action'];
const ofGoal = ['update_goal', 'list_goal_actions'];
const ofImport = ['get_import', 'cancel_import', 'resume_import', 'delete_import', 'get_import_report'];
const ofExport = ['get_export', 'delete_export', 'get_export_file'];
const ofKey = ['get_key', 'rotate_key', 'revoke_key'];
const ofList = ['get_list', 'update_list', 'delete_list', 'put_in_list', 'take_from_list'];
const ofSource = [
  'get_source',
  'update_source',
  'delete_source',
  'check_source',
  'list_source_entries',
  'open_source_entry',
];
const ofHighlight = ['update_highlight', 'delete_highlight'];

/** By operation. Only ids stand here: no call needs to know more of the one before. */
const followed: Readonly<Record<string, readonly Followed[]>> = {
  save_content: [
    ['/id', 'id', ofItem],
    ['/id', 'contentId', ['list_highlights', 'list_actions']],
  ],
  list_content: [['/items/0/id', 'id', ofItem]],
  search: [['/results/0/id', 'id', ['get_content', 'related']]],
  related: [['/items/0/id', 'id', ['get_content']]],
  delete_content: [['/id', 'id', ['restore_content', 'get_content']]],
  restore_content: [['/id', 'id', ['get_content']]],
  list_actions: [['/items/0/id', 'id', ofAction]],
  list_pending_actions: [['/items/0/id', 'id', ofAction]],
  list_goal_actions: [['/items/0/id', 'id', ofAction]],
  add_goal: [['/id', 'id', ofGoal]],
  list_goals: [
    ['/items/0/id', 'id', ofGoal],
    ['/items/0/id', 'goalId', ['list_actions']],
  ],
  add_list: [['/id', 'id', ofList]],
  list_lists: [['/items/0/id', 'id', ofList]],
  follow: [['/id', 'id', ofSource]],
  list_sources: [['/items/0/id', 'id', ofSource]],
  add_highlight: [['/id', 'id', ofHighlight]],
  list_highlights: [['/items/0/id', 'id', ofHighlight]],
  start_import: [['/id', 'id', ofImport]],
  list_imports: [['/items/0/id', 'id', ofImport]],
  start_export: [['/id', 'id', ofExport]],
  list_exports: [['/items/0/id', 'id', ofExport]],
  create_key: [['/id', 'id', ofKey]],
  list_keys: [['/items/0/id', 'id', ofKey]],
  history: [['/items/0/id', 'id', ['undo']]],
};

export function operationIdOf(name: string): string {
  const id = pascalCase(name);
  return id.charAt(0).toLowerCase() + id.slice(1);
}

/** The links (OpenAPI 3.1, 4.8.20) of an operation's answer to operations of `published`; undefined when there are none. */
export function linksFrom({ name: from, output, file }: Route, published: ReadonlySet<string>): ApiResponse['links'] {
  // An import that begins has changed nothing yet.
  const hasUndo = file === undefined && output instanceof z.ZodObject && 'undo' in output.shape;
  const all: Followed[] = [...(followed[from] ?? []), ...(hasUndo ? [takeBack] : [])];
  const links = all.flatMap(([pointer, parameter, names]) =>
    names
      .filter((name) => published.has(name))
      .map((name) => {
        const operationId = operationIdOf(name);
        return [operationId, { operationId, parameters: { [parameter]: `$response.body#${pointer}` } }] as const;
      }),
  );
  return links.length === 0 ? undefined : Object.fromEntries(links);
}

const takeBack: Followed = ['/undo', 'id', ['undo']];
