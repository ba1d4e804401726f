/** Tags that an item can have. */
export const maxTags = 50;
