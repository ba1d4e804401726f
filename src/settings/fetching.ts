import { z } from 'zod';
import { proxyUrl } from '../domain/links/proxies.ts';
import { names, seconds } from './values.ts';

const proxy = z
  .string()
  .max(2_048)
  .refine(
    (text) => text === '' || proxyUrl(text) !== null,
    'must be the address of a proxy, such as http://user:password@proxy.example.org:3128',
  )
  .default('');

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
  httpsProxy: proxy.describe(
    'Proxy for https addresses of pages and of model servers: http://user:password@proxy.example.org:3128. Not set: the variable HTTPS_PROXY. Not a flag: command lines are public.',
  ),
  httpProxy: proxy.describe('The same for http addresses. Not set: the variable HTTP_PROXY.'),
  noProxy: names
    .default([])
    .describe(
      'What is reached without a proxy: example.org (with its subdomains), 192.0.2.1, 10.0.0.0/8, each with :port or without, or *. Not set: the variable NO_PROXY.',
    ),
  proxyResolves: z
    .boolean()
    .default(false)
    .describe(
      'Leave it to the proxy to look names up, where this machine cannot. Then a name that leads into the network of the proxy is not noticed.',
    ),
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
