import { realpathSync } from 'node:fs';
import type { Config } from '../../settings/config.ts';
import type { SettingName } from '../../settings/settings.ts';

/** Settings that no answer of a command that only reads depends on: they are about saving, serving and the machine. */
const withoutInfluence: ReadonlySet<string> = new Set<SettingName>([
  // Looked at by itself: a command that logs does so in its own process.
  'logLevel',
  'allowPrivateAddresses',
  'fetchMaxMegabytes',
  'proxy',
  'noProxy',
  'proxyResolves',
  'webArchive',
  'ytDlpPath',
  'ocr',
  'workers',
  'synchronous',
  'backupTo',
  'manageTools',
  'highlightTools',
  'analyseTools',
  'httpHost',
  'httpPort',
  'publicUrl',
  'allowedHosts',
  'trustedProxies',
  'signIn',
  'trustedIdentityHeader',
  'authorizationServer',
  'authorizationAudience',
  'authorizationClaim',
  'corsOrigins',
  'rateLimitPerMinute',
  'metrics',
  'shutdownGraceSeconds',
]);

/** Whether a server with the settings `own` answers as a process with the settings `asked` would. */
export function answersAlike(own: Config, asked: Config): boolean {
  if (asked.origins.logLevel !== 'default') return false;
  const settingsOf = ({ data: _data, origins: _origins, ...values }: Config) =>
    JSON.stringify(Object.entries(values).filter(([name]) => !withoutInfluence.has(name)));
  return settingsOf(own) === settingsOf(asked) && isSameFolder(own.data, asked.data);
}

function isSameFolder(own: string, asked: string): boolean {
  try {
    return realpathSync(own) === realpathSync(asked);
  } catch {
    return false;
  }
}
