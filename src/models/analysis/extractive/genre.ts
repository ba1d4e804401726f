import type { AnalysisInput } from '../analyst.ts';
import type { SourceSentence } from './candidates.ts';

/*
 * Some documents instruct, but not in things to do later: a programming tutorial is followed at the keyboard, and a
 * shop wants visitors to buy. This is judged by the whole document, because a single sentence of it looks like advice.
 */

/** Sales phrases, counted over a whole page; an article contains one now and then. */
const seller =
  /\bour (?:\p{L}+ )?(?:products?|services?|teams?|customers?|clients?|experts?|stores?|shops?|collections?|range|apps?|platform|solutions?|technicians|specialists|therapists|company|website|warranty|guarantee|prices?|pricing|plans?|offices?|showroom|members?|patients|guests|staff|professionals)\b|\b(?:contact|call|visit|choose|trust) us\b|\badd to (?:cart|bag|basket|wish ?list)|\bfree (?:shipping|quotes?|estimates?|consultations?|trials?|returns|delivery)\b|\b(?:in|out of) stock\b|\b(?:regular|sale|unit) price\b|\bsold out\b|\bget (?:started|in touch)\b|\b(?:book|request|schedule) (?:a|an|your|now|online)\b|\bwe (?:offer|provide|deliver|specialize|specialise|serve|guarantee|ship|proudly)\b|\b(?:buy|shop|order) now\b/giu;

/** At most this many characters of a sentence are checked; a text without full stops is one sentence. */
const maxLooked = 1_000;

/** Whether a document contains no instruction that is a thing to do for its reader. */
export function asksForNothing(
  { text, blocks }: Pick<AnalysisInput, 'text' | 'blocks'>,
  sentences: readonly SourceSentence[],
): boolean {
  const code = blocks.filter(({ kind }) => kind === 'code');
  const characters = code.reduce((sum, { start, end }) => sum + end - start, 0);
  if (code.length >= 3 || characters > 0.2 * text.length) return true;
  let offers = 0;
  for (const { plain } of sentences) offers += plain.slice(0, maxLooked).match(seller)?.length ?? 0;
  return offers >= 3 && offers >= 0.03 * sentences.length;
}
