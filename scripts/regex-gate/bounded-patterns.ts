import type { Pattern } from './rewrite-patterns.ts';

/**
 * An expression that the checker flags or cannot decide, and that may stay because its input is short. `maxInput` is the longest input in
 * UTF-16 units, and `bound` says what cuts it there. `tests/regex-gate` matches each one against the checker's own attack at that length.
 */
export interface BoundedPattern extends Pattern {
  file: string;
  maxInput: number;
  bound: string;
}

export const boundedPatterns: readonly BoundedPattern[] = [];

/**
 * An expression that a function builds of what it is given. `reason` says what its parts can be; `examples` stand for all of them and are
 * checked like every other expression.
 */
export interface NamedBuiltPattern {
  file: string;
  code: string;
  reason: string;
  examples: readonly Pattern[];
}

export const builtPatterns: readonly NamedBuiltPattern[] = [
  {
    file: 'src/domain/ids.ts',
    code: 'new RegExp(`^${kind}_[a-z2-7]{16}$`)',
    reason: 'The kinds are three letters of our own, and all expressions are built on loading.',
    examples: [],
  },
];
