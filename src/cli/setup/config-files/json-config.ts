import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { ConfigSyntaxError, type EntryEdit, lineAt, lineEndOf, type ReadConfig } from './config-entry.ts';

/** Reads JSON, with or without comments and commas at the end. An empty file counts as an empty object. */
export function readJson(text: string, allowsComments: boolean): ReadConfig {
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, {
    disallowComments: !allowsComments,
    allowTrailingComma: allowsComments,
  });
  const [first] = errors;
  if (first !== undefined) throw new ConfigSyntaxError(lineAt(text, first.offset), printParseErrorCode(first.error));
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ConfigSyntaxError(1, 'its root is not an object');
  return value as ReadConfig;
}

/** Changes an entry key by key; all else stays. (`modify` of jsonc-parser moves comments around the change.) */
export function editJson(text: string, { path, entry, ownKeys }: EntryEdit): string {
  const layout = layoutOf(text);
  if (text.trim() === '') return `${JSON.stringify(nested(path, entry), null, layout.unit)}${layout.eol}`;
  if (entry === undefined) return removeProperty(text, path);
  const [serversKey, name] = path;
  if (nodeAt(text, path)?.type === 'object') {
    let edited = text;
    for (const key of keysOf(nodeAt(text, path)))
      if (ownKeys.has(key) && !Object.hasOwn(entry, key)) edited = removeProperty(edited, [...path, key]);
    for (const [key, value] of Object.entries(entry)) edited = setProperty(edited, path, key, value, layout);
    return edited;
  }
  return nodeAt(text, [serversKey])?.type === 'object'
    ? setProperty(text, [serversKey], name, entry, layout)
    : setProperty(text, [], serversKey, { [name]: entry }, layout);
}

function nested([serversKey, name]: EntryEdit['path'], entry: unknown): object {
  return { [serversKey]: { [name]: entry } };
}

/** How the file is laid out: its line ends, and one step of its indentation, by the first indented line. */
interface Layout {
  eol: string;
  unit: string;
}

function layoutOf(text: string): Layout {
  return { eol: lineEndOf(text), unit: /\n([ \t]{1,16})\S/.exec(text)?.[1] ?? '  ' };
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

function keysOf(node: Node | undefined): string[] {
  return (node?.children ?? []).map(({ children }) => String(children?.[0]?.value));
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Sets one property of the object at `path`, which must exist. */
function setProperty(text: string, path: readonly string[], key: string, value: unknown, layout: Layout): string {
  const object = nodeAt(text, path);
  if (object === undefined) return text;
  const present = nodeAt(text, [...path, key]);
  const last = object.children?.at(-1);
  const indent = last === undefined ? indentAt(text, object.offset) + layout.unit : ownIndent(text, last.offset);
  const written = (json: unknown) =>
    indent === null
      ? JSON.stringify(json)
      : JSON.stringify(json, null, layout.unit).replaceAll('\n', layout.eol + indent);
  if (present !== undefined) {
    const isSame = JSON.stringify(valueOf(text, present)) === JSON.stringify(value);
    return isSame ? text : splice(text, present.offset, endOf(present), written(value));
  }
  const property = `${JSON.stringify(key)}: ${written(value)}`;
  if (last === undefined) return fillObject(text, object, `${layout.eol}${indent}${property}`, layout);
  const comma = commaAfter(text, endOf(last));
  if (indent === null) {
    return comma === null
      ? splice(text, endOf(last), endOf(last), `, ${property}`)
      : splice(text, comma, comma, ` ${property},`);
  }
  // A comment behind the last property, on its line, stays there.
  const behind = endOfLine(text, comma ?? endOf(last), endOf(object) - 1);
  const added = splice(text, behind, behind, `${layout.eol}${indent}${property}${comma === null ? '' : ','}`);
  return comma === null ? splice(added, endOf(last), endOf(last), ',') : added;
}

/** Puts the first property into an object that may hold comments. */
function fillObject(text: string, object: Node, property: string, { eol }: Layout): string {
  const inside = object.offset + 1;
  const isBare = text.slice(inside, endOf(object) - 1).trim() === '';
  return isBare
    ? splice(text, inside, endOf(object) - 1, `${property}${eol}${indentAt(text, object.offset)}`)
    : splice(text, inside, inside, property);
}

/** Removes a property with its comma, and its lines if nothing else is on them. */
function removeProperty(text: string, path: readonly string[]): string {
  const node = nodeAt(text, path)?.parent;
  const siblings = node?.parent?.children ?? [];
  if (node === undefined) return text;
  const before = siblings[siblings.indexOf(node) - 1];
  const comma = commaAfter(text, endOf(node));
  const start = ownIndent(text, node.offset) === null ? node.offset : startOfLine(text, node.offset);
  let end = comma ?? endOf(node);
  const restOfLine = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  if (start !== node.offset && restOfLine !== null) end += restOfLine[0].length;
  const cut = splice(text, start, end, '');
  const commaBefore = before === undefined ? null : commaAfter(text, endOf(before));
  return comma === null && commaBefore !== null ? splice(cut, commaBefore - 1, commaBefore, '') : cut;
}

function valueOf(text: string, node: Node): unknown {
  return parse(text.slice(node.offset, endOf(node)), [], { allowTrailingComma: true }) as unknown;
}

/** The offset behind the comma that follows; null when something else follows. Comments are skipped. */
function commaAfter(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.startsWith(',', scanner.getTokenOffset()) ? scanner.getTokenOffset() + 1 : null;
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The end of the line at an offset, after spaces and comments of that line, at most `limit`. */
function endOfLine(text: string, offset: number, limit: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let end = offset;
  for (scanner.scan(); scanner.getTokenOffset() < limit; scanner.scan()) {
    const start = scanner.getTokenOffset();
    const token = text.slice(start, start + scanner.getTokenLength());
    if (token.startsWith('//') || token.startsWith('/*')) end = start + token.length;
    else if (token.includes('\n') || token.trim() !== '') break;
  }
  return end;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(startOfLine(text, offset), offset);
  return line.slice(0, line.length - line.trimStart().length);
}

/** The white space before an offset on its line; null when other text precedes it. */
function ownIndent(text: string, offset: number): string | null {
  const start = startOfLine(text, offset);
  const before = text.slice(start, offset);
  return start > 0 && before.trim() === '' ? before : null;
}
