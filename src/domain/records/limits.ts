/** Tags that an item can have. */
export const mostTags = 50;
