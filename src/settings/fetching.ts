import { z } from 'zod';
import { proxyUrl } from '../domain/links/proxies.ts';
import { names } from './values.ts';

/** How pages and files are fetched. */
export const fetchingSettings = {
  allowPrivateAddresses: z
    .boolean()
    .default(false)
    .describe(
      'Allow saving URLs of this machine and of private networks. Anything on them becomes readable to the assistant.',
    ),
  fetchMaxMegabytes: z
    .number()
    .min(1)
    .max(1_000)
    .default(50)
    .describe('Largest download, counted after decompression.'),
  proxy: z
    .string()
    .max(2_048)
    .refine(
      (text) => text === '' || proxyUrl(text) !== null,
      'must be the address of a proxy, such as http://user:password@proxy.example.org:3128',
    )
    .default('')
    .describe(
      'Proxy for pages and for model servers: http://user:password@proxy.example.org:3128. Not set: the variable HTTPS_PROXY or HTTP_PROXY. Not a flag: command lines are public.',
    ),
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
  ytDlpPath: z
    .string()
    .max(4_096)
    .default('')
    .describe(
      'Full path of a yt-dlp of your own, asked for captions when YouTube refuses them to Commonplace. Empty: never.',
    ),
};
