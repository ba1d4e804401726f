import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from './errors.ts';
import { installableNames } from './models/installable-models.ts';

/*
 * Every setting, once. Precedence: flag > environment > config.json in the data folder > default.
 * This is the only file that reads the environment.
 */

const seconds = z.number().min(1).max(86_400);
/** On the command line and in the environment separated by commas. */
const names = z.array(z.string().min(1));

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
    .describe('Items processed at once. 0: this process saves but does not process.'),
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
      'Search in threads of their own, so that a long search holds up nobody. Off: in the main thread, for machines with very little memory.',
    ),
  vectorMemoryMegabytes: z
    .int()
    .min(0)
    .max(65_536)
    .default(512)
    .describe(
      'Memory for vectors, which makes large accounts fast to search; a million passages take 500 MB. 0: they are read from the disk.',
    ),
  manageTools: z
    .boolean()
    .default(false)
    .describe('Show assistants the tools that mend records (edit, delete, restore, goals), too.'),
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
  failedAuthPerMinute: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(20)
    .describe('Requests with a wrong token a minute and address. 0: no limit.'),
  metrics: z
    .boolean()
    .default(false)
    .describe('Answer /metrics, in the form Prometheus reads, to whoever has a token.'),
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
  claudeMostSections: z
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
      'Per cent of one processor that a sentence model on this machine may take for passages; questions take what they need.',
    ),
  embedderIdleSeconds: seconds.default(600).describe('The sentence model is unloaded after this long without use.'),
});
export type Settings = z.infer<typeof settings>;
export type SettingName = keyof Settings;

/**
 * Settings that nobody else may read. They are no flags (other users of a machine see command lines), are never printed,
 * and may be given as the name of a file (`COMMONPLACE_CLAUDE_API_KEY_FILE`).
 */
export const secretSettings: ReadonlySet<SettingName> = new Set<SettingName>(['claudeApiKey', 'embeddingApiKey']);

/** Whose spaces at the end mean something. */
const spacedSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  'embeddingQueryPrefix',
  'embeddingPassagePrefix',
]);

