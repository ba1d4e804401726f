import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

/** A regular expression as the program really has it. `at` is `file:line`, seen from the root of the project. */
export interface FoundPattern {
  at: string;
  file: string;
  source: string;
  flags: string;
}

/** A place inside a function that builds an expression, so that not all of its sources are known beforehand. */
export interface BuiltPattern {
  at: string;
  file: string;
  code: string;
}

export interface FoundPatterns {
  known: FoundPattern[];
  built: BuiltPattern[];
}

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const methodsOfPatterns = new Set(['match', 'matchAll', 'search']);

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

interface PlacedNode {
  node: SyntaxNode;
  inFunction: boolean;
}

function* nodesIn(value: unknown, inFunction = false): Generator<PlacedNode> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesIn(item, inFunction);
  } else if (isNode(value)) {
    yield { node: value, inFunction };
    const inner = inFunction || /Function/.test(value.type);
    for (const child of Object.values(value)) yield* nodesIn(child, inner);
  }
}

/** `new RegExp(…)`, `RegExp(…)`, and `text.match('…')`, which builds an expression of its string. */
function isBuilding(node: SyntaxNode): boolean {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false;
  if (!isNode(node['callee'])) return false;
  const { callee } = node;
  if (callee.type === 'Identifier') return callee['name'] === 'RegExp';
  if (callee.type !== 'MemberExpression' || !isNode(callee['property'])) return false;
  const [argument] = Array.isArray(node['arguments']) ? (node['arguments'] as unknown[]) : [];
  const isText = isNode(argument) && (argument.type === 'TemplateLiteral' || typeof argument['value'] === 'string');
  return methodsOfPatterns.has(String(callee['property']['name'])) && isText;
}

/**
 * What `new RegExp(…)` really builds while modules load: the constructor notes by whom it is called. The keys are `file:line`.
 */
async function builtOnLoading(root: string, files: Iterable<string>): Promise<Map<string, RegExp[]>> {
  const noted = new Map<string, RegExp[]>();
  const original = globalThis.RegExp;
  const note = (pattern: RegExp): RegExp => {
    const caller = (new Error('caller').stack ?? '').split('\n')[3] ?? '';
    const place = original(String.raw`file://\S{1,4096}?:\d+(?=:\d+\)?$)`).exec(caller)?.[0];
    if (place !== undefined) {
      const [url, line] = [place.slice(0, place.lastIndexOf(':')), place.slice(place.lastIndexOf(':'))];
      const at = fileURLToPath(url) + line;
      noted.set(at, [...(noted.get(at) ?? []), pattern]);
    }
    return pattern;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args: [string, string?]) => note(new target(...args)),
    apply: (target, _this, args: [string, string?]) => note(target(...args)),
  });
  try {
    // A query makes a module of its own: the one without may have been loaded already.
    for (const file of files) await import(`${pathToFileURL(join(root, file)).href}?patterns`);
  } finally {
    globalThis.RegExp = original;
  }
  return noted;
}

/** Every regular expression in the TypeScript files of `folder` (seen from `root`). */
export async function findPatterns(root: string, folder = 'src'): Promise<FoundPatterns> {
  const known: FoundPattern[] = [];
  const built: BuiltPattern[] = [];
  const atTop: BuiltPattern[] = [];
  for (const file of globSync(`${folder}/**/*.ts`, { cwd: root }).toSorted()) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const { node, inFunction } of nodesIn(parseAst(text, { lang: 'ts' }))) {
      const at = `${file}:${text.slice(0, node.start).split('\n').length}`;
      if (node.type === 'Literal' && node['regex'] !== undefined && node['regex'] !== null) {
        const { pattern, flags } = node['regex'] as { pattern: string; flags: string };
        known.push({ at, file, source: pattern, flags });
      } else if (isBuilding(node)) {
        (inFunction ? built : atTop).push({ at, file, code: text.slice(node.start, node.end) });
      }
    }
  }
  const places = [...atTop, ...built];
  const noted = await builtOnLoading(root, new Set(places.map(({ file }) => file)));
  for (const { at, file } of places) {
    for (const { source, flags } of noted.get(join(root, at)) ?? []) known.push({ at, file, source, flags });
  }
  return { known, built: [...built, ...atTop.filter(({ at }) => !noted.has(join(root, at)))] };
}
