import { createRequire } from 'node:module';
import type { AST } from '@eslint-community/regexpp';
import type * as Recheck from 'recheck';
import { leastTime } from '../../tests/support/texts/growth.ts';
import { nodesIn, parse, withSmallAlphabet, type Pattern } from './small-alphabet.ts';

/** Why an expression may be slow, with a text that makes it so: each `pump` after its prefix, again and again, and then `suffix`. */
export type Fault = { why: string; attack?: Pick<Recheck.AttackPattern, 'pumps' | 'suffix'> };

const requireHere = createRequire(import.meta.url);
/** The checker in JavaScript, which runs everywhere alike; the package's own entry starts native programs where it finds them. */
const { checkSync } = requireHere('recheck/lib/browser.js') as typeof Recheck;
const { version } = requireHere('recheck/package.json') as { version: string };

/** Steps are bounded, not time, so that a busy machine comes to the same verdicts; time ends what would never end. */
const options = { incubationTimeout: null, attackTimeout: null, recallTimeout: -1, randomSeed: 0, maxRepeatCount: 100 };
const timeoutMs = { ofWhole: 60_000, ofLastBranch: 300_000 };
const maxBranches = 500;

/** The checker and how it is asked: verdicts are remembered for this alone. `rules` counts changes of the code here. */
export const checkedWith = JSON.stringify({ recheck: version, rules: 2, ...options });

/** Whether it takes a few steps at each place of a text, since nothing in it may be repeated in many ways. */
export function isConstant(pattern: Pattern): boolean {
  const ways = nodesIn(parse(pattern)).map((node) => (node.type === 'Quantifier' ? node.max - node.min + 1 : 1));
  return ways.reduce((product, each) => product * each, 1) <= 64;
}

const ancestors = ({ parent }: AST.Node): AST.Node[] => (parent === null ? [] : [parent, ...ancestors(parent)]);
/** Whether a node stands in no repetition and in no look around. */
const isPlain = (node: AST.Node): boolean =>
  ancestors(node).every(({ type }) => /^(?:Pattern|Alternative|Group|CapturingGroup)$/.test(type));
const isLast = (node: AST.Node): boolean =>
  [node, ...ancestors(node)].every(
    (each) => each.parent?.type !== 'Alternative' || each.parent.elements.at(-1) === each,
  );

/**
 * The same without what may be repeated at the very end, `ab` for `abc*`: a matcher that comes so far has found its match, and passes each
 * character of the end once. The checker, which thinks about what may come after it, can take minutes over it.
 */
export function withoutLastRun({ source, flags }: Pattern): Pattern {
  let shorter = source;
  for (const node of nodesIn(parse({ source, flags })).toReversed()) {
    if (node.type !== 'Quantifier' || node.max !== Infinity || !isPlain(node) || !isLast(node)) continue;
    if (!node.element.type.startsWith('Character')) continue;
    shorter = `${shorter.slice(0, node.start)}${node.element.raw}{${node.min}}${shorter.slice(node.end)}`;
  }
  return { source: shorter, flags };
}

/**
 * One expression for each branch of the first alternation that stands in no repetition. A backtracking matcher tries the branches one after
 * the other, so `X(a|b)Y` never takes more steps than `XaY` and `XbY` together: when each branch is linear, the whole is.
 */
export function branches({ source, flags }: Pattern): Pattern[] {
  if (/\\(?:[1-9]|k<)|\(\?[ims-]+:/.test(source)) return [{ source, flags }];
  for (const node of nodesIn(parse({ source, flags })).filter(isPlain)) {
    let parts = 'alternatives' in node ? node.alternatives.map(({ raw }) => `(?:${raw})`) : [];
    if (node.type === 'Quantifier' && node.min === 0 && node.max === 1) parts = ['', node.element.raw];
    if (node.type === 'Assertion' || parts.length < 2) continue;
    return parts.map((part) => ({ source: source.slice(0, node.start) + part + source.slice(node.end), flags }));
  }
  return [{ source, flags }];
}

/**
 * Why an expression may take longer than in proportion to a text, or null. If the whole is not called safe, each branch is asked about: the
 * verdict is then the same on a busy machine.
 */
export function faultOf(pattern: Pattern): Fault | null {
  let left = maxBranches;
  const decide = ({ source, flags }: Pattern): Fault | null => {
    left -= 1;
    const parts = branches({ source, flags });
    const timeout = parts.length > 1 ? timeoutMs.ofWhole : timeoutMs.ofLastBranch;
    const found = checkSync(source, flags, { ...options, timeout });
    if (found.status === 'safe') return null;
    const { attack, complexity } = found as Partial<Recheck.VulnerableDiagnostics>;
    const whole =
      attack === undefined ? { why: 'undecided' } : { why: `${complexity?.summary}: ${attack.pattern}`, attack };
    if (parts.length === 1 || left < parts.length) return whole;
    const fault = parts
      .values()
      .map(decide)
      .find((each) => each !== null);
    return fault === undefined || fault?.attack ? (fault ?? null) : whole;
  };
  if (isConstant(pattern)) return null;
  // A sticky expression is tried at one place after the other by its caller: that is a search.
  const small = withSmallAlphabet({ ...pattern, flags: pattern.flags.replace('y', '') });
  return small === null ? { why: 'undecided' } : decide(withoutLastRun(small));
}

/** The attack as a text of about this many UTF-16 units, and never more: its pumps are repeated until it is as long. */
export function attackText({ pumps, suffix }: Required<Fault>['attack'], length: number): string {
  const pumped = (count: number): string =>
    pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
  const count = Math.floor((length - pumped(0).length) / (pumped(1).length - pumped(0).length));
  return pumped(Math.max(0, count)).slice(0, length);
}

/** Why an expression may not stay, or null: when it is slow, its own attack is tried as long as its input may be. */
export function refusal({ source, flags, maxInput }: Pattern & { maxInput?: number }): string | null {
  const { why, attack } = faultOf({ source, flags }) ?? {};
  if (why === undefined) return maxInput === undefined ? null : 'is linear: remove the comment about its bound.';
  if (maxInput === undefined || attack === undefined || why.startsWith('exponential'))
    return `${why}\n  Make it linear, or scan by hand, or say above what bounds its input: // regex: at most 400 characters: …`;
  const pattern = new RegExp(source, flags.replace(/[gy]/g, ''));
  const isQuick = leastTime(() => pattern.test(attackText(attack, maxInput)), 50_000) <= 50_000;
  return isQuick ? null : `is slow at its bound already: ${why}`;
}
