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

/** The data folder, if there is no doubt which one is meant. */
export function dataFolderOf(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const places = argv.flatMap((word, at) => {
    if (word === '--data') return [argv[at + 1] ?? ''];
    return word.startsWith('--data=') ? [word.slice('--data='.length)] : [];
  });
  if (places.length > 1) return null;
  const folder = places[0] ?? (environment['COMMONPLACE_DATA'] || defaultDataFolder(environment, process.platform));
  // Another process has another working folder.
  return isAbsolute(folder) ? folder : null;
}
