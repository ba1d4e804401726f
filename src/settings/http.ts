import { z } from 'zod';
import { holdsUser, names } from './values.ts';

/** What `commonplace serve` listens on, and whom it answers. */
export const httpSettings = {
  httpHost: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that `serve` listens on. Any other than this machine exposes the server to the network.'),
  httpPort: z.int().min(0).max(65_535).default(7878).describe('Port that `serve` listens on. 0: any that is free.'),
  publicUrl: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .refine((text) => !holdsUser(text), 'must hold no user name or password: every client is told this address')
    .default('')
    .describe('Address under which clients reach the server, such as https://library.example.org.'),
  allowedHosts: names
    .default([])
    .describe('Further names in the Host header that are answered, beside this machine and `publicUrl`.'),
  trustedProxies: names
    .default([])
    .describe('Addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For is believed.'),
  corsOrigins: names
    .default([])
    .describe('Origins of web pages that may call the server, such as https://app.example.org.'),
  rateLimitPerMinute: z.int().min(0).max(1_000_000).default(600).describe('Requests a minute and token. 0: no limit.'),
  apiV1: z
    .boolean()
    .default(false)
    .describe('Preview: also answer under /api/v1, which may still change. Off: every path there is not found.'),
  metrics: z
    .boolean()
    .default(false)
    .describe('Answer /metrics, in the form Prometheus reads, to tokens of the account local.'),
  shutdownGraceSeconds: z
    .number()
    .min(0)
    .max(3_600)
    .default(10)
    .describe('How long `serve`, told to stop, waits for calls that are being answered.'),
};
