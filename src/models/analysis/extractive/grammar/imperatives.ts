import { instructingVerb, type InstructingVerb } from './instructing-verb.ts';
import type { Tagger } from './tagger.ts';

/** An instruction in a sentence, without lead-ins such as "then" or "step 3:". */
export interface Imperative extends InstructingVerb {
  /** Offset in the sentence where the instruction begins, after words that only give its order ("next", "step 3:"). */
  start: number;
  /** Offset of its main clause: after a label and a colon, "If …," or "To …,". */
  clause: number;
  /** The main clause without adverbs before its verb: "never leave a candle alone" for "And please never …". */
  bare: string;
}

/** Words that only give the order of the instruction; they may be dropped from a title. */
const turn =
  /^(?:(?:step|tip|rule|no\.|lesson|habit)?\s*#?\d{1,2}\s*[.:)–—-]\s*|(?:step|tip|rule|pro tip|top tip|bonus tip|hint|do this)\s*:\s*|(?:and|but|so|then|next|first|firstly|second|secondly|third|finally|lastly|also|now|afterwards|from there|after that|better yet|last|meanwhile|for example|for instance),?\s+)/i;
/**
 * A label that names the subject of the instruction or its audience: "Batch cooking: Prepare meals in advance". It
 * stays in a title.
 */
const label = /^[^\p{Ll}"“'.!?;:–—][^"“.!?;:–—]{1,50}(?::|\s[–—-])\s+(?=\p{Lu}\p{Ll})/u;
/** Adverbs before the verb; they belong to the instruction. */
const manner = /^(?:please|always|never|just|simply|instead|again|only|either|\p{L}{3,}ly),?\s+/iu;
/** An opening clause that says when, why or where; the instruction follows its comma. */
const condition =
  /^(?:if|when|whenever|once|before|after|while|until|unless|as soon as|as|to|for|in|on|at|with|during|instead of|rather than|whatever|whichever|wherever|where|every|each|depending on|by)\s/i;

/**
 * Finds an instruction in a sentence by grammar; null when there is none. English only. Sellers, forums and figures of
 * speech use imperatives, too: `model.ts` decides whether the instruction is something for the reader to do.
 */
export function findImperative(sentence: string, tag: Tagger): Imperative | null {
  const text = sentence.replaceAll(/[’‘]/g, "'");
  if (/[?:]["')\]]*$/.test(text) || /^["“«‹„'\p{Ll}]/u.test(text)) return null;
  const start = skipTurn(text);
  const opening = text.slice(start);
  if (isTitleCase(text) || hasApposedSubject(opening)) return null;
  const labelled = label.exec(opening)?.[0].length ?? 0;
  const found = (labelled === 0 ? null : findClause(opening.slice(labelled), tag)) ?? findClause(opening, tag);
  // The words before a colon are usually a name ("Time clock: it keeps the hours"), so an instruction that begins there
  // must be sure.
  if (found === null || (!found.sure && labelled > 0 && found.clause === opening)) return null;
  const { clause, ...rest } = found;
  return { start, clause: start + opening.length - clause.length, ...rest };
}

type FoundClause = Pick<Imperative, 'verb' | 'sure' | 'bare'> & { clause: string };

function findClause(opening: string, tag: Tagger): FoundClause | null {
  if (!condition.test(opening)) return readClause(opening, tag);
  let clause = opening;
  do {
    const comma = clauseComma(clause);
    if (comma === -1) return null;
    clause = clause.slice(comma);
    // Skip all parts of the condition: "If you bring up blood, or the cough stays, see a doctor."
  } while (/^(?:and|or|but|not)\b/.test(clause));
  // After a comma, a clause continues in lower case; a capital begins a name: "In Leeds, Mark …".
  return /^\p{Lu}/u.test(clause) ? null : readClause(clause, tag);
}

function readClause(clause: string, tag: Tagger): FoundClause | null {
  const bare = skipManner(clause);
  const found = instructingVerb(bare, tag);
  return found === null ? null : { clause, ...found, bare };
}

function skipTurn(text: string): number {
  let at = 0;
  for (let i = 0; i < 3; i += 1) {
    const found = turn.exec(text.slice(at));
    if (found === null) break;
    at += found[0].length;
  }
  return at;
}

function skipManner(clause: string): string {
  let rest = clause;
  for (let i = 0; i < 3; i += 1) {
    const next = rest.replace(manner, '').replace(/^(?:then|also|do)\s+(?=not\b)/i, 'do ');
    if (next === rest) break;
    rest = next;
  }
  return rest.replace(/^then\s+/, '');
}

/** The offset after the comma that ends the opening clause, or -1. */
function clauseComma(text: string): number {
  const found = /^[^,;:—]{3,140},\s+/.exec(text);
  return found === null ? -1 : found[0].length;
}

/**
 * Whether the clause opens with a subject that is explained between commas: "Zoom accounts, a service for calls, have
 * grown".
 */
function hasApposedSubject(clause: string): boolean {
  return /^[^,]{4,60}, (?:an?|the|its|which|who) [^,]{3,100}, (?:(?:has|have|had|is|are|was|were|will|can|could|would|may|might)\b|\p{Ll}{3,}ed\b)/u.test(
    clause,
  );
}

/** Whether the text is a heading without its Markdown mark: "Prepare Your Home for Winter". */
function isTitleCase(text: string): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const capitals = words.slice(1).filter((word) => /^\p{Lu}/u.test(word)).length;
  return words.length >= 3 && capitals / (words.length - 1) > 0.6;
}
