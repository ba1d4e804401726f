/*
 * Whether two instructions ask for the same in nearly the same words. Meant to err on the side of "no": two entries for one
 * thing are a nuisance, one entry for two things is a loss.
 */

/** Words that can come or go without changing what is asked for. */
const fillers = new Set(
  'a an the your you yourself my our please just simply always also then so and or to of that this it is be'.split(' '),
);
/** Where one sentence has such a word and the other has not, they ask for different things. */
const turners = new Set(
  `not no never don't cannot can't without avoid stop quit skip instead unless except less more fewer before after
   until only minimum maximum least most`.split(/\s+/),
);
/** With these the order of the other words is part of what is asked for. */
const directed = new Set('from before after than over into instead for with'.split(' '));

/** Of the longer instruction's words, those that the shorter one must have. */
export const minShare = 0.7;
/** Shorter instructions are the same only word by word. */
const minWords = 3;

function stem(word: string): string {
  if (word.length < 5 || /\P{ASCII}/u.test(word)) return word;
  return word.replace(/(?:ies|ied)$/, 'y').replace(/(?<=\w{3})(?:ing|ed|es|s)$/, '');
}

/** The words of an instruction that count, in their order, each once; letter case and most endings do not. */
export function instructionWords(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}\p{M}]+(?:'\p{L}+)*/gu) ?? [];
  return [
    ...new Set(words.filter((word) => !fillers.has(word)).map((word) => (turners.has(word) ? word : stem(word)))),
  ];
}

/** Two instructions are nearly identical when one says all that the other says, and little else. Symmetric. */
export function areNearlyIdentical(one: string, other: string): boolean {
  const [shorter = [], longer = []] = [instructionWords(one), instructionWords(other)].sort(
    (a, b) => a.length - b.length,
  );
  if (shorter.length === 0) return false;
  const rest = longer.filter((word) => !shorter.includes(word));
  const shared = longer.filter((word) => shorter.includes(word));
  if (shared.length < shorter.length) return false;
  if (rest.length > 0 && (shorter.length < minWords || shorter.length / longer.length < minShare)) return false;
  if (rest.some((word) => turners.has(word) || /\p{N}/u.test(word))) return false;
  const isDirected = shared.some((word) => directed.has(word));
  return !isDirected || shared.every((word, index) => word === shorter[index]);
}
