import { z } from 'zod';
import { parseKeepRules } from '../domain/backups/retention.ts';
import { installableNames } from '../app/installable-models.ts';

function holdsUser(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}

const seconds = z.number().min(1).max(86_400);
/** The text is never in an error: it holds a password. */
const databaseAddress = z
  .string()
  .refine(
    (text) => text === '' || (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)),
    'must be an address such as postgres://role:password@host/database, with special characters of the password percent-encoded',
  )
  .default('');
/** Separated by commas on the command line and in the environment. */
const names = z.array(z.string().min(1));

/** All settings: allowed values, default and description of each. */
export const settings = z.strictObject({
  logLevel: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('warn')
    .describe(
      'How much is logged on stderr. Where it is not set, `serve` says what it does (info), and commands only what fails.',
    ),
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
  workers: z
    .int()
    .min(0)
    .max(32)
    .default(6)
    .describe(
      'Items of one account read at once, with one more for other accounts; fetching has places of its own, and so have vectors and analyses. 0: this process saves but does not process.',
    ),
  maxAttempts: z
    .int()
    .min(1)
    .max(20)
    .default(6)
    .describe('Attempts before an item that could still succeed is given up.'),
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
  embedder: z
    .enum(['builtin', ...installableNames, 'openai', 'onnx', 'none'])
    .default('builtin')
    .describe(
      'What turns text into vectors: the sentence model in the package (builtin), one that `commonplace model install` fetched (bge-small-en-v1.5, multilingual-e5-small), a server that speaks OpenAI’s embeddings API (openai: OpenAI, Voyage, Ollama, LM Studio), a model file of your own (onnx), or nothing (none: search by words alone).',
    ),
  modelHub: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe('Where `commonplace model install` downloads from, or a mirror of it.'),
  onnxModel: z
    .string()
    .default('')
    .describe(
      'Sentence model for `embedder` onnx: the path of an .onnx file, with tokenizer.json and config.json beside it or one folder above. Wants onnxruntime-node installed there.',
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
    .describe('Model of that server. Another one embeds everything anew, in the background.'),
  embeddingDimensions: z
    .int()
    .min(0)
    .max(16_384)
    .default(0)
    .describe('Numbers in a vector, for models that can shorten theirs. 0: as many as the model gives.'),
  embeddingQueryPrefix: z
    .string()
    .max(1_000)
    .default('auto')
    .describe(
      'Written before each question. auto: what is known of the model (nomic-embed, e5, bge, mxbai …); or none.',
    ),
  embeddingPassagePrefix: z
    .string()
    .max(1_000)
    .default('auto')
    .describe('Written before each passage, in the same way. Another one embeds everything anew.'),
  embeddingLanguages: names
    .default(['auto'])
    .describe('Languages that the model knows, such as en,de. auto: what is known of the model; any: all.'),
  embeddingBatchTexts: z.int().min(1).max(256).default(64).describe('Passages in one request.'),
  embeddingBatchTokens: z
    .int()
    .min(256)
    .max(1_000_000)
    .default(16_000)
    .describe('Tokens (of 3 characters) in one request.'),
  embeddingRequestsPerMinute: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('Requests a minute to that server. 0: as many as it takes.'),
  embeddingTimeoutSeconds: seconds
    .default(60)
    .describe('Time for one answer of that server; a question waits for 10 seconds at most.'),
  searchThreads: z
    .boolean()
    .default(true)
    .describe(
      'Search, and write large items, in threads of their own, so that nobody else waits for it. Off: in the main thread, for machines with very little memory.',
    ),
  vectorMemoryMegabytes: z
    .int()
    .min(0)
    .max(65_536)
    .default(512)
    .describe(
      'Memory for vectors, which makes large accounts fast to search; a million passages take 500 MB. 0: they are read from the disk.',
    ),
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
  historyMegabytes: z
    .int()
    .min(1)
    .max(65_536)
    .default(200)
    .describe('Largest history of an account; the oldest changes go first.'),
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
  indexCopiesMegabytes: z
    .int()
    .min(100)
    .max(100_000_000)
    .default(20_480)
    .describe(
      'What copies of search indexes may take on the disk of a server, beside databaseUrl: some 4 kB a passage. Those that were not used for longest go first. Another process on the same data folder may take as much.',
    ),
  objectStoreUrl: z
    .string()
    .max(2_048)
    .default('')
    .describe(
      'Bucket of an S3-compatible server for large originals, beside databaseUrl: https://host/bucket/prefix?region=…. Empty: they stay in the database.',
    ),
  objectStoreKeyId: z.string().max(1_024).default('').describe('Id of the key of that bucket.'),
  objectStoreSecret: z
    .string()
    .max(4_096)
    .default('')
    .describe('Secret of that key. Not a flag: command lines are public.'),
  backupTo: z
    .string()
    .max(4_096)
    .default('')
    .describe('Folder into which `serve` writes a backup when the newest one there is old. Empty: it writes none.'),
  backupKeep: z
    .string()
    .refine((text) => parseKeepRules(text) !== null, 'must be a list such as 7d,4w,12m')
    .default('7d,4w,12m')
    .describe('Which backups of that folder are kept: the newest of so many days, weeks and months.'),
  backupEveryHours: z
    .number()
    .min(1)
    .max(24 * 366)
    .default(24)
    .describe('How old the newest backup of that folder may become.'),
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
  apiV1: z
    .boolean()
    .default(false)
    .describe('Preview: also answer under /api/v1, which may still change. Off: every path there is not found.'),
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
  authorizationScopes: names
    .default([])
    .describe(
      'What its scopes mean here, such as library.read=content:read,library.read=search:read. Empty: they have the names of ours.',
    ),
  corsOrigins: names
    .default([])
    .describe('Origins of web pages that may call the server, such as https://app.example.org.'),
  rateLimitPerMinute: z.int().min(0).max(1_000_000).default(600).describe('Requests a minute and token. 0: no limit.'),
  failedAuthPerMinute: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(20)
    .describe('Requests with a wrong token a minute and address. 0: no limit.'),
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
  claudeInputPrice: z
    .number()
    .min(0)
    .default(0.1)
    .describe('Dollars a million tokens that the model reads (claude-haiku-5-5, November 2026).'),
  claudeOutputPrice: z
    .number()
    .min(0)
    .default(0.5)
    .describe('Dollars a million tokens that the model writes (claude-haiku-5-5, November 2026).'),
  claudeTokensPerDay: z
    .int()
    .min(0)
    .default(5_000_000)
    .describe('Tokens a day (UTC) that all accounts together may use. 0: none.'),
  claudeDollarsPerDay: z
    .number()
    .min(0)
    .default(1)
    .describe('Dollars a day (UTC) that all accounts together may spend, by the prices above.'),
  claudeItemsAtOnce: z.int().min(1).max(32).default(2).describe('Items that the model analyses at once.'),
  claudeSectionTokens: z
    .int()
    .min(1_000)
    .max(1_000_000)
    .default(60_000)
    .describe('Longest text in one call, in tokens of 4 characters; a longer one is read section by section.'),
  claudeMaxSections: z
    .int()
    .min(1)
    .max(200)
    .default(20)
    .describe('Sections that are read of one item. What comes after them is not read, and the item says so.'),
  claudeTimeoutSeconds: seconds.default(180).describe('Time for one answer of the model.'),
  ocr: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      'Recognise English text in pictures and on scanned pages. Needs three more packages; `commonplace doctor` names them.',
    ),
  embedderCpuShare: z
    .number()
    .min(1)
    .max(100)
    .default(100)
    .describe(
      'Per cent of the processors that a sentence model on this machine may take for passages (of one processor with `embedder: onnx`); questions take what they need.',
    ),
  embedderIdleSeconds: seconds.default(120).describe('The sentence model is unloaded after this long without use.'),
});
export type Settings = z.infer<typeof settings>;
export type SettingName = keyof Settings;

/**
 * Secret settings. They have no flags (other users of the machine see command lines), are never printed, and may be
 * read from a file that the environment names (`COMMONPLACE_CLAUDE_API_KEY_FILE`).
 */
export const secretSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  'claudeApiKey',
  'embeddingApiKey',
  'databaseUrl',
  'databaseOwnerUrl',
  'objectStoreSecret',
]);

/** Settings whose value is not trimmed: spaces at the end are significant. */
export const spacedSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  'embeddingQueryPrefix',
  'embeddingPassagePrefix',
]);

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings.shape, name);
}
