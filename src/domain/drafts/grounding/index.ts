import { rulesForReasons, rulesForTitles, type DraftClaim, type Objection } from './rules.ts';
import { supportFor, type Support } from './support.ts';
import { tokensOf, type GroundingToken } from './tokens.ts';

/*
 * Checks that an action that a language model wrote says what the text says at its quote. Anything specific (addresses,
 * numbers, dates, names, acts that can do harm, secrets, medicines) must stand near the quote, and the action must not
 * ask for what the quote forbids. Ordinary words are free, as long as the action is about the same thing; where there is
 * a sentence model, it tells that better than words do. "Near" means the paragraph of the quote, its neighbours, the
 * headings above, and the start of the text.
 */

export { supportFor, type Objection, type Support };

export interface WrittenAction {
  title: string;
  reason: string | null;
  /** Title and description of the goal that it serves: its reason may use their words. */
  goal?: string;
}

/** A title, and the sentences that it is compared with by meaning. */
export interface TitleComparison {
  title: string;
  sentences: readonly string[];
}

/**
 * The content of a title and a reason that the text near the quote does not support; null where it supports them.
 * @param support the text near the quote of the action
 * @param likeness the highest cosine of the title with one of its `comparisonFor`; undefined where no model compared them
 */
export function objectionsTo(
  action: WrittenAction,
  support: Support,
  likeness?: number,
): { title: Objection | null; reason: Objection | null } {
  const claim = titleClaim(action, support);
  const own = `${action.title}\n${action.goal ?? ''}`;
  const reasonClaim = {
    ...claim,
    near: [...claim.near, ...tokensOf(own)],
    written: claim.written + own.toLowerCase(),
    words: action.reason ?? '',
    tokens: tokensIn(action.reason ?? ''),
    beside: [],
  };
  return {
    title:
      rulesForTitles.find(
        ({ isBroken, overruledFrom = Infinity }) => (likeness ?? -1) < overruledFrom && isBroken(claim),
      )?.objection ?? null,
    reason: rulesForReasons.find(({ isBroken }) => isBroken(reasonClaim))?.objection ?? null,
  };
}

/** The comparison of a title for a sentence model; null where its answer would change nothing, or it knows the language badly. */
export function comparisonFor(action: WrittenAction, support: Support): TitleComparison | null {
  const claim = titleClaim(action, support);
  if (!isEnglish(claim.near)) return null;
  const broken = rulesForTitles.filter(({ isBroken }) => isBroken(claim));
  if (broken.length === 0 || broken.some(({ overruledFrom }) => overruledFrom === undefined)) return null;
  return { title: action.title, sentences: claim.sentences };
}

function titleClaim({ title, reason }: WrittenAction, support: Support): DraftClaim {
  return { ...support, words: title, tokens: tokensIn(title), beside: tokensOf(reason ?? '') };
}

const englishWords = new Set('the of to and it you that for with are be your this'.split(' '));
/** Of the words of an English text a quarter are these, of others hardly one in a hundred. */
const minEnglish = 0.08;

const isEnglish = (near: readonly GroundingToken[]) =>
  near.filter(({ word }) => englishWords.has(word)).length > near.length * minEnglish;

/** "Pay attention" is not a payment, and "seven days a week" means every day. */
const payAttention = /\bpay (?:close |special |careful )?attention\b/gi;
const everyDay = /\b(?:(?:7|seven) days a week|24\/7)\b/gi;
const tokensIn = (words: string) => tokensOf(words.replace(payAttention, 'attend').replace(everyDay, 'daily'));
