import { z } from 'zod';
import { seconds } from './values.ts';

/** How pages and files are fetched. */
export const fetchingSettings = {
  allowPrivateAddresses: z
    .boolean()
    .default(false)
    .describe(
      'Allow saving URLs of this machine and of private networks. Anything on them becomes readable to the assistant.',
    ),
  fetchTimeoutSeconds: seconds.default(30).describe('Time for one download, redirects included.'),
  fetchMaxMegabytes: z
    .number()
    .min(1)
    .max(1_000)
    .default(50)
    .describe('Largest download, counted after decompression.'),
  fetchMaxRedirects: z.int().min(0).max(20).default(5).describe('Redirects that are followed.'),
  webArchive: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      'Look up pages that are gone at the Wayback Machine, and keep its copy. It learns the addresses of these pages.',
    ),
  webArchiveLookup: z
    .url({ protocol: /^https?$/ })
    .default('https://archive.org/wayback/available')
    .describe('Where `webArchive` asks for copies, or another archive that answers in the same way.'),
  webArchiveCopies: z
    .url({ protocol: /^https?$/ })
    .default('https://web.archive.org/web/')
    .describe('Address under which that archive has its copies.'),
  ytDlpPath: z
    .string()
    .max(4_096)
    .default('')
    .describe(
      'Full path of a yt-dlp of your own, asked for captions when YouTube refuses them to Commonplace. Empty: never.',
    ),
};
