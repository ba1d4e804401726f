import { kindsOfDoing } from '../lexicon.ts';
import type { Tagger, TaggedToken } from './tagger.ts';
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

export interface InstructingVerb {
  /** The verb, in lower case. */
  verb: string;
  /**
   * Whether the words after the verb read like an instruction. When false, only the meaning can show that it is one.
   */
  sure: boolean;
}

/** The verb with which a clause tells its reader to do something; null when it does not begin with one. */
export function instructingVerb(clause: string, tag: Tagger): InstructingVerb | null {
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
function mayStillInstruct(verb: string, rest: readonly TaggedToken[]): boolean {
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
function hasObject(token: TaggedToken | undefined): boolean {
  return token !== undefined && (opensObject(token) || token.value === 'that' || token.value === 'how');
}

/** The tokens before the point where another clause may begin. */
function beforeClauseEnd(tokens: readonly TaggedToken[]): readonly TaggedToken[] {
  const end = tokens.findIndex(({ value }) => clauseEnd.test(value.toLowerCase()));
  return end === -1 ? tokens : tokens.slice(0, end);
}

function readsLikeAnInstruction(
  verb: string,
  first: TaggedToken,
  rest: readonly TaggedToken[],
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
function isBaseForm({ value, lemma }: TaggedToken): boolean {
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
function followsLikeAnInstruction(verb: string, rest: readonly TaggedToken[], surely: boolean): boolean {
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
function promisesWhatFollows(tokens: readonly TaggedToken[]): boolean {
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
function hasPluralVerb(tokens: readonly TaggedToken[]): boolean {
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

function opensObject(token: TaggedToken): boolean {
  return objects.has(token.value.toLowerCase()) || (token.pos === 'DET' && token.value.toLowerCase() !== 'which');
}

/** A finite verb: "is", "had", "boils", "told". Participles in -ed after nouns look the same and also count. */
function isFinite({ value, pos, lemma }: TaggedToken): boolean {
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
function hasFiniteVerb(tokens: readonly TaggedToken[], reach: 'first' | 'all' | 'none'): boolean {
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

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
