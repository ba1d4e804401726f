import { foldTag } from '../../../domain/records/tags.ts';

/** SQL for a JSON array of the tags of `item`, in the order in which they were given. */
export function tagsOf(item: string): string {
  return `(SELECT json_group_array(t.tag ORDER BY t.ordinal) FROM item_tags t WHERE t.item = ${item})`;
}

/** SQL conditions, with parameters, that the item whose key is `item` has all of `tags`. */
export function hasTags(item: string, tags: readonly string[]): { conditions: string[]; parameters: string[] } {
  const parameters = [...new Set(tags.map(foldTag))];
  return {
    conditions: parameters.map(() => `${item} IN (SELECT t.item FROM item_tags t WHERE t.folded = ?)`),
    parameters,
  };
}
