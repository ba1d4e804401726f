/** Maximum tags per item. */
export const maxTags = 50;
