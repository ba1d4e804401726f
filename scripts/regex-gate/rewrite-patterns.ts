import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** An expression as text, and what becomes of it on the way to the checker. */
export interface Pattern {
  source: string;
  flags: string;
}

const parser = new RegExpParser({ ecmaVersion: 2025 });

export function parse({ source, flags }: Pattern): AST.Pattern {
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

/**
 * The same without what may be repeated at the very end, `ab` for `abc*`: a matcher that comes so far has found its match, whatever follows,
 * and passes each character of the end once. The checker, which thinks about what may come after it, can take minutes over it.
 */
export function withoutLastRun(pattern: Pattern): Pattern {
  const replaced: { start: number; end: number; text: string }[] = [];
  const visit = (alternatives: AST.Alternative[]): void => {
    for (const alternative of alternatives) {
      const last = alternative.elements.at(-1);
      if (last?.type === 'Group' || last?.type === 'CapturingGroup') visit(last.alternatives);
      if (last?.type !== 'Quantifier' || last.max !== Number.POSITIVE_INFINITY) continue;
      if (!['Character', 'CharacterSet', 'CharacterClass'].includes(last.element.type)) continue;
      replaced.push({ start: last.start, end: last.end, text: `${last.element.raw}{${last.min}}` });
    }
  };
  visit(parse(pattern).alternatives);
  let { source } = pattern;
  for (const { start, end, text } of replaced.toReversed()) source = source.slice(0, start) + text + source.slice(end);
  return { source, flags: pattern.flags };
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
