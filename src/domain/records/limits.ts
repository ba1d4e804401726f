/* Apart from the schemas of records: threads that only read need no schemas. */

/** Maximum tags per item. */
export const maxTags = 50;

/** How many highlights an item shows with itself; a list shows the rest. */
export const maxShownHighlights = 20;

/** How long a deleted item can be restored. */
export const restorableForMs = 30 * 24 * 60 * 60_000;
