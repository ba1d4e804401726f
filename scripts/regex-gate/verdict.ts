import { createRequire } from 'node:module';
import type * as Recheck from 'recheck';
import { branches, NotRewritableError, withoutLastRun, type Pattern } from './rewrite-patterns.ts';
import { withSmallAlphabet } from './small-alphabet.ts';

/** What the checker says. `attackText` shows a person what makes a vulnerable expression slow. */
export type Verdict =
  | { status: 'safe' }
  | { status: 'vulnerable'; complexity: string; attack: Attack; attackText: string }
  | { status: 'unknown'; reason: string };

/** A text that makes an expression slow: each `pump` after its prefix, again and again, and then `suffix`. */
export interface Attack {
  pumps: { prefix: string; pump: string }[];
  suffix: string;
}

/** The checker in JavaScript, which runs everywhere alike; the package's own entry starts native programs where it finds them. */
const requireHere = createRequire(import.meta.url);
const { checkSync } = requireHere('recheck/lib/browser.js') as typeof Recheck;
const { version } = requireHere('recheck/package.json') as { version: string };

/** Steps are bounded, not time, so that a busy machine comes to the same verdicts; time ends what would never end. */
const parameters = {
  incubationTimeout: null,
  attackTimeout: null,
  recallTimeout: -1,
  randomSeed: 0,
  // An expression with less repetitions, all of them bounded, takes so many steps a character at most: that counts as constant.
  maxRepeatCount: 100,
} as const;
const timeoutMs = { ofWhole: 60_000, ofLastBranch: 300_000 } as const;
const maxBranches = 500;

/** The checker and the way it is asked: verdicts are remembered for this alone. `rules` counts changes of the code here. */
export const checkedWith = JSON.stringify({ recheck: version, rules: 1, ...parameters });

function ask({ source, flags }: Pattern, timeout: number): Verdict {
  const found = checkSync(source, flags, { ...parameters, timeout });
  if (found.status === 'safe') return { status: 'safe' };
  if (found.status === 'unknown') return { status: 'unknown', reason: found.error.kind };
  const { pumps, suffix, pattern } = found.attack;
  return {
    status: 'vulnerable',
    complexity: found.complexity.summary,
    attack: { pumps: pumps.map(({ prefix, pump }) => ({ prefix, pump })), suffix },
    attackText: pattern,
  };
}

/** A sticky expression is tried at one place after the other by its caller: that is a search. */
function asSearched({ source, flags }: Pattern): Pattern {
  return withoutLastRun(withSmallAlphabet({ source, flags: flags.replace('y', '') }));
}

/**
 * What the checker says of one expression. When it does not call it safe, it is asked about each branch by itself: whether a busy machine
 * left it the time to decide about the whole then makes no difference.
 */
export function verdictOf(pattern: Pattern): Verdict {
  let left = maxBranches;
  const decide = (part: Pattern): Verdict => {
    left -= 1;
    const parts = branches(part);
    const whole = ask(part, parts.length > 1 ? timeoutMs.ofWhole : timeoutMs.ofLastBranch);
    if (whole.status === 'safe' || parts.length === 1 || left < parts.length) return whole;
    for (const branch of parts) {
      const verdict = decide(branch);
      if (verdict.status !== 'safe') return verdict.status === 'vulnerable' ? verdict : whole;
    }
    return { status: 'safe' };
  };
  try {
    return decide(asSearched(pattern));
  } catch (error) {
    if (error instanceof NotRewritableError) return { status: 'unknown', reason: error.message };
    throw error;
  }
}
