import { consentTexts } from '../../src/sources/page/error-page-phrases.ts';
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
  /** Of an undecided one: texts that are made for it, each of them repeated. */
  hostileTexts?: readonly string[];
}

export const boundedPatterns: readonly BoundedPattern[] = [
  {
    file: 'src/sources/pdf/join-lines.ts',
    source: String.raw`(\p{L}+(?:[-‐]\p{L}+)*)[-‐]$`,
    flags: 'u',
    verdict: 'vulnerable',
    maxInput: 80,
    bound: 'The last maxWordLength characters of a line alone are matched (joinText).',
  },
  {
    file: 'src/sources/page/error-page-phrases.ts',
    source: consentTexts.source,
    flags: consentTexts.flags,
    verdict: 'undecided',
    maxInput: 8_002,
    bound:
      'Two thousand characters of the title and of the text, and four thousand of the opening are matched (refuseErrorPage).',
    hostileTexts: [
      'we use cookies ',
      'we use cookies accept. ',
      'we use cookiescookiescookies acceptacceptaccept.',
      'we \n use cookies',
      'cookies zustimm',
      'cookies tout accepte',
      'cookies zaakceptuj wszys',
    ],
  },
  {
    file: 'src/domain/search/literals.ts',
    source: String.raw`\p{RGI_Emoji}|[\p{S}--\p{ASCII}]`,
    flags: 'gv',
    verdict: 'undecided',
    maxInput: 8000,
    bound:
      'a query has at most 2,000 characters, a passage 4,000 and its headings and title less than that; each character is looked at once',
  },
  {
    file: 'src/models/analysis/extractive/audience/code.ts',
    source: String.raw`\w\(\)|\b\p{L}+_\p{L}+|(?:^|\s)--?[a-z][\w-]*\b|<\/?[a-z][^>]*>|\$\{?[A-Za-z_]|[=!]==?|=>|::|\b(?:[a-z]\w*\.)+[a-z]\w*\(`,
    flags: 'u',
    verdict: 'vulnerable',
    maxInput: 1000,
    bound: '`isAboutCode` looks at the first `maxLooked` characters of a sentence',
  },
  {
    file: 'src/models/analysis/extractive/audience/phrases.ts',
    source: String.raw`\b(?:to save|save) (?:up to )?\d+ ?(?:%|percent)|\b(?:while supplies last|free (?:consultation|demo|quote|shipping|trial)|your (?:free )?trial|a demo|per ?month\b.*\bplan)\b`,
    flags: 'i',
    verdict: 'vulnerable',
    maxInput: 400,
    bound: '`mayInstruct` (instructions.ts) lets no longer sentence through',
  },
  {
    file: 'src/models/analysis/extractive/audience/phrases.ts',
    source: String.raw`\b(?:try|search) again\b|^search for\b|\bfor more (?:details|info|information|about|on|tips|ideas|recipes)\b|\bto (?:see|read|view|learn|find out) more\b|\b(?:click|tap|press|go|see|look|start) (?:here|below|on (?:the|a) (?:map|link|image|button|icon) below)\b|^find out (?:just |exactly |more )?(?:why|how|what|who|where)\b|\bstep-by-step (?:guide|instructions|tutorial)\b|\bdoi\b|\b(?:19|20)\d\d\b[^;]*;\s?\d+`,
    flags: 'i',
    verdict: 'vulnerable',
    maxInput: 400,
    bound: '`mayInstruct` (instructions.ts) lets no longer sentence through',
  },
  {
    file: 'src/models/analysis/extractive/audience/pitch.ts',
    source: String.raw`^(?:win (?:an?|up|one|your|the|tickets|prizes|\$)|save (?:big|now|more|money|time|up to|on (?:our|your next|select))\b(?=.*\b(?:on|when|with|this|today)\b.*\b(?:weekend|sale|week|season|order|plans?|today|our)\b)|give the gift|treat (?:your (?:feet|skin|body|hair|senses|family|taste ?buds|palate|loved)|someone|them|mum|mom|dad) (?:to|with)|reserve your)\b|\bto remember[.!]?$`,
    flags: 'i',
    verdict: 'vulnerable',
    maxInput: 400,
    bound: '`mayInstruct` (instructions.ts) lets no longer sentence through',
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
    file: 'src/domain/records/ids.ts',
    code: 'new RegExp(`^${kind}_[a-z2-7]{16}$`)',
    reason: 'The kinds are three letters of our own, and all expressions are built on loading.',
    examples: [],
  },
  {
    file: 'src/sources/page/error-page-phrases.ts',
    code: "new RegExp(anyOf(...phrases), 'iu')",
    reason: 'The phrases are those of this file, and all expressions are built on loading.',
    examples: [],
  },
  {
    file: 'src/models/embedding/tokenizers/wordpiece.ts',
    code: "new RegExp(`(${[...special.keys()].map((name) => name.replace(/[[\\]]/g, '\\\\$&')).join('|')})`)",
    reason: "Built of the special tokens that the package's own tokenizer file names.",
    examples: [{ source: String.raw`(\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\])`, flags: '' }],
  },
];
