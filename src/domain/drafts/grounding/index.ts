import type { TextSpan } from '../../text/graphemes.ts';
import { rulesForReasons, rulesForTitles, type Objection } from './rules.ts';
import { supportFor } from './support.ts';
import { tokensOf } from './tokens.ts';

/*
 * Checks that an action that a language model wrote says what the text says at its quote. Anything specific (addresses,
 * numbers, dates, names, acts that can do harm, secrets, medicines) must stand near the quote, and the action must not
 * ask for what the quote forbids. Ordinary words are free, as long as one of them shows that it is about the same thing.
 * "Near" means the paragraph of the quote, its neighbours, the headings above, and the start of the text.
 */

export type { Objection };

export interface WrittenAction {
  title: string;
  reason: string | null;
  /** Title and description of the goal that it serves: its reason may use their words. */
  goal?: string;
}

/** What a title and a reason say that the text near the quote does not support; null where it supports them. */
export function objectionsTo(
  { title, reason, goal = '' }: WrittenAction,
  text: string,
  quote: TextSpan,
): { title: Objection | null; reason: Objection | null } {
  const support = supportFor(text, quote);
  const claim = { ...support, words: title, tokens: tokensIn(title), beside: tokensOf(reason ?? '') };
  const own = `${title}\n${goal}`;
  const reasonClaim = {
    ...support,
    near: [...support.near, ...tokensOf(own)],
    written: support.written + own.toLowerCase(),
    words: reason ?? '',
    tokens: tokensIn(reason ?? ''),
    beside: [],
  };
  return {
    title: rulesForTitles.find(({ isBroken }) => isBroken(claim))?.objection ?? null,
    reason: rulesForReasons.find(({ isBroken }) => isBroken(reasonClaim))?.objection ?? null,
  };
}

/** "Pay attention" is not a payment. */
const idiom = /\bpay (?:close |special |careful )?attention\b/gi;
const tokensIn = (words: string) => tokensOf(words.replace(idiom, 'attend'));
