import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { defaultDataFolder } from './default-data-folder.ts';
import type { Proxies } from '../domain/links/proxies.ts';
import { fieldProblems } from '../domain/refused-input.ts';
import { invalidInput, codeOf } from '../errors.ts';
import { isSettingName, secretSettings, type SettingName, settings, type Settings } from './settings.ts';

/*
 * Loads the settings. Precedence: flag > environment > config.json in the data folder > default.
 * This is the only file that reads the environment.
 */

export interface Config extends Settings {
  /** Absolute path of the data folder. */
  data: string;
  /** The source of each value. */
  origins: Record<SettingName | 'data', 'flag' | 'environment' | 'config.json' | 'default'>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** All variables of this process, for code that inspects the machine rather than settings. */
export function readEnvironment(): Environment {
  return process.env;
}

/** `allowPrivateAddresses` → `COMMONPLACE_ALLOW_PRIVATE_ADDRESSES`. */
export function environmentName(name: string): string {
  return `COMMONPLACE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** `allowPrivateAddresses` → `--allow-private-addresses`. */
export function flagName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Reads the file that `…_FILE` names, for secrets that must not be in the environment. */
function readSecretFile(name: SettingName, environment: Environment): string | undefined {
  const variable = `${environmentName(name)}_FILE`;
  const path = environment[variable];
  if (!secretSettings.has(name) || path === undefined || path === '') return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw invalidInput(`The file named by ${variable} cannot be read: check the path and its permissions.`, {
      cause: error,
    });
  }
}

/** Well-known variables by their setting. All our own sources take precedence. */
const sharedVariables: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  proxy: ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'],
  noProxy: ['no_proxy', 'NO_PROXY'],
};

/** Converts text from a flag or the environment to the setting's type. The schema refuses what cannot be converted. */
export function fromText(name: SettingName, text: string): unknown {
  const schema = settings.shape[name].unwrap();
  const trimmed = text.trim();
  if (schema instanceof z.ZodBoolean) {
    if (/^(true|1|yes|on)$/i.test(trimmed)) return true;
    if (/^(false|0|no|off)$/i.test(trimmed)) return false;
  }
  if (schema instanceof z.ZodArray) {
    const parts = trimmed === '' ? [] : trimmed.split(',').map((part) => part.trim());
    return schema.element instanceof z.ZodNumber ? parts.map((part) => (part === '' ? part : Number(part))) : parts;
  }
  if (schema instanceof z.ZodNumber && trimmed !== '' && Number.isFinite(Number(trimmed))) return Number(trimmed);
  return trimmed;
}

/**
 * Loads and validates the settings.
 * @param flags values of the command line, by setting name; undefined for a flag that was not given
 * @param readFile reads `config.json`; a command that mends it leaves it out
 * @throws {AppError} `invalid_input`, with the setting, where its value came from and which values are allowed
 */
export function loadConfig(
  flags: Readonly<Record<string, unknown>> = {},
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  readFile: (dataFolder: string) => Pick<ConfigFile, 'values'> = readConfigFile,
): Config {
  const names = Object.keys(settings.shape) as SettingName[];
  const origins = Object.fromEntries([...names, 'data'].map((name) => [name, 'default'])) as Config['origins'];

  const flaggedData = typeof flags['data'] === 'string' && flags['data'] !== '' ? flags['data'] : undefined;
  const environmentData = environment[environmentName('data')];
  if (flaggedData !== undefined) origins.data = 'flag';
  else if (environmentData) origins.data = 'environment';
  const data = resolve(flaggedData ?? (environmentData || defaultDataFolder(environment, platform)));

  const file = readFile(data).values;
  const unknown = Object.keys(file).filter((key) => !isSettingName(key));
  if (unknown.length > 0) {
    throw invalidInput(
      `config.json has settings that do not exist: ${unknown.join(', ')}. \`commonplace config unset <name>\` removes one.`,
    );
  }

  const values: Record<string, unknown> = {};
  const variables = new Map(names.map((name) => [name, environmentName(name)]));
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
    } else {
      const shared = sharedVariables[name]?.find((one) => environment[one]);
      if (shared === undefined) continue;
      // In lists of these variables, spaces separate as well, and empty entries are usual.
      const text = environment[shared] ?? '';
      values[name] = fromText(
        name,
        name === 'noProxy'
          ? text
              .split(/[\s,]+/)
              .filter(Boolean)
              .join(',')
          : text,
      );
      origins[name] = 'environment';
      variables.set(name, shared);
    }
  }

  const parsed = parseSettings(values, (name) => {
    const where = {
      flag: flagName(name),
      environment: variables.get(name) ?? name,
      'config.json': `"${name}" in config.json`,
      default: name,
    };
    return where[origins[name]];
  });
  return { ...parsed, data, origins };
}

function parseSettings(values: Readonly<Record<string, unknown>>, placeOf: (name: SettingName) => string): Settings {
  // Used once: compiling the schema to code, as zod does by default, takes longer than it saves.
  const parsed = settings.safeParse(values, { jitless: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) =>
    fieldProblems(issue).map(({ message }) => `${placeOf(issue.path[0] as SettingName)}: ${message}`),
  );
  throw invalidInput(`A setting is not valid. ${problems.join('; ')}.`);
}

/** True if an LLM is configured: by an API key, or by a base URL other than the default. */
export function isModelSet({ claudeApiKey, origins }: Config): boolean {
  return claudeApiKey !== '' || origins.claudeBaseUrl !== 'default';
}

/** The proxy of the settings. */
export function proxiesOf({ proxy, noProxy, proxyResolves }: Settings): Proxies {
  return { proxy, exceptions: noProxy, resolves: proxyResolves };
}

/** The content of `config.json` of a data folder. The settings in it have not been validated. */
export interface ConfigFile {
  path: string;
  /** Null when there is no file. */
  text: string | null;
  values: Record<string, unknown>;
}

/** @throws {AppError} `invalid_input` when the file cannot be read, or is no JSON object */
export function readConfigFile(dataFolder: string): ConfigFile {
  const path = join(dataFolder, 'config.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { path, text: null, values: {} };
    throw invalidInput('config.json in the data folder cannot be read: check its permissions.', {
      cause: error,
    });
  }
  try {
    return { path, text, values: z.record(z.string(), z.unknown()).parse(JSON.parse(text.replace(/^\ufeff/, ''))) };
  } catch (error) {
    throw invalidInput('config.json in the data folder is not a JSON object: mend it or remove it.', {
      cause: error,
    });
  }
}
