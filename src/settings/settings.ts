import { z } from 'zod';
import { mailboxAddress } from '../domain/links/configured-addresses.ts';
import { proxyUrl } from '../domain/links/proxies.ts';

/** Separated by commas on the command line and in the environment. */
export const names = z.array(z.string().min(1));

/** True if an address has a user name or a password in it. */
function holdsUser(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}

/** The fetching of pages and files. */
const fetchingSettings = {
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

/** Where items come from by themselves. */
const followingSettings = {
  mailbox: z
    .string()
    .max(2_048)
    .refine(
      (text) => text === '' || mailboxAddress(text) !== null,
      'must be a folder of a mailbox, such as imaps://you%40example.org@imap.example.org/Newsletters without a password, or the full path of a Maildir',
    )
    .default('')
    .describe(
      'Folder of your mailbox whose letters become items of the account local: imaps://user@host/Folder, or the full path of a Maildir. Nothing else of the mailbox is read, and nothing in it is changed unless the settings below ask for it.',
    ),
  mailboxMarkRead: z.boolean().default(false).describe('Mark letters as read once they are items. IMAP only.'),
  mailboxMoveTo: z
    .string()
    .max(500)
    .regex(/^[^\r\n\0]*$/, 'must be the name of a folder on one line')
    .default('')
    .describe(
      'Folder of the same mailbox to which letters are moved once they are items. Empty: they stay. IMAP only.',
    ),
  mailboxPassword: z
    .string()
    .max(1_000)
    .default('')
    .describe('Password for that mailbox; many providers want an app password. Not a flag: command lines are public.'),
};

/** The processing of saved items. */
const processingSettings = {
  workers: z
    .int()
    .min(0)
    .max(32)
    .default(6)
    .describe(
      'How many items are read in parallel per account, with one more for other accounts. With less than 512 MB of memory the default is 1, and 1 then means one item of all accounts at a time. 0: this process saves, but does not process anything.',
    ),
  ocr: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      'Recognise English text in pictures and on scanned pages. Needs three more packages; `commonplace doctor` names them.',
    ),
  watchFolders: names
    .default([])
    .describe(
      'Folders of notes and documents with which `serve` and `stdio` keep the local library in step. `commonplace watch` adds one, too.',
    ),
  autoTag: z
    .boolean()
    .default(false)
    .describe(
      'Give new items the tags that are proposed for them, once nine in ten of the last proposals that you decided on were right.',
    ),
};

/** The answering of questions, and the memory for them. */
export const searchSettings = {
  rememberQueries: z
    .boolean()
    .default(true)
    .describe(
      'Keep the last 1,000 questions of each account, in its own file, for suggestions. commonplace forget-queries removes them.',
    ),
};

/** The models that can be installed beside the one in the package; `app/choose-embedder.ts` describes them. */
export const installableNames = ['multilingual-e5-small'] as const;

/** The model that turns text into vectors. */
export const embeddingSettings = {
  embedder: z
    .enum(['builtin', ...installableNames, 'openai', 'none'])
    .default('builtin')
    .describe(
      'What turns text into vectors: the sentence model in the package (builtin), one that `commonplace model install` fetched (multilingual-e5-small), a server that speaks OpenAI’s embeddings API (openai: OpenAI, Voyage, Ollama, LM Studio), or nothing (none: search by words alone).',
    ),
  embeddingBaseUrl: z
    .url({ protocol: /^https?$/ })
    .default('https://api.openai.com/v1')
    .describe(
      'Server for `embedder` openai, without `/embeddings`; it gets the text of what you save. Ollama: http://localhost:11434/v1.',
    ),
  embeddingApiKey: z
    .string()
    .default('')
    .describe('Key of that server; a server of your own needs none. Not a flag: command lines are public.'),
  embeddingModel: z
    .string()
    .min(1)
    .max(200)
    .default('text-embedding-3-small')
    .describe('Model of that server. Another one embeds everything again, in the background.'),
};

/** The language model that writes analyses. */
const claudeSettings = {
  claudeApiKey: z
    .string()
    .default('')
    .describe(
      'Key of the Claude API: with it, saved items are summarised by Claude. Not a flag: command lines are public.',
    ),
  claudeBaseUrl: z
    .url({ protocol: /^https?$/ })
    .default('https://api.anthropic.com')
    .describe('Server of the Claude API, or one that speaks it (Ollama, LM Studio); another one needs no key.'),
  claudeModel: z.string().min(1).default('claude-haiku-5-5').describe('Model for summaries, insights and actions.'),
  claudePrices: z
    .array(z.number().min(0))
    .length(2)
    .default([0.1, 0.5])
    .describe(
      'Dollars a million tokens that the model reads, and that it writes (0.1,0.5: claude-haiku-5-5, November 2026). 0,0 for a model of your own.',
    ),
  claudeDollarsPerDay: z
    .number()
    .min(0)
    .default(1)
    .describe('Dollars a day (UTC) that all accounts together may spend, by these prices. 0: none.'),
};

