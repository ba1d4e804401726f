import { addressesIn } from '../../links/addresses.ts';
import { disclosesSecret, hasForeignAct } from './acts.ts';
import { sharesWord } from './keywords.ts';
import { hasForeignIdentifier, hasForeignName, hasForeignSubstance } from './names.ts';
import { hasForeignDate } from './dates.ts';
import { hasForeignNumber } from './numbers.ts';
import { contradicts } from './prohibitions.ts';
import type { Support } from './support.ts';
import type { GroundingToken } from './tokens.ts';

/** Why a title or a reason is refused. */
export type Objection = 'address' | 'number' | 'name' | 'act' | 'turned' | 'object' | 'words';

/** A title or a reason with the text near its quote. For a reason, `near` and `written` include its title and goal. */
export interface DraftClaim extends Support {
  words: string;
  tokens: readonly GroundingToken[];
  /** For a title: its reason, which may show what the title is about. */
  beside: readonly GroundingToken[];
}

interface GroundingRule {
  name: string;
  objection: Objection;
  isBroken: (claim: DraftClaim) => boolean;
  /**
   * The cosine from which the sentence model overrules the rule: it finds a sentence near the quote that means nearly
   * the same. Absent where a single word decides, as with a number, which hardly moves a cosine.
   */
  overruledFrom?: number;
}

/*
 * How these limits are used: docs/decisions/what-a-model-reads.md. The highest cosine with a sentence near the quote is at least
 * `related` for 95 to 100 of 100 honest titles of each set, and below it for 95 of 100 lies about another text.
 */
const related = 0.32;
const alike = 0.6;

const address: GroundingRule = {
  name: 'address',
  objection: 'address',
  isBroken: ({ words, addresses }) =>
    words.includes('[…]') || addressesIn(words).some((found) => !addresses.has(found)),
};
const number: GroundingRule = {
  name: 'number',
  objection: 'number',
  isBroken: ({ tokens, near }) => hasForeignNumber(tokens, near),
};
const name: GroundingRule = {
  name: 'name',
  objection: 'name',
  overruledFrom: alike,
  isBroken: ({ tokens, near }) => hasForeignName(tokens, near),
};
const identifier: GroundingRule = {
  name: 'identifier',
  objection: 'name',
  overruledFrom: alike,
  isBroken: ({ words, written }) => hasForeignIdentifier(words, written),
};
const secret: GroundingRule = {
  name: 'secret',
  objection: 'act',
  overruledFrom: alike,
  isBroken: ({ tokens, near, quote }) => disclosesSecret(tokens, near, quote),
};

/** Additions of a title to the text, and whether both have the same subject. A sentence model can only overrule the latter rules. */
export const rulesForTitles: readonly GroundingRule[] = [
  address,
  number,
  name,
  identifier,
  secret,
  {
    name: 'substance',
    objection: 'object',
    isBroken: ({ tokens, near, quote }) => hasForeignSubstance(tokens, near, quote),
  },
  { name: 'date', objection: 'number', isBroken: ({ tokens, near }) => hasForeignDate(tokens, near) },
  { name: 'prohibition', objection: 'turned', isBroken: ({ tokens, quote }) => contradicts(tokens, quote) },
  {
    name: 'act',
    objection: 'act',
    overruledFrom: alike,
    isBroken: ({ tokens, ...support }) => hasForeignAct(tokens, support),
  },
  // A title that shares no word with the text is about something else.
  {
    name: 'words',
    objection: 'words',
    overruledFrom: related,
    isBroken: ({ tokens, beside, near, quote }) => !sharesWord([...tokens, ...beside], near, quote),
  },
];

/** A reason tells what the text found. It may name what the quote does not, if the text near it does. */
export const rulesForReasons: readonly GroundingRule[] = [
  address,
  number,
  name,
  identifier,
  secret,
  {
    name: 'act',
    objection: 'act',
    isBroken: ({ tokens, ...support }) => hasForeignAct(tokens.filter(isNoReport), support),
  },
  { name: 'substance', objection: 'object', isBroken: ({ tokens, near }) => hasForeignSubstance(tokens, near, near) },
];

/** A reason may report what something does ("it kills", "deletion"): words with these endings are not acts. */
const isNoReport = ({ word }: GroundingToken) => !['s', 'ing', 'ed', 'ion'].some((end) => word.endsWith(end));
