import type { Pattern } from './rewrite-patterns.ts';

/**
 * An expression that the checker flags or cannot decide, and that may stay because its input is short. `maxInput` is the longest input in
 * UTF-16 units, and `bound` says what cuts it there. `tests/regex-gate` matches each one against the checker's own attack at that length.
 */
export interface BoundedPattern extends Pattern {
  file: string;
  /** What the checker says of it. */
  verdict: 'vulnerable' | 'undecided';
  maxInput: number;
  bound: string;
}

export const boundedPatterns: readonly BoundedPattern[] = [
  {
    file: 'src/sources/html-metadata.ts',
    source: String.raw`^[^\p{L}\d]*(?:\p{L}+:? ){0,2}(?:\p{L}{3,10}\.? \d|\d)[\p{L}\d.,/年月日: -]{4,24}(?: ?[|·•–—-].{0,24})?$`,
    flags: 'u',
    verdict: 'undecided',
    maxInput: 60,
    bound: 'A text that is longer than maxDateLength is not matched (isOnlyDate).',
  },
  {
    file: 'src/sources/pdf/join-lines.ts',
    source: String.raw`(\p{L}+(?:[-‐]\p{L}+)*)[-‐]$`,
    flags: 'u',
    verdict: 'vulnerable',
    maxInput: 80,
    bound: 'The last maxWordLength characters of a line alone are matched (joinText).',
  },
];

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
  ...["new RegExp(`^\\\\W*${anyOf(...phrases)}`, 'iu')", "new RegExp(anyOf(...phrases), 'iu')"].map((code) => ({
    file: 'src/sources/shell-phrases.ts',
    code,
    reason: 'The phrases are those of this file, and all expressions are built on loading.',
    examples: [],
  })),
];
