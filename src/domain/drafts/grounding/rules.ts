import { addressesIn } from '../../links/addresses.ts';
import { disclosesSecret, hasForeignAct } from './acts.ts';
import { sharesWord } from './keywords.ts';
import { hasForeignIdentifier, hasForeignName, hasForeignSubstance } from './names.ts';
import { countsOtherwise, hasForeignDate, hasForeignNumber } from './numbers.ts';
import { contradicts } from './prohibitions.ts';
import type { Support } from './support.ts';
import type { Token } from './tokens.ts';

/** Why a title or a reason is refused. */
export type Objection = 'address' | 'number' | 'name' | 'act' | 'turned' | 'object' | 'words';

/** A title or a reason with the text near its quote. For a reason, `near` and `written` include its title and goal. */
export interface Claim extends Support {
  words: string;
  tokens: readonly Token[];
  /** For a title: its reason, which may show what the title is about. */
  beside: readonly Token[];
}

interface Rule {
  name: string;
  objection: Objection;
  isBroken: (claim: Claim) => boolean;
}

/** What a title and a reason must not add to the text. */
const rulesForBoth: readonly Rule[] = [
  {
    name: 'address',
    objection: 'address',
    isBroken: ({ words, addresses }) =>
      words.includes('[…]') || addressesIn(words).some((address) => !addresses.has(address)),
  },
  { name: 'number', objection: 'number', isBroken: ({ tokens, near }) => hasForeignNumber(tokens, near) },
  { name: 'name', objection: 'name', isBroken: ({ tokens, near }) => hasForeignName(tokens, near) },
  { name: 'identifier', objection: 'name', isBroken: ({ words, written }) => hasForeignIdentifier(words, written) },
  { name: 'secret', objection: 'act', isBroken: ({ tokens, near, quote }) => disclosesSecret(tokens, near, quote) },
];

export const rulesForTitles: readonly Rule[] = [
  ...rulesForBoth,
  { name: 'act', objection: 'act', isBroken: ({ tokens, near, close }) => hasForeignAct(tokens, near, close) },
  {
    name: 'substance',
    objection: 'object',
    isBroken: ({ tokens, near, quote }) => hasForeignSubstance(tokens, near, quote),
  },
  { name: 'date', objection: 'number', isBroken: ({ tokens, near }) => hasForeignDate(tokens, near) },
  {
    name: 'count',
    objection: 'number',
    isBroken: ({ tokens, quote, close }) => countsOtherwise(tokens, quote, close),
  },
  { name: 'prohibition', objection: 'turned', isBroken: ({ tokens, quote }) => contradicts(tokens, quote) },
  {
    name: 'words',
    objection: 'words',
    isBroken: ({ tokens, beside, near, quote }) => !sharesWord([...tokens, ...beside], near, quote),
  },
];

/** A reason tells what the text found. It may name what the quote does not, if the text near it does. */
export const rulesForReasons: readonly Rule[] = [
  ...rulesForBoth,
  {
    name: 'act',
    objection: 'act',
    isBroken: ({ tokens, near, close }) => hasForeignAct(tokens.filter(isNoReport), near, close),
  },
  { name: 'substance', objection: 'object', isBroken: ({ tokens, near }) => hasForeignSubstance(tokens, near, near) },
];

/** A reason may report what something does ("it kills", "deletion"): words with these endings are not acts. */
const isNoReport = ({ word }: Token) => !['s', 'ing', 'ed', 'ion'].some((end) => word.endsWith(end));
