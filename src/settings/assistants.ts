import { z } from 'zod';

/** Which tools assistants see. */
export const assistantSettings = {
  manageTools: z
    .boolean()
    .default(false)
    .describe(
      'Show assistants the tools that tidy up (edit, tag, delete, restore, goals), too. What `commonplace setup` writes does.',
    ),
  highlightTools: z
    .boolean()
    .default(false)
    .describe('Show assistants the tools with which they list, make, change and delete highlights.'),
  analyseTools: z
    .boolean()
    .default(false)
    .describe('Show assistants the tools with which they analyse saved items themselves.'),
};
