/**
 * The number of letters to insert, delete, replace or transpose with a neighbour to turn one word into the other (the
 * optimal string alignment distance of Damerau and Levenshtein); `maxDistance + 1` when it is more than `maxDistance`.
 * @throws {RangeError} when both words have more than 32 letters
 */
export function editDistance(from: string, to: string, maxDistance: number): number {
  const [shorter, longer] = from.length < to.length ? [from, to] : [to, from];
  return new Spelling(shorter).distanceTo(longer, 0, longer.length, maxDistance);
}

/** Each letter takes one bit of a 32-bit integer. */
const maxLetters = 32;
const firstBeyondAscii = 0x80;

/**
 * A word to compare with many words of a text. Those are given as offsets, so that no substrings are created for them.
 * One column of the dynamic-programming table is the bits of one number (Myers, "A Fast Bit-Vector Algorithm for
 * Approximate String Matching Based on Dynamic Programming", 1999; with transpositions: Hyyrö, "A Bit-Vector Algorithm
 * for Computing Levenshtein and Damerau Edit Distances", 2003).
 */
export class Spelling {
  readonly #word: string;
  /** For each letter's code: one bit for each position of the letter in the word. */
  readonly #places = new Int32Array(firstBeyondAscii);
  readonly #placesBeyond = new Map<number, number>();
  readonly #wordHasPairs: boolean;
  #text = '';
  #textHasPairs = false;

  /** @throws {RangeError} when the word has more than 32 letters */
  constructor(word: string) {
    this.#word = word;
    this.#wordHasPairs = hasPairs(word);
    if (this.#wordHasPairs) return;
    if (word.length > maxLetters) throw new RangeError(`a word of more than ${maxLetters} letters`);
    for (let at = 0; at < word.length; at += 1) {
      const letter = word.charCodeAt(at);
      const places = this.#placesOf(letter) | (1 << at);
      if (letter < firstBeyondAscii) this.#places[letter] = places;
      else this.#placesBeyond.set(letter, places);
    }
  }

  /**
   * The distance to `text.slice(start, end)`, as in `editDistance`.
   * @param length compare only this many characters from the start of the word
   */
  distanceTo(text: string, start: number, end: number, maxDistance: number, length = this.#word.length): number {
    if (text !== this.#text) [this.#text, this.#textHasPairs] = [text, hasPairs(text)];
    if (this.#wordHasPairs || this.#textHasPairs) {
      const [from, to] = withoutPairs(this.#word.slice(0, length), text.slice(start, end));
      return new Spelling(from).distanceTo(to, 0, to.length, maxDistance);
    }
    if (Math.abs(length - (end - start)) > maxDistance) return maxDistance + 1;
    const word = this.#word;
    // Skip the common prefix and suffix: only the rest is compared.
    let [first, last, textFirst, textLast] = [0, length, start, end];
    while (first < last && textFirst < textLast && word.charCodeAt(first) === text.charCodeAt(textFirst)) {
      first += 1;
      textFirst += 1;
    }
    while (first < last && textFirst < textLast && word.charCodeAt(last - 1) === text.charCodeAt(textLast - 1)) {
      last -= 1;
      textLast -= 1;
    }
    const [letters, textLetters] = [last - first, textLast - textFirst];
    if (letters === 0 || textLetters === 0) return Math.min(letters + textLetters, maxDistance + 1);
    if (maxDistance > 1) return this.#distanceOfBits(first, last, text, textFirst, textLast, maxDistance);
    // A single edit leaves one letter of each, or two transposed letters.
    const isChanged = letters === 1 && textLetters === 1;
    const areExchanged =
      letters === 2 &&
      textLetters === 2 &&
      word.charCodeAt(first) === text.charCodeAt(textFirst + 1) &&
      word.charCodeAt(first + 1) === text.charCodeAt(textFirst);
    return isChanged || areExchanged ? Math.min(1, maxDistance + 1) : maxDistance + 1;
  }

  #distanceOfBits(first: number, last: number, text: string, start: number, end: number, maxDistance: number): number {
    const lastBit = 1 << (last - first - 1);
    let distance = last - first;
    // Bits of cells that are one more or one less than the cell above.
    let [more, less] = [-1, 0];
    // `same`: bits of cells equal to the previous cell on their diagonal. `placesBefore`: positions of the last letter.
    let [same, placesBefore] = [0, 0];
    for (let at = start; at < end; at += 1) {
      const places = this.#placesOf(text.charCodeAt(at)) >>> first;
      const exchanged = ((~same & places) << 1) & placesBefore;
      same = (((places & more) + more) ^ more) | places | less | exchanged;
      const moreBeside = less | ~(same | more);
      const lessBeside = same & more;
      if ((moreBeside & lastBit) !== 0) distance += 1;
      else if ((lessBeside & lastBit) !== 0) distance -= 1;
      // Each remaining letter lowers the distance by one at most.
      if (distance - (end - at - 1) > maxDistance) return maxDistance + 1;
      const shifted = (moreBeside << 1) | 1;
      more = (lessBeside << 1) | ~(same | shifted);
      less = shifted & same;
      placesBefore = places;
    }
    return Math.min(distance, maxDistance + 1);
  }

  #placesOf(letter: number): number {
    return (letter < firstBeyondAscii ? this.#places[letter] : this.#placesBeyond.get(letter)) ?? 0;
  }
}

function hasPairs(word: string): boolean {
  return /[\ud800-\udfff]/.test(word);
}

/** Outside the Basic Multilingual Plane a letter is two UTF-16 units: this maps each distinct letter to one unit. */
function withoutPairs(...words: readonly [string, string]): [string, string] {
  const units = new Map<string, string>();
  const unitOf = (letter: string) => {
    const unit = units.get(letter) ?? String.fromCharCode(units.size);
    units.set(letter, unit);
    return unit;
  };
  const [from, to] = words.map((word) => Array.from(word, unitOf).join(''));
  return [from ?? '', to ?? ''];
}

/** Only words in scripts with spaces are corrected, and only if they are long enough to tell which word was meant. */
export function mayBeMisspelt(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{4,30}$/u.test(word);
}
