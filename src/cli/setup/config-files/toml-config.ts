import { parse, stringify, TomlError } from 'smol-toml';
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

export function readToml(text: string): ReadConfig {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) throw new ConfigSyntaxError(error.line, 'not valid TOML');
    throw error;
  }
}

/** Lines of the file that hold one entry, its subtables included: from `start` up to `end`. */
interface LineRange {
  start: number;
  end: number;
}

/**
 * Writes the entry as a separate table, in place of the present one or at the end. All other lines are unchanged. An entry in
 * another notation (an inline table, dotted keys) is left to the user.
 */
export function editToml(text: string, edit: EntryEdit): string {
  const eol = lineEndOf(text);
  const lines = wholeLines(text);
  const ranges = entryRanges(lines, edit.path);
  const present = edit.present !== undefined;
  if (present && ranges.length === 0) throw new UneditableConfigError('it is not written as a separate table');
  if (edit.entry === undefined) return removed(lines, ranges);

  const table = stringify(nested(edit.path, mergedEntry(edit))).replaceAll('\n', eol);
  const [first, ...others] = ranges;
  if (first === undefined) {
    const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
    return `${text}${gap}${withNewline(table, eol)}`;
  }
  const kept = removed(lines, others, first.end);
  const isLast = kept === '' && !(lines.at(-1) ?? '').endsWith('\n');
  return `${lines.slice(0, first.start).join('')}${isLast ? table.trimEnd() : withNewline(table, eol)}${kept}`;
}

function withNewline(text: string, eol: string): string {
  return `${text.trimEnd()}${eol}`;
}

function nested(path: readonly string[], entry: object): Record<string, unknown> {
  return path.reduceRight<object>((value, key) => ({ [key]: value }), entry) as Record<string, unknown>;
}

/** The text without those ranges, and without the empty line before each, from line `from` on. */
function removed(lines: readonly string[], ranges: readonly LineRange[], from = 0): string {
  const gone = new Set<number>();
  for (const { start, end } of ranges) {
    for (let line = start; line < end; line += 1) gone.add(line);
    if (start > from && (lines[start - 1] ?? '').trim() === '') gone.add(start - 1);
  }
  return lines.filter((_, line) => line >= from && !gone.has(line)).join('');
}

/** Finds the tables of the entry. Comments and empty lines before the next table belong to that one. */
function entryRanges(lines: readonly string[], path: readonly string[]): LineRange[] {
  const headers = tableHeaders(lines);
  return headers.flatMap(({ line, keys }, at) => {
    if (keys === null || !path.every((key, index) => keys[index] === key)) return [];
    let end = headers[at + 1]?.line ?? lines.length;
    while (end > line + 1 && isBlankOrComment(lines[end - 1] ?? '')) end -= 1;
    return [{ start: line, end }];
  });
}

/** The lines that begin a table, found outside of strings and arrays. `keys` is null for an array of tables. */
function tableHeaders(lines: readonly string[]): { line: number; keys: string[] | null }[] {
  const headers: { line: number; keys: string[] | null }[] = [];
  const state = { quote: '', depth: 0 };
  for (const [line, text] of lines.entries()) {
    const trimmed = text.trim();
    if (state.quote === '' && state.depth === 0 && trimmed.startsWith('[')) {
      headers.push({ line, keys: trimmed.startsWith('[[') ? null : headerKeys(trimmed) });
    } else {
      passLine(text, state);
    }
  }
  return headers;
}

/** The keys of a table's header. The parser reads them, so that every way to quote a key is understood. */
function headerKeys(header: string): string[] {
  const keys: string[] = [];
  let at: unknown = parse(header);
  while (at !== null && typeof at === 'object') {
    const [key] = Object.keys(at);
    if (key === undefined) break;
    keys.push(key);
    at = (at as Record<string, unknown>)[key];
  }
  return keys;
}

/** Follows strings, brackets and braces over one line of values. */
function passLine(text: string, state: { quote: string; depth: number }): void {
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (state.quote !== '') {
      if (character === '\\' && state.quote.startsWith('"')) at += 1;
      else if (text.startsWith(state.quote, at)) {
        at += state.quote.length - 1;
        state.quote = '';
      }
    } else if (character === '"' || character === "'") {
      const triple = character.repeat(3);
      state.quote = text.startsWith(triple, at) ? triple : character;
      at += state.quote.length - 1;
    } else if (character === '#') return;
    else if (character === '[' || character === '{') state.depth += 1;
    else if (character === ']' || character === '}') state.depth -= 1;
  }
  // A string in single or double quotes ends with its line.
  if (state.quote.length === 1) state.quote = '';
}
