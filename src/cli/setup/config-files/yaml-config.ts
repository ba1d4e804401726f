import { isMap, isScalar, LineCounter, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import {
  ConfigSyntaxError,
  type EntryEdit,
  isBlankOrComment,
  lineEndOf,
  mergedEntry,
  type ReadConfig,
  UneditableConfigError,
  wholeLines,
} from './config-entry.ts';

function parsed(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, maxAliasCount: 100 } as Parameters<
    typeof parseDocument
  >[1]);
  return { document, lines };
}

export function readYaml(text: string): ReadConfig {
  const { document, lines } = parsed(text);
  const [error] = document.errors;
  if (error !== undefined) throw new ConfigSyntaxError(lines.linePos(error.pos[0]).line, 'not valid YAML');
  const value = document.toJS({ maxAliasCount: 100 }) as unknown;
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new ConfigSyntaxError(1, 'its root is not a map');
  return value as ReadConfig;
}

/** Replaces, adds or removes the lines of one entry, found by the parser. All other lines stay as they are. */
export function editYaml(text: string, edit: EntryEdit): string {
  const eol = lineEndOf(text);
  const [serversKey = '', name = ''] = edit.path;
  const { document } = parsed(text);
  const servers = isMap(document.contents) ? pairOf(document.contents, serversKey) : undefined;
  const map = servers?.value;
  const isFilled = isMap(map) && map.items.length > 0;
  if (isFilled && map.flow === true) throw new UneditableConfigError('its servers stand in braces');
  const lines = wholeLines(text);

  if (isFilled) {
    const indent = columnOf(text, startOf(map.items[0]));
    const present = pairOf(map, name);
    const block = edit.entry === undefined ? '' : indented({ [name]: mergedEntry(edit) }, indent, eol);
    if (present !== undefined) {
      const [start, end] = linesOf(text, lines, present, map);
      // The last entry takes its key with it: what remains would be a key without a value.
      if (block === '' && map.items.length === 1) {
        const keyLine = lineOf(text, startOf(servers));
        return [...lines.slice(0, keyLine), `${serversKey}: {}${eol}`, ...lines.slice(end)].join('');
      }
      return [...lines.slice(0, start), block, ...lines.slice(end)].join('');
    }
    const last = map.items.at(-1);
    const [, end] = last === undefined ? [0, lines.length] : linesOf(text, lines, last, map);
    const before = lines.slice(0, end).join('');
    return `${closed(before, eol)}${block}${lines.slice(end).join('')}`;
  }
  if (edit.entry === undefined) return text;
  const block = indented({ [serversKey]: { [name]: mergedEntry(edit) } }, 0, eol);
  if (servers === undefined) return `${closed(text, eol)}${block}`;
  const line = lineOf(text, startOf(servers));
  return [...lines.slice(0, line), block, ...lines.slice(line + 1)].join('');
}

type EntryPair = Pair;

function pairOf(map: YAMLMap, key: string): EntryPair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key) as EntryPair | undefined;
}

function startOf(pair: unknown): number {
  const key = (pair as EntryPair | undefined)?.key as { range?: [number, number, number] | null } | undefined;
  return key?.range?.[0] ?? 0;
}

function endOf(pair: EntryPair): number {
  const holder = (pair.value ?? pair.key) as { range?: [number, number, number] | null };
  return holder.range?.[1] ?? startOf(pair);
}

function lineOf(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** The lines of a pair, without comments and empty lines after it: those belong to the next entry. */
function linesOf(text: string, lines: readonly string[], pair: EntryPair, map: YAMLMap): [number, number] {
  const start = lineOf(text, startOf(pair));
  const next = map.items[map.items.indexOf(pair) + 1];
  let end =
    next === undefined ? lineOf(text, Math.max(endOf(pair) - 1, startOf(pair))) + 1 : lineOf(text, startOf(next));
  while (end > start + 1 && isBlankOrComment(lines[end - 1] ?? '')) end -= 1;
  return [start, end];
}

function closed(text: string, eol: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eol;
}

function indented(value: object, columns: number, eol: string): string {
  return stringify(value, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => `${line === '' ? '' : ' '.repeat(columns)}${line}${eol}`)
    .join('');
}
