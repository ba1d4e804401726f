import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import type { Pattern } from './small-alphabet.ts';

/** `at` is `file:line`, seen from the root. `maxInput` is the bound in UTF-16 units that the comment above gives. */
export type FoundPattern = Pattern & { at: string; maxInput?: number };

type SyntaxNode = { type: string; start: number } & Record<string, unknown>;

function visit(value: unknown, inFunction: boolean, each: (node: SyntaxNode, inFunction: boolean) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const type = 'type' in value && typeof value.type === 'string' ? value.type : '';
  if (type !== '') each(value as SyntaxNode, inFunction);
  for (const child of Object.values(value)) visit(child, inFunction || type.includes('Function'), each);
}

/** `new RegExp(…)`, `RegExp(…)`, and `text.match('…')`, which builds an expression of its string. */
function isBuilding({ type, callee, arguments: given }: SyntaxNode): boolean {
  if (type !== 'NewExpression' && type !== 'CallExpression') return false;
  const { name, property } = callee as { name?: string; property?: { name?: string } };
  const [argument] = given as { type: string; value?: unknown }[];
  const isText = argument?.type === 'TemplateLiteral' || typeof argument?.value === 'string';
  return name === 'RegExp' || (isText && ['match', 'matchAll', 'search'].includes(property?.name ?? ''));
}

/** What these files really build while they load: the constructor notes by which line it is called. */
async function builtOnLoading(root: string, files: Iterable<string>): Promise<FoundPattern[]> {
  const built: FoundPattern[] = [];
  const original = globalThis.RegExp;
  const construct = (target: RegExpConstructor, args: [string, string?]): RegExp => {
    const pattern = new target(...args);
    const caller = new Error('caller').stack?.split('\n')[2] ?? '';
    const [, url = root, line] = original(String.raw`(file://\S{1,4096}?)(:\d+):\d+\)?$`).exec(caller) ?? [];
    const at = `${relative(root, fileURLToPath(url)).replaceAll('\\', '/')}${line}`;
    built.push({ at, source: pattern.source, flags: pattern.flags });
    return pattern;
  };
  globalThis.RegExp = new Proxy(original, { construct });
  try {
    // A query makes its own module: the one without may have been loaded already.
    for (const file of files) await import(`${pathToFileURL(join(root, file)).href}?patterns`);
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}

/** Every regular expression in the TypeScript files of `folder` (seen from `root`); `faults` says which cannot be known. */
export async function findPatterns(root: string, folder = 'src') {
  const patterns: FoundPattern[] = [];
  const faults: string[] = [];
  const building = new Set<string>();
  for (const file of globSync(`${folder}/**/*.ts`, { cwd: root }).toSorted()) {
    const text = readFileSync(join(root, file), 'utf8');
    visit(parseAst(text, { lang: 'ts' }), false, (node, inFunction) => {
      const regex = node['regex'] as { pattern: string; flags: string } | null | undefined;
      if (!regex && !isBuilding(node)) return;
      const before = text.slice(0, node.start).split('\n');
      const [, what, bound] =
        /\/\/ regex: (at most ([\d,]+) characters|built on loading): \S/.exec(before.at(-2)!) ?? [];
      const at = `${file}:${before.length}`;
      if (regex) {
        const { pattern: source, flags } = regex;
        patterns.push({ at, source, flags, ...(bound && { maxInput: Number(bound.replace(',', '')) }) });
      } else if (!inFunction || what !== undefined) building.add(file);
      else faults.push(`${at} builds an expression of what is not known: build it outside functions.`);
    });
  }
  const built = await builtOnLoading(root, building);
  patterns.push(...built.filter(({ at }) => at.startsWith(`${folder}/`)));
  return { patterns, faults };
}
