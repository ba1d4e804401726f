import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The platform's standard folder for a user's application data. */
export function defaultDataFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  const home = homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Commonplace');
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Commonplace');
  // The XDG specification says to ignore a relative path.
  const shared = environment['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(shared) ? shared : join(home, '.local', 'share'), 'commonplace');
}
