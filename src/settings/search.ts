import { z } from 'zod';

/** How questions are answered, and the memory for them. */
export const searchSettings = {
  rememberQueries: z
    .boolean()
    .default(true)
    .describe(
      'Keep the last 1,000 questions of each account, in its own file, for suggestions. commonplace forget-queries removes them.',
    ),
  goalWeight: z
    .number()
    .min(0)
    .max(0.2)
    .default(0)
    .describe('By how much a goal may move up items that have its words, as a share of their score. 0: not at all.'),
  searchThreads: z
    .boolean()
    .default(true)
    .describe(
      'Search, and write large items, in threads of their own, so that nobody else waits for it. Small libraries are searched without one while nobody else would wait: by the server of an assistant on this machine (`stdio`), and by any server with a single account. Off: in the main thread, for machines with very little memory.',
    ),
  vectorMemoryMegabytes: z
    .int()
    .min(0)
    .max(65_536)
    .default(512)
    .describe(
      'Memory for vectors, which makes large accounts fast to search; a million passages take 500 MB. 0: they are read from the disk.',
    ),
};
