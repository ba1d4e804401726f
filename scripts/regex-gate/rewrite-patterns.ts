import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** An expression as text, and what becomes of it on the way to the checker. */
export interface Pattern {
  source: string;
  flags: string;
}

const parser = new RegExpParser({ ecmaVersion: 2025 });

function parse({ source, flags }: Pattern): AST.Pattern {
  return parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
}

/** What stands only in expressions with the `v` flag, such as characters that are several code points. */
export class NotRewritableError extends Error {
  constructor(part: string) {
    super(`cannot be said without the v flag: ${part}`);
    this.name = 'NotRewritableError';
  }
}

/** A class of the `v` flag in the terms of the `u` flag: `[A--B]` is `(?![B])[A]`, `[A&&B]` is `(?=[B])[A]`. */
function oldClass(
  node: AST.Element | AST.UnicodeSetsCharacterClass['elements'][number] | AST.ClassIntersection | AST.ClassSubtraction,
): string {
  switch (node.type) {
    case 'ExpressionCharacterClass': {
      const inner = oldClass(node.expression);
      return node.negate ? `(?:(?!${inner})[^])` : inner;
    }
    case 'ClassSubtraction':
      return `(?:(?!${oldClass(node.right)})${oldClass(node.left)})`;
    case 'ClassIntersection':
      return `(?:(?=${oldClass(node.right)})${oldClass(node.left)})`;
    case 'CharacterClass': {
      const any = node.elements.map((element) => oldClass(element)).join('|');
      return node.negate ? `(?:(?!${any})[^])` : `(?:${any})`;
    }
    case 'CharacterClassRange':
      return `[${node.raw}]`;
    case 'Character':
      return `[${node.raw.length === 1 && String.raw`\]^-`.includes(node.raw) ? `\\${node.raw}` : node.raw}]`;
    case 'CharacterSet':
      if (node.kind === 'property' && node.strings) throw new NotRewritableError(node.raw);
      return node.raw;
    default:
      throw new NotRewritableError(node.raw);
  }
}

/** The same expression without the `v` flag, which the checker does not know. */
export function withoutSets(pattern: Pattern): Pattern {
  if (!pattern.flags.includes('v')) return pattern;
  const replaced: { start: number; end: number; text: string }[] = [];
  const visit = (node: AST.Node): void => {
    switch (node.type) {
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
      case 'CharacterClass':
        replaced.push({ start: node.start, end: node.end, text: oldClass(node) });
        return;
      case 'Quantifier':
        return visit(node.element);
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives.forEach((alternative) => visit(alternative));
      case 'Assertion':
        if ('alternatives' in node) node.alternatives.forEach((alternative) => visit(alternative));
        return;
      case 'Alternative':
        return node.elements.forEach((element) => visit(element));
      default:
    }
  };
  visit(parse(pattern));
  let source = pattern.source;
  for (const { start, end, text } of replaced.toReversed()) source = source.slice(0, start) + text + source.slice(end);
  return { source, flags: pattern.flags.replace('v', 'u') };
}

/**
 * The first alternation that stands in no repetition, as one expression for each of its branches; one expression when there is none.
 * A backtracking matcher tries the branches one after the other, so `X(a|b)Y` never takes more steps than `XaY` and `XbY` together:
 * when each branch is linear, the whole is.
 */
export function branches(pattern: Pattern): Pattern[] {
  const { source, flags } = pattern;
  const tree = parse(pattern);
  if (/\\(?:[1-9]|k<)/.test(source)) return [pattern];
  const split = (
    node: AST.Pattern | AST.Group | AST.CapturingGroup | AST.Alternative,
    start: number,
    end: number,
  ): string[] => {
    if (node.type === 'Alternative') {
      for (const element of node.elements) {
        if (element.type === 'Group' || element.type === 'CapturingGroup') {
          if (element.type === 'Group' && element.modifiers !== null) continue;
          const inner = split(element, element.start, element.end);
          if (inner.length > 1) return inner;
        } else if (element.type === 'Quantifier' && element.min === 0 && element.max === 1) {
          const [before, after] = [source.slice(0, element.start), source.slice(element.end)];
          return [before + after, before + element.element.raw + after];
        }
      }
      return [];
    }
    const [before, after] = [source.slice(0, start), source.slice(end)];
    if (node.alternatives.length > 1) return node.alternatives.map(({ raw }) => `${before}(?:${raw})${after}`);
    const [only] = node.alternatives;
    return only === undefined ? [] : split(only, only.start, only.end);
  };
  const parts = split(tree, 0, source.length);
  return parts.length > 1 ? parts.map((part) => ({ source: part, flags })) : [pattern];
}
