import { z } from 'zod';
import { assistantSettings } from './assistants.ts';
import { claudeSettings } from './claude.ts';
import { embeddingSettings } from './embedding.ts';
import { fetchingSettings } from './fetching.ts';
import { httpSettings } from './http.ts';
import { processingSettings } from './processing.ts';
import { searchSettings } from './search.ts';
import { signInSettings } from './sign-in.ts';
import { storageSettings } from './storage.ts';

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
  'claudeApiKey',
  'embeddingApiKey',
  'databaseUrl',
  'databaseOwnerUrl',
  'objectStoreUrl',
]);

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings.shape, name);
}
