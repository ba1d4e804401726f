import type { AST } from '@eslint-community/regexpp';
import { NotRewritableError, parse, type Pattern } from './rewrite-patterns.ts';

/*
 * The checker takes minutes for an expression with large Unicode sets, and decides soon about the same expression over a few characters.
 * All that a matcher sees of a character is which elements of the expression match it. So where the same elements match many characters
 * beyond ASCII, one of them can stand for all. Each text has a text of such stand-ins on which the matcher takes the same steps, and the
 * other way round: safe means safe, and an attack is an attack. Case, line ends and sets need no flags afterwards: each element names what it
 * matches.
 */

/** An element of an expression that matches one character. */
type Element = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

/** ASCII stays as it is, and so do the other line ends: `^`, `$` and `\b` look at them. */
const endOfAscii = 0x80;
const otherLineEnds: readonly number[] = [0x20_28, 0x20_29];
/** Without regard to case these are `s` and `k` to every element, and to `\b`, which would no longer know them without the flag. */
const otherSAndK: readonly number[] = [0x1_7f, 0x21_2a];

/** Nothing, when a part of the expression depends on more of a character than which elements match it. */
function elementsOf(tree: AST.Pattern): Element[] | undefined {
  const found: Element[] = [];
  const isSimple = (node: AST.Node): boolean => {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        found.push(node);
        return true;
      case 'Quantifier':
        return isSimple(node.element);
      case 'Group':
        return node.modifiers === null && node.alternatives.every((alternative) => isSimple(alternative));
      case 'Assertion':
        return !('alternatives' in node) || node.alternatives.every((alternative) => isSimple(alternative));
      case 'Pattern':
      case 'CapturingGroup':
        return node.alternatives.every((alternative) => isSimple(alternative));
      case 'Alternative':
        return node.elements.every((element) => isSimple(element));
      default:
        return false;
    }
  };
  return isSimple(tree) ? found : undefined;
}

/** Every character: code points where the expression sees those, UTF-16 units where it does not. No two surrogates make a pair. */
function everyCharacter(ofCodePoints: boolean): string {
  const parts: string[] = [];
  const add = (from: number, to: number): void => {
    for (let start = from; start <= to; start += 0x4_00) {
      parts.push(String.fromCodePoint(...Array.from({ length: 0x4_00 }, (_, offset) => start + offset)));
    }
  };
  add(0, 0xd7_ff);
  add(0xe0_00, ofCodePoints ? 0x10_ff_ff : 0xff_ff);
  add(0xdc_00, 0xdf_ff);
  add(0xd8_00, 0xdb_ff);
  return parts.join('');
}
const characters = new Map<boolean, string>();

/** ASCII, and one character for each group that the same elements match; `most` stands for the largest group. */
function findStandIns(elements: Iterable<Element>, flags: string): { standIns: number[]; most: number } {
  const ofCodePoints = /[uv]/.test(flags);
  const text = characters.get(ofCodePoints) ?? everyCharacter(ofCodePoints);
  characters.set(ofCodePoints, text);
  let groups = 1;
  const groupOf = new Uint32Array(0x11_00_00);
  for (const element of elements) {
    // Beyond ASCII it matches `otherSAndK` at most.
    if (element.type === 'Character' && element.value < endOfAscii) continue;
    const splitInto = new Map<number, number>();
    for (const [character] of text.matchAll(new RegExp(element.raw, `${flags}g`))) {
      const code = character.codePointAt(0)!;
      if (character.length > String.fromCodePoint(code).length) throw new NotRewritableError(element.raw);
      const group = splitInto.get(groupOf[code]!) ?? groups++;
      splitInto.set(groupOf[code]!, group);
      groupOf[code] = group;
    }
  }
  const counts = new Map<number, { first: number; count: number }>();
  const aside = new Set(flags.includes('i') && ofCodePoints ? [...otherLineEnds, ...otherSAndK] : otherLineEnds);
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < endOfAscii || aside.has(code)) continue;
    const { first = code, count = 0 } = counts.get(groupOf[code]!) ?? {};
    counts.set(groupOf[code]!, { first, count: count + 1 });
  }
  const largestFirst = [...counts.values()].toSorted((a, b) => b.count - a.count).map(({ first }) => first);
  const ascii = Array.from({ length: endOfAscii }, (_, code) => code);
  return { standIns: [...ascii, ...otherLineEnds, ...largestFirst].toSorted((a, b) => a - b), most: largestFirst[0]! };
}

/** Characters, in their order, as an element. */
function written(codes: readonly number[]): string {
  const name = (code: number): string => {
    const character = String.fromCodePoint(code);
    if (/^[a-z\d]$/i.test(character)) return character;
    const digits = code.toString(16);
    return code > 0xff_ff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
  };
  const ranges: { from: number; to: number }[] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === code - 1) last.to = code;
    else ranges.push({ from: code, to: code });
  }
  return ranges.map(({ from, to }) => (from === to ? name(from) : `${name(from)}-${name(to)}`)).join('');
}

/**
 * The same expression over stand-ins. It has no `i`, `s` and `v` flags any more. An expression with back references or with flags inside
 * comes back as it is.
 * @throws {NotRewritableError} about an expression with the `v` flag, which the checker does not know, when it cannot be said without it
 */
export function withSmallAlphabet(pattern: Pattern): Pattern {
  const elements = elementsOf(parse(pattern));
  if (elements === undefined) {
    if (pattern.flags.includes('v')) throw new NotRewritableError(pattern.source);
    return pattern;
  }
  const matching = pattern.flags.replaceAll(/[gmy]/g, '');
  const different = new Map(elements.map((element) => [element.raw, element]));
  const { standIns, most } = findStandIns(different.values(), matching);
  const newElements = new Map<string, string>();
  for (const raw of different.keys()) {
    const element = new RegExp(`^${raw}$`, matching);
    const isMatched = (code: number): boolean => element.test(String.fromCodePoint(code));
    const matched = standIns.filter((code) => isMatched(code));
    // A character that is no stand-in counts as one of the largest group.
    if (isMatched(most)) newElements.set(raw, `[^${written(standIns.filter((code) => !isMatched(code)))}]`);
    else newElements.set(raw, matched.length === 1 ? written(matched) : `[${written(matched)}]`);
  }
  let { source } = pattern;
  for (const { raw, start, end } of elements.toReversed()) {
    source = source.slice(0, start) + newElements.get(raw)! + source.slice(end);
  }
  return { source, flags: pattern.flags.replaceAll(/[is]/g, '').replace('v', 'u') };
}
