import type { SourceSentence } from '../candidates.ts';
import { findImperative, type Imperative } from './imperatives.ts';
import { speaksToMachines } from '../audience/machines.ts';
import type { Tagger } from './tagger.ts';
import { wordsOf } from '../words.ts';

/**
 * Finds the instruction in a sentence by its form, or null. The sentence must be whole, not quoted, not a link and not
 * addressed to machines.
 */
export function findInstruction(sentence: SourceSentence, tag: Tagger): Imperative | null {
  return mayInstruct(sentence) ? findImperative(sentence.plain, tag) : null;
}

/** Longer texts are no instructions that a person can use. In characters. */
const maxInstruction = 400;

function mayInstruct({ plain, kind, quoted, linked }: SourceSentence): boolean {
  // Check the length before any pattern runs: some, here and in the code that scores instructions, restart at every
  // word.
  if (plain.length < 12 || plain.length > maxInstruction) return false;
  // A sentence that is mostly a link leads to another page.
  if (linked > 0.5 || speaksToMachines(plain)) return false;
  if (quoted || kind === 'quote' || wordsOf(plain).length < 3) return false;
  if (
    /["”]\s*(?:,\s*)?(?:\p{L}+\s){0,4}(?:says|said|told|writes|wrote|adds|added|explains|explained|advises|recommends)\b/iu.test(
      plain,
    )
  )
    return false;
  if (/[.!;]["”’)\]]?$/.test(plain)) return !/\b(?:says|said|writes|wrote|adds|added|explains)\.$/.test(plain);
  // A list of things has no full stops either, so a list item needs a function word: "Load balancers and connection
  // pools" has none.
  return kind === 'list' && !plain.endsWith(':') && functionWord.test(plain);
}

const functionWord =
  /\s(?:an?|the|your?|all|any|every|each|both|no|to|in|on|at|of|off|out|up|down|over|for|from|with|without|before|after|until|by|into|as|if|when|while|more|less|once|twice|not|instead)\s/i;
