import type { SourceSentence } from './candidates.ts';
import { findImperative, type Imperative } from './imperatives.ts';
import { speaksToMachines } from './machines.ts';
import type { Tagger } from './tagger.ts';
import { wordsOf } from './words.ts';

/** What a sentence asks of its reader by its form, or null: a whole sentence, not quoted, not a link, not for machines. */
export function findInstruction(sentence: SourceSentence, tag: Tagger): Imperative | null {
  return mayInstruct(sentence) ? findImperative(sentence.plain, tag) : null;
}

/** No instruction that a person can use is longer. */
const maxInstruction = 400;

function mayInstruct({ plain, kind, quoted, linked }: SourceSentence): boolean {
  // Before any pattern looks at it: some, here and in what judges instructions, begin anew at each word.
  if (plain.length < 12 || plain.length > maxInstruction) return false;
  // What is a link for the most part leads to other pages.
  if (linked > 0.5 || speaksToMachines(plain)) return false;
  if (quoted || kind === 'quote' || wordsOf(plain).length < 3) return false;
  if (
    /["”]\s*(?:,\s*)?(?:\p{L}+\s){0,4}(?:says|said|told|writes|wrote|adds|added|explains|explained|advises|recommends)\b/iu.test(
      plain,
    )
  )
    return false;
  if (/[.!;]["”’)\]]?$/.test(plain)) return !/\b(?:says|said|writes|wrote|adds|added|explains)\.$/.test(plain);
  // A list of things has no stops either: "Load balancers and connection pools".
  return kind === 'list' && !plain.endsWith(':') && functionWord.test(plain);
}

const functionWord =
  /\s(?:an?|the|your?|all|any|every|each|both|no|to|in|on|at|of|off|out|up|down|over|for|from|with|without|before|after|until|by|into|as|if|when|while|more|less|once|twice|not|instead)\s/i;
