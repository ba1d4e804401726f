import { z } from 'zod';
import type { Route } from '../routes.ts';
import { pascalCase } from './schemas.ts';
import type { ApiResponse } from './document.ts';

/** Operations that take the id of a deleted item. No other answer leads to them. */
const afterDeletion = ['restore_content', 'get_content'];

export function operationIdOf(name: string): string {
  const id = pascalCase(name);
  return id.charAt(0).toLowerCase() + id.slice(1);
}

/**
 * The links (OpenAPI 3.1, 4.8.20) of an answer that lists records or makes one: to the operations whose examples take the
 * same id. Undefined when there are none.
 */
export function linksFrom(route: Route, published: readonly Route[]): ApiResponse['links'] {
  const { output, file, http, example, name: from } = route;
  const links: NonNullable<ApiResponse['links']> = {};
  const link = (name: string, parameter: string, pointer: string): void => {
    const operationId = operationIdOf(name);
    links[operationId] = { operationId, parameters: { [parameter]: `$response.body#${pointer}` } };
  };
  const [pointer, id] = idIn(example.output) ?? [];
  const isDeletion = from === 'delete_content';
  const isFollowed = isDeletion || !http.path.includes(':') || pointer !== '/id';
  for (const { name, inPath, http: to, input, example: call } of published) {
    if (pointer === undefined || !isFollowed || (name === 'restore_content' && !isDeletion)) continue;
    const isWanted = !isDeletion || afterDeletion.includes(name);
    if (isWanted && inPath.includes('id') && call.input['id'] === id) link(name, 'id', pointer);
    const query = { c_: 'contentId', g_: 'goalId' }[String(id).slice(0, 2)];
    if (query !== undefined && !isDeletion && to.method === 'get' && query in input.shape) link(name, query, pointer);
  }
  // An import that begins has changed nothing yet.
  if (file === undefined && output instanceof z.ZodObject && 'undo' in output.shape) link('undo', 'id', '/undo');
  return Object.keys(links).length === 0 ? undefined : links;
}

/** The id of the record, or of the first one of a list, and the JSON pointer to it. */
function idIn(answer: unknown): [pointer: string, id: string] | undefined {
  const { id, items, results } = answer as { id?: string; items?: { id?: string }[]; results?: { id?: string }[] };
  if (typeof id === 'string') return ['/id', id];
  const [list, first] = items === undefined ? ['results', results?.[0]] : ['items', items[0]];
  return first?.id === undefined ? undefined : [`/${list}/0/id`, first.id];
}
