import { kindsOfDoing } from './lexicon.ts';
import type { Tagger, Token } from './tagger.ts';
import {
  instructing,
  irregularParticiples,
  notVerbs,
  objects,
  seldomVerbs,
  subjects,
  takesClause,
  verbWithObject,
} from './verbs.ts';

/** An instruction in a sentence, without lead-ins such as "then" or "step 3:". */
export interface Imperative {
  /** Offset in the sentence where the instruction begins, after words that only give its order ("next", "step 3:"). */
  start: number;
  /** Offset of its main clause: after a label and a colon, "If …," or "To …,". */
  clause: number;
  /** The verb, in lower case. */
  verb: string;
  /**
   * Whether the words after the verb read like an instruction. When false, only the meaning can show that it is one.
   */
  sure: boolean;
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

type Found = Pick<Imperative, 'verb' | 'sure' | 'bare'> & { clause: string };

function findClause(opening: string, tag: Tagger): Found | null {
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

function readClause(clause: string, tag: Tagger): Found | null {
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

function instructingVerb(clause: string, tag: Tagger): Pick<Imperative, 'verb' | 'sure'> | null {
  const negated = /^(?:do not|don't|never)\s+(?:ever\s+|even\s+|just\s+)?/i.exec(clause);
  const lowered = lowerFirst(negated === null ? clause : clause.slice(negated[0].length));
  const verb = /^[a-z]{2,}(?![\p{L}\p{N}_'-])/u.exec(lowered)?.[0];
  if (verb === undefined || !mayBeBaseForm(verb)) return null;
  const head = lowered.slice(0, maxHeadLength);
  const [first, ...rest] = tag(`you must ${head}`).slice(2);
  if (first === undefined || first.value !== verb) return null;
  if (readsLikeAnInstruction(verb, first, rest, head, negated !== null, tag)) return { verb, sure: true };
  return mayStillInstruct(verb, rest) ? { verb, sure: false } : null;
}

/**
 * Second chance for verbs that the tagger mistakes for nouns or adjectives ("Salt the lentils"), or whose objects it
 * mistakes for verbs ("Return calls"). Rejects words that cannot follow a verb and clauses with an auxiliary. The model
 * decides the remaining cases.
 */
function mayStillInstruct(verb: string, rest: readonly Token[]): boolean {
  const [next] = rest;
  if (next === undefined || !mayBeVerb(verb)) return false;
  const word = next.value.toLowerCase();
  if (word === '"') return kindsOfDoing(verb).includes('speak');
  if (next.pos === 'PUNCT' || next.pos === 'AUX' || word === 'of') return false;
  if (subjects.has(word) && !pronounObjects.has(word)) return false;
  if (isFinite(next) && !takesParticiple.test(verb) && (!word.endsWith('s') || hasObject(rest[1]))) return false;
  if (seldomVerbs.has(verb) && /^\p{Lu}/u.test(next.value)) return false;
  return !beforeClauseEnd(rest).some(({ pos }) => pos === 'AUX');
}

function mayBeVerb(verb: string): boolean {
  if (notVerbs.has(verb)) return verbWithObject.has(verb) || verb === 'thank';
  return kindsOfDoing(verb).length > 0 || instructing.has(verb) || seldomVerbs.has(verb);
}

const pronounObjects = new Set(['someone', 'everyone', 'nobody', 'who', 'it']);

/** These verbs may precede a participle or a word that looks like one: "Put felt under the chairs", "Buy used". */
const takesParticiple = /^(?:put|get|stay|keep|buy|have)$/;

/**
 * Whether a verb-like word has an object: "Fear slows everything down" is a statement, "Return calls on the same day"
 * an instruction.
 */
function hasObject(token: Token | undefined): boolean {
  return token !== undefined && (opensObject(token) || token.value === 'that' || token.value === 'how');
}

/** The tokens before the point where another clause may begin. */
function beforeClauseEnd(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex(({ value }) => clauseEnd.test(value.toLowerCase()));
  return end === -1 ? tokens : tokens.slice(0, end);
}

function readsLikeAnInstruction(
  verb: string,
  first: Token,
  rest: readonly Token[],
  head: string,
  negated: boolean,
  tag: Tagger,
): boolean {
  const next = rest[0];
  if (verb === 'be') return next !== undefined && /^(?:ADJ|ADV|VERB|DET|PART|NOUN|ADP)$/.test(next.pos);
  if (verb === 'do') return next !== undefined && opensObject(next) && !hasFiniteVerb(rest.slice(1), 'all');
  const known = instructing.has(verb);
  const particle = next !== undefined && /^(?:up|out|down|off|aside|away)$/i.test(next.value);
  if (first.pos !== 'VERB' && !(known && next !== undefined && (particle || opensObject(next)))) return false;
  if (!isBaseForm(first) && !known) return false;
  if (negated) return true;
  if (notVerbs.has(verb) && !(verbWithObject.has(verb) && next !== undefined && (particle || opensObject(next))))
    return false;
  // Without the added subject, the tagger reads the rest more reliably: "lead poisoning remains".
  const bare = tag(head);
  if (promisesWhatFollows(bare)) return false;
  const surely = bare[0]?.pos === 'VERB' || particle;
  return followsLikeAnInstruction(verb, rest, surely) && followsLikeAnInstruction(verb, bare.slice(1), surely);
}

/** The tagger's lemmas use American spelling, so "apologise" must also count as a base form. */
function isBaseForm({ value, lemma }: Token): boolean {
  return value.replace(/is(?=e$)/, 'iz').replace(/our/, 'or') === lemma.replace(/our/, 'or') || value === lemma;
}

/** The first words decide; the rest of the sentence may be a page long. In characters. */
const maxHeadLength = 160;

/** Excludes words that no instruction begins with. Most sentences end here, before the slower tagger runs. */
function mayBeBaseForm(verb: string): boolean {
  // "Not to be confused with the chain of that name" is a description. The caller has already removed a leading "Do
  // not".
  if (verb === 'not' || objects.has(verb) || subjects.has(verb) || irregularParticiples.has(verb)) return false;
  if (/(?:ing|ed)$/.test(verb))
    return /^(?:bring|feed|need|bleed|breed|proceed|exceed|embed|shed|bed|wed|sing|ring|heed|seed|weed|speed)$/.test(
      verb,
    );
  return !/[^su]s$/.test(verb);
}

/**
 * Uses the words after the verb to tell "Rest for two minutes" from "Rest days matter".
 * @param surely whether the tagger sees a verb even without a subject before it
 */
function followsLikeAnInstruction(verb: string, rest: readonly Token[], surely: boolean): boolean {
  const [next, second] = rest;
  if (next === undefined) return surely;
  const word = next.value.toLowerCase();
  if (isFinite(next) || word === 'of') return false;
  if (subjects.has(word) && word !== 'it' && word !== 'you') return false;
  if (opensObject(next)) return !(second !== undefined && second.pos === 'AUX' && !takesClause.has(verb));
  if (next.pos === 'PUNCT') {
    if (!/^[,.!;]$/.test(word)) return false;
    return surely && !(second !== undefined && subjects.has(second.value.toLowerCase()));
  }
  if (next.pos === 'PART' || next.pos === 'SCONJ')
    return surely && (!hasFiniteVerb(rest.slice(1), 'first') || takesClause.has(verb));
  if (next.pos === 'CCONJ')
    return (
      second !== undefined &&
      second.pos === 'VERB' &&
      !isFinite(second) &&
      !/^\p{Lu}/u.test(second.value) &&
      !hasFiniteVerb(rest.slice(2), 'first')
    );
  const reach = takesClause.has(verb) && surely ? 'none' : 'first';
  if (hasFiniteVerb(rest, reach)) return false;
  if (/^(?:ADP|ADV)$/.test(next.pos)) return true;
  if (next.pos === 'VERB') return surely;
  if (/^(?:rest|talk|wait|sleep|work|look|listen|live|land|sail|travel|stay|care|opt|point|aim|focus)$/.test(verb))
    return false;
  // A noun without an article: "Limit alcohol to two evenings" instructs, "Store brands often cost less" does not.
  return (surely || instructing.has(verb)) && (takesObjectAndVerb.test(verb) || !hasPluralVerb(rest));
}

/** These verbs take an object and a further verb: "Help children read". Others do not: "Check valves stop water". */
const takesObjectAndVerb = /^(?:make|let|help|have|ensure)$/;

/** A condition phrased as an instruction: "Give a child a hammer and everything becomes a nail". */
function promisesWhatFollows(tokens: readonly Token[]): boolean {
  return tokens.some(({ value, pos }, i) => {
    if (pos !== 'CCONJ' || value !== 'and') return false;
    let at = i + 1;
    while (/^(?:DET|ADJ|NUM)$/.test(tokens[at]?.pos ?? '')) at += 1;
    const [subject, verb] = [tokens[at], tokens[at + 1]];
    if (subject === undefined || verb === undefined || !/^(?:NOUN|PROPN|PRON)$/.test(subject.pos)) return false;
    return verb.pos === 'AUX' || (verb.pos === 'VERB' && verb.value === `${verb.lemma}s`);
  });
}

/**
 * Whether a plural subject and its verb follow. A base form after a noun or adverb has the words before it as its
 * subject, unless it is an infinitive or a further instruction.
 */
function hasPluralVerb(tokens: readonly Token[]): boolean {
  for (const [i, token] of tokens.entries()) {
    if (clauseEnd.test(token.value.toLowerCase()) || token.pos === 'CCONJ') return false;
    const before = tokens[i - 1];
    if (
      i > 0 &&
      token.pos === 'VERB' &&
      token.lemma === token.value &&
      before !== undefined &&
      /^(?:NOUN|PROPN|ADV)$/.test(before.pos)
    )
      return true;
    if (token.pos === 'PART') return false;
  }
  return false;
}

function opensObject(token: Token): boolean {
  return objects.has(token.value.toLowerCase()) || (token.pos === 'DET' && token.value.toLowerCase() !== 'which');
}

/** A finite verb: "is", "had", "boils", "told". Participles in -ed after nouns look the same and also count. */
function isFinite({ value, pos, lemma }: Token): boolean {
  const word = value.toLowerCase();
  if (pos === 'AUX') return word !== 'be' && word !== 'do';
  return pos === 'VERB' && !word.endsWith('ing') && (word !== lemma || /[^su]s$/.test(word));
}

const clauseEnd =
  /^(?:that|which|who|whom|whose|what|if|when|whenever|because|since|so|where|how|why|whether|until|unless|while|before|after|as|than|once|though|although|[,;:–—(])$/;

/**
 * @param reach how far to look; `first`: up to where another clause may begin; `all`: the whole rest; `none`: not at
 *   all
 */
function hasFiniteVerb(tokens: readonly Token[], reach: 'first' | 'all' | 'none'): boolean {
  if (reach === 'none') return false;
  for (const [i, token] of tokens.entries()) {
    const word = token.value.toLowerCase();
    if (clauseEnd.test(word)) {
      // A subject after a comma begins the main clause: "Save for a short visit, she never returned."
      const after = tokens[i + 1]?.value.toLowerCase() ?? '';
      if (word === ',' && subjects.has(after) && after !== 'you' && after !== 'it') return true;
      if (reach === 'first' && !(i === 0 && /^(?:before|after|as|since)$/.test(word))) return false;
    }
    if (isFinite(token)) return true;
  }
  return false;
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

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