export interface Config extends Settings {
  /** Absolute path of the data folder. */
  data: string;
  /** Where each value came from. */
  origins: Record<SettingName | 'data', 'flag' | 'environment' | 'config.json' | 'default'>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** `allowPrivateAddresses` → `COMMONPLACE_ALLOW_PRIVATE_ADDRESSES`. */
export function environmentName(name: string): string {
  return `COMMONPLACE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** `allowPrivateAddresses` → `--allow-private-addresses`. */
export function flagName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The platform's place for a user's application data. */
function defaultDataFolder(environment: Environment, platform: NodeJS.Platform): string {
  const home = homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Commonplace');
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Commonplace');
  // The XDG specification: a relative path there is to be ignored.
  const shared = environment['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(shared) ? shared : join(home, '.local', 'share'), 'commonplace');
}

function readConfigFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new AppError('invalid_input', 'config.json in the data folder cannot be read: check its permissions.', {
      cause: error,
    });
  }
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch (error) {
    throw new AppError('invalid_input', 'config.json in the data folder is not a JSON object: mend it or remove it.', {
      cause: error,
    });
  }
}

/** What the file holds that `…_FILE` names, for secrets that must not stand in an environment. */
function readSecretFile(name: SettingName, environment: Environment): string | undefined {
  const variable = `${environmentName(name)}_FILE`;
  const path = environment[variable];
  if (!secretSettings.has(name) || path === undefined || path === '') return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new AppError(
      'invalid_input',
      `The file that ${variable} names cannot be read: check the path and its permissions.`,
      {
        cause: error,
      },
    );
  }
}

/** Reads text from a flag or the environment as the setting's own type; what does not fit is left for the schema to refuse. */
function fromText(name: SettingName, text: string): unknown {
  const schema = settings.shape[name].unwrap();
  if (spacedSettings.has(name)) return text;
  const trimmed = text.trim();
  if (schema instanceof z.ZodBoolean) {
    if (/^(true|1|yes|on)$/i.test(trimmed)) return true;
    if (/^(false|0|no|off)$/i.test(trimmed)) return false;
  }
  if (schema instanceof z.ZodArray) return trimmed === '' ? [] : trimmed.split(',').map((part) => part.trim());
  if (schema instanceof z.ZodNumber && trimmed !== '' && Number.isFinite(Number(trimmed))) return Number(trimmed);
  return trimmed;
}

/**
 * Puts the settings together.
 * @param flags values of the command line, by setting name; undefined where a flag was not given
 * @throws {AppError} `invalid_input` naming the setting, where it came from and what it may be
 */
export function loadConfig(
  flags: Readonly<Record<string, unknown>> = {},
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): Config {
  const names = Object.keys(settings.shape) as SettingName[];
  const origins = Object.fromEntries([...names, 'data'].map((name) => [name, 'default'])) as Config['origins'];

  const flaggedData = typeof flags['data'] === 'string' && flags['data'] !== '' ? flags['data'] : undefined;
  const environmentData = environment[environmentName('data')];
  if (flaggedData !== undefined) origins.data = 'flag';
  else if (environmentData) origins.data = 'environment';
  const data = resolve(flaggedData ?? (environmentData || defaultDataFolder(environment, platform)));

  const file = readConfigFile(join(data, 'config.json'));
  const unknown = Object.keys(file).filter((key) => !Object.hasOwn(settings.shape, key));
  if (unknown.length > 0) {
    throw new AppError(
      'invalid_input',
      `config.json has settings that do not exist: ${unknown.join(', ')}. \`commonplace config\` lists those that do.`,
    );
  }

  const values: Record<string, unknown> = {};
  for (const name of names) {
    const flag = secretSettings.has(name) ? undefined : flags[name];
    const variable = environment[environmentName(name)] || readSecretFile(name, environment);
    if (flag !== undefined) {
      values[name] = typeof flag === 'string' ? fromText(name, flag) : flag;
      origins[name] = 'flag';
    } else if (variable !== undefined && variable !== '') {
      values[name] = fromText(name, variable);
      origins[name] = 'environment';
    } else if (Object.hasOwn(file, name)) {
      values[name] = file[name];
      origins[name] = 'config.json';
    }
  }

  const parsed = parseSettings(values, (name) => {
    const where = {
      flag: flagName(name),
      environment: environmentName(name),
      'config.json': `"${name}" in config.json`,
      default: name,
    };
    return where[origins[name]];
  });
  return { ...parsed, data, origins };
}

function parseSettings(values: Readonly<Record<string, unknown>>, placeOf: (name: SettingName) => string): Settings {
  // Parsed once: making code for it, as zod does by default, takes longer than it saves.
  const parsed = settings.safeParse(values, { jitless: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${placeOf(issue.path[0] as SettingName)}: ${issue.message}`);
  throw new AppError('invalid_input', `A setting is not valid. ${problems.join('; ')}.`);
}

/**
 * Settings as they would be with some of them changed.
 * @param changes values as text, by setting name
 * @throws {AppError} `invalid_input` for a name that is none, a secret, or a value that does not fit
 */
export function changeSettings(config: Config, changes: ReadonlyMap<string, string>): Settings {
  const { data: _data, origins: _origins, ...values } = config;
  const changed = [...changes].map(([name, text]) => {
    if (!isSettingName(name) || secretSettings.has(name)) {
      throw new AppError(
        'invalid_input',
        `${name.slice(0, 60).toWellFormed()} is no setting that can be changed here. \`commonplace config\` lists those there are.`,
      );
    }
    return [name, fromText(name, text)] as const;
  });
  return parseSettings({ ...values, ...Object.fromEntries(changed) }, (name) => name);
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings.shape, name);
}

/** Whether the settings name a model that writes: by a key, or by another server than the usual one. */
export function isModelSet({ claudeApiKey, origins }: Config): boolean {
  return claudeApiKey !== '' || origins.claudeBaseUrl !== 'default';
}
