/*
 * Decides whether two instructions ask for the same thing in nearly the same words. When in doubt, the answer is "no":
 * two entries for one thing are a nuisance, but one entry for two things loses one.
 */

/** Words that do not change what is asked for. */
const fillers = new Set(
  'a an the your you yourself my our please just simply always also then so and or to of that this it is be'.split(' '),
);
/** If only one of two instructions has such a word, they ask for different things. */
const decisiveWords = new Set(
  `not no never don't cannot can't without avoid stop quit skip instead unless except less more fewer before after
   until only minimum maximum least most`.split(/\s+/),
);
/** With one of these words, the order of the other words matters. */
const directed = new Set('from before after than over into instead for with'.split(' '));

/** Minimum share of the longer instruction's words that the shorter one must have. */
export const minShare = 0.7;
/** An instruction with fewer words must have the same words as the other. */
const minWords = 3;

function stem(word: string): string {
  if (word.length < 5 || /\P{ASCII}/u.test(word)) return word;
  return word.replace(/(?:ies|ied)$/, 'y').replace(/(?<=\w{3})(?:ing|ed|es|s)$/, '');
}

/** The significant words of an instruction, in order, each once, in lower case and without most endings. */
export function instructionWords(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}\p{M}]+(?:'\p{L}+)*/gu) ?? [];
  return [
    ...new Set(words.filter((word) => !fillers.has(word)).map((word) => (decisiveWords.has(word) ? word : stem(word)))),
  ];
}

/** Two instructions are nearly identical when one has all words of the other and few more. Symmetric. */
export function areNearlyIdentical(one: string, other: string): boolean {
  const [shorter = [], longer = []] = [instructionWords(one), instructionWords(other)].sort(
    (a, b) => a.length - b.length,
  );
  if (shorter.length === 0) return false;
  const rest = longer.filter((word) => !shorter.includes(word));
  const shared = longer.filter((word) => shorter.includes(word));
  if (shared.length < shorter.length) return false;
  if (rest.length > 0 && (shorter.length < minWords || shorter.length / longer.length < minShare)) return false;
  if (rest.some((word) => decisiveWords.has(word) || /\p{N}/u.test(word))) return false;
  const isDirected = shared.some((word) => directed.has(word));
  return !isDirected || shared.every((word, index) => word === shorter[index]);
}
