/** SQL for a JSON array of the tags of `item`, in the order in which they were given. */
export function tagsOf(item: string): string {
  return `(SELECT json_group_array(t.tag ORDER BY t.ordinal) FROM item_tags t WHERE t.item = ${item})`;
}
