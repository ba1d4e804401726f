import { createHash } from 'node:crypto';
import type { AppError } from '../../errors.ts';
import { invalidInput } from '../../errors.ts';
import { safeName } from '../file-names.ts';

/*
 * How the files of a vault are named and their front matter is built: a first line with the path, such as
 * `Articles/{{site}}/{{title}}`, and after it, between lines of three dashes, `key: value`. There are placeholders, but no
 * expressions.
 */

export interface Template {
  /** Names of folders and of the file. */
  place: readonly string[];
  fields: readonly (readonly [key: string, value: string])[];
  /** Differs when the front matter does. */
  print: string;
}

const standardFields =
  'title url archived_copy archived_on author site type language published saved status shelf read tags lists copyOf'.split(
    ' ',
  );
const placeholders = new Set(['id', ...standardFields, 'list', 'year', 'month']);
const placeholder = /\{\{ {0,9}([A-Za-z_]{1,30}) {0,9}\}\}/g;
const maxTemplate = 20_000;
const maxFolders = 8;

export const standardTemplate = 'Commonplace/{{title}}';

/** @throws {AppError} `invalid_input` for a template that cannot be used */
export function parseTemplate(text: string): Template {
  if (text.length > maxTemplate) throw refused(`has more than ${maxTemplate} characters`);
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const place = (lines[0] ?? '')
    .trim()
    .replace(/\.md$/i, '')
    .split('/')
    .filter((name) => name.trim() !== '');
  if (place.length === 0 || place.length > maxFolders)
    throw refused('needs a first line that says where files are: Articles/{{site}}/{{title}}');
  const [, opening, ...rest] = lines.filter((line, at) => at === 0 || line.trim() !== '');
  const end = rest.indexOf('---');
  if (opening !== undefined && (opening !== '---' || end === -1))
    throw refused('has its front matter between two lines of three dashes, after the first line');
  const fields =
    opening === undefined
      ? standardFields.map((name) => [name, `{{${name}}}`] as const)
      : rest.slice(0, end).map((line) => {
          const [, key = '', value = ''] = /^([\p{L}_][\p{L}\p{N}_-]{0,59}):(.{0,1000})$/u.exec(line) ?? [];
          if (key === '') throw refused(`has a line that is not "key: value": ${line.slice(0, 60)}`);
          if (key === 'id' || key === 'conflict_of') throw refused('may not set id: every file has the id of its item');
          return [key, value.trim()] as const;
        });
  for (const value of [...place, ...fields.map(([, one]) => one)])
    for (const [whole, name = ''] of value.matchAll(placeholder))
      if (!placeholders.has(name))
        throw refused(`has ${whole}, which is not known. There are: ${[...placeholders].join(', ')}`);
  return { place, fields, print: createHash('sha256').update(JSON.stringify(fields)).digest('base64').slice(0, 6) };
}

function refused(why: string): AppError {
  return invalidInput(`The template ${why}.`);
}

/** A value that is one placeholder alone stays a list, or is left out where there is nothing. */
export function layOut(
  { fields }: Template,
  known: Readonly<Record<string, YamlValue>>,
): Readonly<Record<string, YamlValue>> {
  const laidOut = fields.map(([key, value]): [string, YamlValue] => {
    const name = soleName(value);
    return [key, name === null ? filled(value, known) : known[name]];
  });
  return { id: known['id'], ...Object.fromEntries(laidOut) };
}

/** The key under which the front matter has one field alone, so that a change of it is understood. */
export function keyOf({ fields }: Template, name: string): string | undefined {
  return fields.find(([, value]) => soleName(value) === name)?.[0];
}

function soleName(value: string): string | null {
  const [found, second] = value.matchAll(placeholder);
  return second === undefined && found?.[0] === value ? (found[1] ?? null) : null;
}

function filled(value: string, known: Readonly<Record<string, YamlValue>>): string {
  return value
    .replaceAll(placeholder, (_, name: string) => {
      const one = known[name] ?? '';
      return Array.isArray(one) ? one.join(', ') : String(one);
    })
    .trim();
}

/** Each is a safe name, so none leads out of the vault. */
export function placeOf({ place }: Template, known: Readonly<Record<string, YamlValue>>): string[] {
  const names = place.map((one) => safeName(filled(one, known)));
  const file = names.pop() || String(known['id']);
  return [...names.filter((name) => name !== ''), file];
}

/*
 * Front matter in YAML. Texts come from outside, so each is written between quotation marks: no title can end the front
 * matter, add a field or become something other than a text.
 */

export type YamlValue = string | number | null | undefined | readonly string[];

/**
 * The lines between the dashes, without those whose value is null, undefined or an empty list.
 * @param kept lines that are added as they are
 */
export function frontMatter(fields: Readonly<Record<string, YamlValue>>, kept = ''): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'number') return [`${name}: ${value}`];
    if (typeof value === 'string') return [`${name}: ${quotedYaml(value)}`];
    return value.length === 0 ? [] : [`${name}:`, ...value.map((one) => `  - ${quotedYaml(one)}`)];
  });
  return `---\n${lines.join('\n')}\n${kept}---\n`;
}

/** Characters that JSON does not escape and YAML forbids. */
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A JSON string is a YAML string, except for a few characters. */
export function quotedYaml(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
