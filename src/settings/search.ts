import { z } from 'zod';

/** How questions are answered, and the memory for them. */
export const searchSettings = {
  rememberQueries: z
    .boolean()
    .default(true)
    .describe(
      'Keep the last 1,000 questions of each account, in its own file, for suggestions. commonplace forget-queries removes them.',
    ),
};
