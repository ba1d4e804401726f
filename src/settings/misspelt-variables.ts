import { editDistance } from '../domain/search/spelling.ts';
import { environmentName, type Environment } from './config.ts';
import { secretSettings, type SettingName, settings } from './settings.ts';

/** Variables that are no settings: of the data folder, of examples in the docs and of the bundle for Claude Desktop. */
const otherNames: readonly string[] = ['data', 'token', 'key', 'url', 'node'].map(environmentName);

const prefix = environmentName('');
/** Longer words are not compared. */
const maxLetters = 32;

/** A sentence for each variable that is not a setting and nearly named like one: it has no effect, and nothing else says so. */
export function misspeltVariables(environment: Environment): string[] {
  const settingNames = (Object.keys(settings.shape) as SettingName[]).flatMap((name) =>
    secretSettings.has(name) ? [environmentName(name), `${environmentName(name)}_FILE`] : [environmentName(name)],
  );
  const known = new Set([...settingNames, ...otherNames]);
  return Object.keys(environment).flatMap((name) => {
    const value = environment[name] ?? '';
    if (!name.startsWith(prefix) || value === '' || isAddressOfService(value) || known.has(name)) return [];
    const nearest = nearestName(name, [...settingNames, environmentName('data')]);
    return nearest === null ? [] : [`${name} has no effect: there is no such setting. Did you mean ${nearest}?`];
  });
}

/** Kubernetes sets COMMONPLACE_PORT for a service that is named `commonplace`. */
function isAddressOfService(value: string): boolean {
  return /^(?:tcp|udp|sctp):\/\//.test(value);
}

/** The setting that was probably meant by a name that none has; null when none is near. */
export function nearestSetting(name: string): SettingName | null {
  const all = Object.keys(settings.shape) as SettingName[];
  const nearest = nearestName(environmentName(name), all.map(environmentName));
  return all.find((one) => environmentName(one) === nearest) ?? null;
}

function nearestName(name: string, names: readonly string[]): string | null {
  const given = name.slice(prefix.length);
  if (given.length > maxLetters) return null;
  const maxMistakes = Math.min(3, 1 + Math.floor(given.length / 5));
  const ranked = names
    .map((other) => ({ other, mistakes: editDistance(given, other.slice(prefix.length), maxMistakes) }))
    .toSorted((a, b) => a.mistakes - b.mistakes);
  const close = ranked.find(({ mistakes }) => mistakes <= maxMistakes);
  return (close ?? ranked.find(({ other }) => lacksWords(given, other.slice(prefix.length))))?.other ?? null;
}

/** True if `given` is `name` without some of its words: PORT for HTTP_PORT. */
function lacksWords(given: string, name: string): boolean {
  const words = name.split('_');
  return given.split('_').every((word) => words.includes(word));
}
