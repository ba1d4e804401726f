/* Apart from the schemas of records: threads that only read need no schemas. */

/** Maximum tags per item. */
export const maxTags = 50;

/** How many highlights an item shows with itself; a list shows the rest. */
export const maxShownHighlights = 20;

/** How long a deleted item can be restored. */
export const restorableForMs = 30 * 24 * 60 * 60_000;

/** Limit for the actions of one item; a person cannot add more. */
export const maxActionsOfItem = 1_000;

/** Goals per account. Every instruction in every text that it saves is compared with all of them. */
export const maxGoals = 500;

/** Highlights of one item. A book read closely has some hundreds. */
export const maxHighlights = 1_000;

/** Lists per account. A list of lists has no pages. */
export const maxLists = 500;

/** Items of one list by hand, those in the trash included. */
export const maxListItems = 10_000;

/** Items that have a tag before it is proposed for others. */
export const minTagged = 5;

/** Sources per account. A list of sources has no pages. */
export const maxSources = 2_000;

/** Characters of the key of a source's entry. A longer name of an entry is hashed. */
export const maxEntryKey = 200;
