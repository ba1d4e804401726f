import { isDeepStrictEqual } from 'node:util';
import {
  ConfigSyntaxError,
  type EntryEdit,
  isRecord,
  mergedEntry,
  type ReadConfig,
  UneditableConfigError,
} from './config-entry.ts';
import type { ConfigFormat, Entry } from '../hosts.ts';
import { editJson, readJson } from './json-config.ts';
import { editToml, readToml } from './toml-config.ts';
import { editYaml, readYaml } from './yaml-config.ts';

const byteOrderMark = '\ufeff';

/** @throws {ConfigSyntaxError} */
export function readConfig(format: ConfigFormat, text: string): ReadConfig {
  const bare = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  if (format === 'toml') return readToml(bare);
  if (format === 'yaml') return readYaml(bare);
  return readJson(bare, format === 'jsonc');
}

export function entryIn(config: ReadConfig, [serversKey, name]: readonly [string, string]): unknown {
  const servers = Object.hasOwn(config, serversKey) ? config[serversKey] : undefined;
  return isRecord(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
}

/**
 * Sets or removes one entry of a configuration. The result is parsed again to check that only this entry has changed.
 * @returns the same text when nothing has to change
 * @throws {ConfigSyntaxError} when the text is not valid
 * @throws {UneditableConfigError} when the entry cannot be changed without touching other parts
 */
export function editConfig(
  format: ConfigFormat,
  text: string,
  change: Pick<EntryEdit, 'path' | 'entry' | 'ownKeys'>,
): string {
  const before = readConfig(format, text);
  const [serversKey] = change.path;
  const servers = Object.hasOwn(before, serversKey) ? before[serversKey] : undefined;
  if (servers !== undefined && servers !== null && !isRecord(servers))
    throw new UneditableConfigError(`its "${serversKey}" holds no servers`);
  const edit: EntryEdit = { ...change, present: entryIn(before, change.path) };
  const wanted = edit.entry === undefined ? undefined : mergedEntry(edit);
  if (isDeepStrictEqual(plain(edit.present), plain(wanted))) return text;

  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const bare = text.slice(mark.length);
  const edited =
    mark + (format === 'toml' ? editToml(bare, edit) : format === 'yaml' ? editYaml(bare, edit) : editJson(bare, edit));
  if (!isOnlyChange(before, readAgain(format, edited), change.path, wanted))
    throw new UneditableConfigError('its notation is not known to this program');
  return edited;
}

function readAgain(format: ConfigFormat, edited: string): ReadConfig {
  try {
    return readConfig(format, edited);
  } catch (error) {
    if (error instanceof ConfigSyntaxError)
      throw new UneditableConfigError('its notation is not known to this program', { cause: error });
    throw error;
  }
}

/** Dates and the like compare by what they print; objects of parsers lose their prototypes. */
function plain(value: unknown): unknown {
  return value === undefined
    ? undefined
    : (JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one))) as unknown);
}

function isOnlyChange(
  before: ReadConfig,
  after: ReadConfig,
  [serversKey, name]: readonly [string, string],
  wanted: Entry | undefined,
): boolean {
  const rest = (config: ReadConfig) => {
    const servers = isRecord(config[serversKey]) ? config[serversKey] : {};
    const others = Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name));
    return plain({ ...config, [serversKey]: others });
  };
  return (
    isDeepStrictEqual(plain(entryIn(after, [serversKey, name])), plain(wanted)) &&
    isDeepStrictEqual(rest(before), rest(after))
  );
}