/** The text is never in an error: it holds a password. */
const databaseAddress = z
  .string()
  .refine(
    (text) => text === '' || (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)),
    'must be an address such as postgres://role:password@host/database, with special characters of the password percent-encoded',
  )
  .default('');

/** The places of records, originals and backups, and the time for which changes can be undone. */
const storageSettings = {
  synchronous: z
    .enum(['normal', 'full'])
    .default('normal')
    .describe(
      'When an acknowledged save is safe from a power cut: at once (full), or some seconds later (normal), which is faster. A program that is killed loses nothing either way.',
    ),
  historyDays: z
    .int()
    .min(0)
    .max(3_650)
    .default(30)
    .describe('How long changes can be undone, in days that this machine was on. 0: no history is kept.'),
  databaseUrl: databaseAddress.describe(
    'Address of a PostgreSQL database that several servers share, instead of a library in the data folder: postgres://role:password@host/database. Not a flag: command lines are public.',
  ),
  databaseOwnerUrl: databaseAddress.describe(
    'Address of that database for the role that owns its tables. Only `commonplace migrate` needs it; servers must not have it.',
  ),
  databaseConnections: z
    .int()
    .min(2)
    .max(200)
    .default(8)
    .describe('Connections of one server to that database, at most. One more listens for work of the other servers.'),
  objectStoreUrl: z
    .string()
    .max(4_096)
    .default('')
    .describe(
      'Bucket of an S3-compatible server for large originals, beside databaseUrl: https://key-id:secret@host/bucket/prefix?region=…. Empty: they stay in the database. Not a flag: command lines are public.',
    ),
  backupTo: z
    .string()
    .max(4_096)
    .default('')
    .describe(
      'Folder into which `serve` writes a backup once a day; the newest of seven days, four weeks and twelve months stay. Empty: it writes none.',
    ),
};

/** Which tools assistants see. */
const assistantSettings = {
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

/** The address on which `commonplace serve` listens, and the callers that it answers. */
const httpSettings = {
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

/** The signing in of people, and of assistants on their behalf. */
const signInSettings = {
  signIn: z
    .enum(['off', 'password', 'proxy'])
    .default('off')
    .describe(
      'How people sign in to the pages of `serve`: not at all (off), with a name and a password (password), or at a proxy in front of it (proxy). Needs an address with https, or this machine.',
    ),
  trustedIdentityHeader: z
    .string()
    .regex(/^([A-Za-z0-9-]{1,60})?$/, 'must be the name of a header, such as Remote-User')
    .default('')
    .describe(
      'For `signIn` proxy: the header in which `trustedProxies` name the person whom they have signed in, such as Remote-User.',
    ),
  authorizationServer: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .refine((text) => !holdsUser(text), 'must hold no user name or password: every client is told this address')
    .default('')
    .describe(
      'Issuer of an authorization server of your own, such as https://auth.example.org, as its metadata writes it. Assistants sign in there, and its access tokens (JWT) are accepted. Not with `signIn` password.',
    ),
  authorizationAudience: z
    .string()
    .max(1_000)
    .default('')
    .describe('Audience that its tokens name. Empty: `publicUrl`, with or without /mcp.'),
  authorizationClaim: z
    .string()
    .min(1)
    .max(100)
    .default('sub')
    .describe(
      'Claim of its tokens that names the person, by the name that `commonplace account identity` gave an account.',
    ),
};

const loggingSettings = {
  logLevel: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('warn')
    .describe(
      'How much is logged on stderr. Where it is not set, `serve` says what it does (info), and commands only what fails.',
    ),
};

/** Topics of the settings, in the order in which they are listed. */
export const settingTopics = [
  { title: 'Folder and logging', settings: loggingSettings },
  { title: 'Fetching', settings: fetchingSettings },
  { title: 'Following', settings: followingSettings },
  { title: 'Processing', settings: processingSettings },
  { title: 'Searching', settings: searchSettings },
  { title: 'Sentence models', settings: embeddingSettings },
  { title: 'Analyses by Claude', settings: claudeSettings },
  { title: 'Storage', settings: storageSettings },
  { title: 'Tools for assistants', settings: assistantSettings },
  { title: 'The HTTP server', settings: httpSettings },
  { title: 'Signing in', settings: signInSettings },
] as const;

/** All settings: allowed values, default and description of each. */
export const settings = z.strictObject({
  ...loggingSettings,
  ...fetchingSettings,
  ...followingSettings,
  ...processingSettings,
  ...searchSettings,
  ...embeddingSettings,
  ...claudeSettings,
  ...storageSettings,
  ...assistantSettings,
  ...httpSettings,
  ...signInSettings,
});
export type Settings = z.infer<typeof settings>;
export type SettingName = keyof Settings;

/**
 * Secret settings. They have no flags (other users of the machine see command lines), are never printed, and may be
 * read from a file that the environment names (`COMMONPLACE_CLAUDE_API_KEY_FILE`).
 */
export const secretSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  'proxy',
  'mailboxPassword',
  'claudeApiKey',
  'embeddingApiKey',
  'databaseUrl',
  'databaseOwnerUrl',
  'objectStoreUrl',
]);

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings.shape, name);
}
