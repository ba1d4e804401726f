import { RegExpParser, type AST } from '@eslint-community/regexpp';

export type Pattern = { source: string; flags: string };

export function parse({ source, flags }: Pattern): AST.Pattern {
  const kind = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, kind);
}

/** A node and all nodes in it. */
export function nodesIn(node: AST.Node): AST.Node[] {
  const values = Object.values(node).flat();
  return [node, ...values.flatMap((value) => (value?.parent === node ? nodesIn(value) : []))];
}

const oneCharacter = /^(?:Character|CharacterSet|CharacterClass|ExpressionCharacterClass)$/;
const notOneCharacter = /^(?:Backreference|Modifiers|ClassStringDisjunction)$/;

/** ASCII stays as it is, and so do the other line ends: `^`, `$` and `\b` look at them. */
const kept = [...Array.from({ length: 0x80 }).keys(), 0x20_28, 0x20_29];
/** Without regard to case these are `s` and `k` to every element, and to `\b`, which would no longer know them without the flag. */
const otherSAndK = [0x1_7f, 0x21_2a];

/** Every UTF-16 unit, and every code point. No two surrogates make a pair. */
const alphabets = [0x1_00_00, 0x11_00_00].map((length) => {
  const all = [...Array.from({ length }).keys()];
  const codes = [...all.slice(0, 0xdc_00), ...all.slice(0xe0_00), ...all.slice(0xdc_00, 0xe0_00)];
  return { codes, text: codes.map((code) => String.fromCodePoint(code)).join('') };
});

/** Beyond what is kept, one character for each group that the same elements match. */
function findStandIns(elements: Iterable<string>, flags: string): number[] {
  const { codes, text } = alphabets[/[uv]/.test(flags) ? 1 : 0]!;
  const groupOf = new Uint32Array(0x11_00_00);
  let groups = 1;
  for (const element of elements) {
    const splitInto = new Map<number, number>();
    for (const [character] of text.matchAll(new RegExp(element, `${flags}g`))) {
      const code = character.codePointAt(0)!;
      const group = splitInto.get(groupOf[code]!) ?? groups++;
      splitInto.set(groupOf[code]!, group);
      groupOf[code] = group;
    }
  }
  const aside = new Set([...kept, ...(/i.*[uv]/.test(flags) ? otherSAndK : [])]);
  const standIns = new Map<number, number>();
  for (const code of codes) if (!aside.has(code) && !standIns.has(groupOf[code]!)) standIns.set(groupOf[code]!, code);
  return [...standIns.values()];
}

const written = (codes: readonly number[]): string =>
  codes.map((code) => `\\u${code > 0xff_ff ? `{${code.toString(16)}}` : code.toString(16).padStart(4, '0')}`).join('');

/**
 * The same over a few characters, about which the checker decides soon; large Unicode sets take it minutes. A matcher sees of a character
 * only which elements of the expression match it. So where the same elements match many characters beyond ASCII, one of them stands for all:
 * each text has a text of such stand-ins on which the matcher takes the same steps, and the other way round.
 * @returns without the flags `i`, `s` and `v`, since each element names what it matches. An expression with back references or with flags
 * inside comes back as it is; null when that needs the `v` flag, which the checker does not know.
 */
export function withSmallAlphabet(pattern: Pattern): Pattern | null {
  const nodes = nodesIn(parse(pattern));
  const isMore = (node: AST.Node): boolean => notOneCharacter.test(node.type) || ('strings' in node && node.strings);
  if (nodes.some(isMore)) return pattern.flags.includes('v') ? null : pattern;
  const elements = nodes.filter(
    ({ type, parent }) => oneCharacter.test(type) && (parent?.type === 'Alternative' || parent?.type === 'Quantifier'),
  );
  const flags = pattern.flags.replaceAll(/[gmy]/g, '');
  // A character of ASCII matches, beyond it, `otherSAndK` at most.
  const beyond = new Set(elements.map(({ raw }) => raw).filter((raw) => !/^[\0-\x7f]$/.test(raw)));
  const standIns = findStandIns(beyond, flags);
  const codes = [...kept, ...standIns].toSorted((a, b) => a - b);
  let { source } = pattern;
  for (const { raw, start, end } of elements.toSorted((a, b) => b.start - a.start)) {
    const element = new RegExp(`^${raw}$`, flags);
    const isMatched = (code: number): boolean => element.test(String.fromCodePoint(code));
    // A character that is no stand-in counts as one of the first group.
    const isRest = isMatched(standIns[0]!);
    const set = written(codes.filter((code) => isMatched(code) !== isRest));
    source = `${source.slice(0, start)}[${isRest ? '^' : ''}${set}]${source.slice(end)}`;
  }
  return { source, flags: pattern.flags.replaceAll(/[is]/g, '').replace('v', 'u') };
}
